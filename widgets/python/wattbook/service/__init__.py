"""Client of the companion server: prices, sensitivities and the solve stream over HTTP."""

from .client import Service, SolveStream
from .events import Event

__all__ = ["Event", "Service", "SolveStream"]
