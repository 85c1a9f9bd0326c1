"""Where buses lie: geographic layers, synthetic layouts, one-line drawings."""
