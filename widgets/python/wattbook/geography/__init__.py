"""Positions of buses: geographic layers, synthetic layouts, one-line drawings."""
