"""Runs the command as `python -m wattbook.cli`."""

from __future__ import annotations

import sys

from . import main

sys.exit(main())
