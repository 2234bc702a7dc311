"""
A language model as verifier, under the contract of the benchmark's own: one call a transcript,
strict JSON, one result a target, evidence that is a real span.

contract   what is asked and what an answer must be; pure
evidence   where a quoted span stands in the transcript
guard      an answer that the rules contradict does not stand
client     one chat completion over the openai SDK, its errors mapped
verifier   the parts together: repair round, votes, usage
"""

from pytest_asrbench.verifiers.llm.verifier import Llm

__all__ = ["Llm"]
