"""What programs.py and frameworks.py share: the arguments, the sound, and the table's rows."""

import asyncio
import json
import os
import sys

NAME, FOLDER, URL, KEY, PORT = sys.argv[1:6]
WAV = os.path.join(FOLDER, "sentence.wav")
WS = URL.replace("http", "ws")
with open(os.path.join(FOLDER, "sentence.pcm"), "rb") as pcm_file:
    PCM = pcm_file.read()
PIECE_BYTES = 3_200
PIECE_SECONDS = 0.1


def report(does, got):
    print(json.dumps({"does": does, "got": str(got)}, ensure_ascii=False), flush=True)


def attempt(does, work):
    """Reports what work returns, or why it failed; the other abilities are tried all the same."""
    try:
        got = work()
        report(does, asyncio.run(got) if asyncio.iscoroutine(got) else got)
    except BaseException as failure:  # noqa: B902 - programs also exit
        report(does, f"FAILED {type(failure).__name__}: {str(failure)[:300]}")


def pieces():
    return [PCM[at : at + PIECE_BYTES] for at in range(0, len(PCM), PIECE_BYTES)]
