"""Version of the Python distribution and of the engine contract it is written for."""

__version__ = "0.1.0"

#: `CONTRACT_VERSION` of the native engine and of the page that this package works with.
CONTRACT_VERSION = "0.1.0"
