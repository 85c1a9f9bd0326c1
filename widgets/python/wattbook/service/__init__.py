"""Clients of the companion server: prices, sensitivities and the solve stream over HTTP."""

from .client import AsyncService, AsyncSolveStream, Event, Service, SolveStream

__all__ = ["AsyncService", "AsyncSolveStream", "Event", "Service", "SolveStream"]
