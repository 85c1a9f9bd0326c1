"""Formats of numbers, names and sentences."""
