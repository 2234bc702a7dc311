"""The deterministic verifier. `Rules` is all that the rest of the package needs."""

from pytest_asrbench.verifiers.rules.verifier import VERSION, Rules

__all__ = ["VERSION", "Rules"]
