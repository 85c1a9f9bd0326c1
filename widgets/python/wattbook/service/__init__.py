"""Clients of the companion server: prices, sensitivities and the solve stream over HTTP."""

from .client import AsyncService, Service
from .streams import AsyncSolveStream, Event, SolveStream

__all__ = ["AsyncService", "AsyncSolveStream", "Event", "Service", "SolveStream"]
