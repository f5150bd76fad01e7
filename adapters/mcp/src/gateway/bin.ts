// The program of this package. What it does is `main`'s.

import { main } from "./program.js";

process.exitCode = await main(process.argv.slice(2));
// Whatever still holds the process open, a server that does not end or an input that nobody reads, is not waited for; what was
// written to a slow pipe is.
setTimeout(() => process.exit(), 100).unref();
