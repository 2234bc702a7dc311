"""
A real recogniser behind OpenAI's transcription route; as a program it prints its port.

POST /v1/audio/transcriptions, multipart with file and model; `response_format` json or text. With
ASR_SERVER_KEY set, requests need it. PocketSphinx hears one clip at a time.
"""

from __future__ import annotations

import json
import os
from email import message_from_bytes
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Lock
from typing import ClassVar

import soundfile
from pocketsphinx import Decoder

RATE = 16_000
MODEL = "en-us"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hearing = Lock()
    heard: ClassVar[dict[bytes, str]] = {}
    """Each recording is heard once: PocketSphinx says the same again, in seconds of CPU."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        key = os.environ.get("ASR_SERVER_KEY")
        if key and self.headers.get("Authorization") != f"Bearer {key}":
            return self.refuse(401, "Incorrect API key provided", "invalid_api_key")
        if self.path != "/v1/audio/transcriptions":
            return self.refuse(404, f"no route {self.path}", "not_found")
        fields = self.fields(body)
        if fields.get("model") != MODEL.encode():
            return self.refuse(404, "no such model", "model_not_found")
        try:
            samples, rate = soundfile.read(BytesIO(fields["file"]), dtype="int16")
        except soundfile.SoundFileError:
            return self.refuse(400, "Audio file might be corrupted or unsupported", "invalid")
        if rate != RATE or samples.ndim != 1:
            return self.refuse(400, f"Audio must be mono at {RATE} Hz", "invalid")
        text = self.hear(samples.tobytes())
        if fields.get("response_format") == b"text":
            return self.answer(200, text)
        usage = {"type": "duration", "seconds": round(len(samples) / rate)}
        return self.answer(200, json.dumps({"text": text, "usage": usage}))

    def fields(self, body: bytes) -> dict[str, bytes]:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = message_from_bytes(head + body, policy=HTTP).iter_parts()
        return {
            part.get_param("name", header="Content-Disposition"): part.get_payload(decode=True)
            for part in parts
        }

    def hear(self, pcm: bytes) -> str:
        with self.hearing:
            if pcm in self.heard:
                return self.heard[pcm]
            decoder = Decoder(samprate=RATE, loglevel="FATAL")
            decoder.start_utt()
            decoder.process_raw(pcm, full_utt=True)
            decoder.end_utt()
            self.heard[pcm] = decoder.hyp().hypstr if decoder.hyp() else ""
            return self.heard[pcm]

    def refuse(self, status: int, message: str, code: str) -> None:
        self.answer(status, json.dumps({"error": {"message": message, "code": code}}))

    def answer(self, status: int, body: str) -> None:
        raw = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.send_header("x-request-id", "req-1")
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *arguments: object) -> None:
        print("request", flush=True)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
