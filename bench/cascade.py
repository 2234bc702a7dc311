"""
What the cascade sends to a language model of a set of cases: python bench/cascade.py CASES.jsonl

The model is a server on loopback that counts what it is asked and answers "absent", so the figures
are of the cascade alone: entities sent, and agreement of those that the rules decided.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pytest_asrbench.commands.verdicts import judge_cases
from pytest_asrbench.verifiers import registry
from pytest_asrbench.verifiers.agreement import Scored, count
from pytest_asrbench.verifiers.cases import read_cases


class Model(BaseHTTPRequestHandler):
    """Answers "absent" to every target, and remembers how many there were."""

    protocol_version = "HTTP/1.1"
    targets = 0
    requests = 0
    lock = threading.Lock()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked = json.loads(body["messages"][1]["content"])["targets"]
        with Model.lock:
            Model.requests += 1
            Model.targets += len(asked)
        self.reply({"results": [self.absent(target) for target in asked]})

    def absent(self, target: dict[str, Any]) -> dict[str, Any]:
        copied = {key: target[key] for key in ("target_index", "type", "canonical")}
        return {**copied, "present": False, "evidence": None, "reason": "scripted"}

    def reply(self, answer: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": json.dumps(answer)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
        data = json.dumps({**reply, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Quiet."""


def main(path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    setup = {"llm": {"base_url": f"http://127.0.0.1:{server.server_port}/v1"}}
    cases = read_cases(path)
    rules = judge_cases(registry.create("rules"), cases, path)
    judge_cases(registry.create("cascade", verifiers=setup), cases, path)
    share = 100 * Model.targets / len(cases)
    print(f"{Model.targets} of {len(cases)} entities sent ({share:.1f}%), {Model.requests} calls")
    sure = [
        Scored(case.id, case.entity.type, case.present, verdict.present, verdict.sure)
        for case in cases
        if (verdict := rules.get(case.row)) and verdict.sure
        if case.present is not None and case.certain
    ]
    if sure:
        rate = count(sure).rate
        print(f"decided by the rules: {rate.hits} of {rate.total} agree with their labels")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
