"""Runs the command as `python -m wattbook.cli`."""

import sys

from . import main

sys.exit(main())
