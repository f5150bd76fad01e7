#!/usr/bin/env node
// Stands where npm looks for the program, built or not.

import "../dist/bin.mjs";
