"""Clients of the companion server: prices, sensitivities and the solve stream over HTTP."""

from .async_client import AsyncService
from .client import Service
from .events import Event
from .streams import AsyncSolveStream, SolveStream

__all__ = ["AsyncService", "AsyncSolveStream", "Event", "Service", "SolveStream"]
