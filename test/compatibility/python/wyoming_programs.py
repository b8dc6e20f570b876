"""The client of Wyoming against the service, and against a bridge to its calls of OpenAI."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time

from harness import FOLDER, KEY, PORT, URL, attempt, pieces

PATIENCE_SECONDS = 60
SOUND = {"rate": 16000, "width": 2, "channels": 1}


async def exchange(port, events, take):
    """Sends events, and returns the first thing that `take` makes of an answer."""
    from wyoming.client import AsyncTcpClient

    async with AsyncTcpClient("127.0.0.1", port) as client:
        for event in events:
            await client.write_event(event.event())
        while True:
            event = await asyncio.wait_for(client.read_event(), PATIENCE_SECONDS)
            if event is None:
                raise RuntimeError("the connection ended")
            if event.type == "error":
                raise RuntimeError(event.data["text"])
            got = take(event)
            if got is not None:
                return got


def transcribe(port, model=None):
    from wyoming.asr import Transcribe, Transcript
    from wyoming.audio import AudioChunk, AudioStart, AudioStop

    chunks = [AudioChunk(audio=piece, **SOUND) for piece in pieces()]
    events = [Transcribe(name=model, language="yue"), AudioStart(**SOUND), *chunks, AudioStop()]

    def text(event):
        return Transcript.from_event(event).text if Transcript.is_type(event.type) else None

    return exchange(port, events, text)


def speak(port):
    from wyoming.audio import AudioChunk, AudioStop
    from wyoming.tts import Synthesize

    lengths = []

    def take(event):
        if AudioChunk.is_type(event.type):
            lengths.append(len(AudioChunk.from_event(event).audio))
        return f"{sum(lengths)} bytes" if AudioStop.is_type(event.type) else None

    return exchange(port, [Synthesize(text="早晨")], take)


async def info(port):
    from wyoming.info import Describe, Info

    def take(event):
        return Info.from_event(event) if Info.is_type(event.type) else None

    found = await exchange(port, [Describe()], take)
    return f"{len(found.asr)} recognizers, {len(found.tts[0].voices)} voices"


def service():
    port = int(PORT)
    attempt("info", lambda: info(port))
    attempt("file", lambda: transcribe(port))
    attempt("speech", lambda: speak(port))


@contextlib.contextmanager
def running_bridge():
    """Runs wyoming-openai with one model for each of its ways to recognize; yields its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "wyoming_openai", "--uri", f"tcp://127.0.0.1:{port}"]
    for role in ["stt", "tts"]:
        command += [f"--{role}-openai-key", KEY, f"--{role}-openai-url", f"{URL}/v1"]
    command += [
        "--languages",
        "yue",
        "--stt-models",
        "whisper-1",
        "--stt-streaming-models",
        "gpt-4o-transcribe",
    ]
    command += [
        "--stt-realtime-models",
        "gpt-live-transcribe",
        "--tts-models",
        "tts-1",
        "--tts-voices",
        "alloy",
    ]
    with open(os.path.join(FOLDER, "bridge.log"), "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("the bridge does not listen")
                time.sleep(0.1)
            yield port
        finally:
            process.kill()


def bridge():
    with running_bridge() as port:
        attempt("info", lambda: info(port))
        attempt("file", lambda: transcribe(port, "whisper-1"))
        attempt("file as a stream", lambda: transcribe(port, "gpt-4o-transcribe"))
        attempt("realtime", lambda: transcribe(port, "gpt-live-transcribe"))
        attempt("speech", lambda: speak(port))
