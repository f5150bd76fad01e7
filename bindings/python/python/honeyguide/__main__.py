"""`python -m honeyguide`."""

import sys

from .launch import main

sys.exit(main())
