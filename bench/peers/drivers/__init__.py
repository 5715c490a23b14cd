"""One script per peer, run by the Python of that peer's environment; none of them can import Cablese."""
