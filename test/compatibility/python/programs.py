"""Runs one Python client, unchanged, against the service: python programs.py NAME FOLDER URL KEY PORT.

FOLDER has sentence.wav and sentence.pcm (16 kHz, 16 bit, mono) of a Cantonese sentence; PORT is
that of Wyoming. Prints a line of JSON for each ability: {"does": ..., "got": ...}; "got" is what
the client received, or begins with "FAILED".
"""

import asyncio
import json
import os
import subprocess
import sys

NAME, FOLDER, URL, KEY, PORT = sys.argv[1:6]
WAV = os.path.join(FOLDER, "sentence.wav")
WS = URL.replace("http", "ws")
with open(os.path.join(FOLDER, "sentence.pcm"), "rb") as pcm_file:
    PCM = pcm_file.read()
PIECE_BYTES = 3_200


def report(does, got):
    print(json.dumps({"does": does, "got": str(got)}, ensure_ascii=False), flush=True)


def attempt(does, work):
    """Reports what work returns, or why it failed; the other abilities are tried all the same."""
    try:
        report(does, work())
    except BaseException as failure:  # noqa: B902 - programs also exit
        report(does, f"FAILED {type(failure).__name__}: {str(failure)[:300]}")


def pieces():
    return [PCM[at : at + PIECE_BYTES] for at in range(0, len(PCM), PIECE_BYTES)]


def openai():
    from openai import OpenAI

    client = OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)

    def transcribe():
        with open(WAV, "rb") as sound:
            return client.audio.transcriptions.create(model="whisper-1", file=sound, language="yue").text

    def stream():
        with open(WAV, "rb") as sound:
            events = client.audio.transcriptions.create(
                model="gpt-4o-transcribe", file=sound, language="yue", stream=True
            )
            return [event for event in events][-1].text

    def speak():
        speech = client.audio.speech.create(model="tts-1", voice="alloy", input="早晨")
        return f"{len(speech.read())} bytes"

    def realtime():
        import base64

        with client.realtime.connect(extra_query={"intent": "transcription"}) as live:
            transcription = {"model": "gpt-4o-transcribe", "language": "yue"}
            audio = {"input": {"format": {"type": "audio/pcm", "rate": 16000}, "transcription": transcription}}
            live.session.update(session={"type": "transcription", "audio": audio})
            for piece in pieces():
                live.input_audio_buffer.append(audio=base64.b64encode(piece).decode())
            for event in live:
                if event.type == "error":
                    raise RuntimeError(event.error.message)
                if event.type.endswith("transcription.completed") and event.transcript:
                    return event.transcript

    attempt("file", transcribe)
    attempt("file as a stream", stream)
    attempt("speech", speak)
    attempt("realtime", realtime)
    attempt("models", lambda: f"{len(client.models.list().data)} models")


def openai_agents():
    import numpy
    from agents.voice import AudioInput, OpenAISTTModel, OpenAITTSModel, STTModelSettings
    from agents.voice import StreamedAudioInput, TTSModelSettings
    from openai import AsyncOpenAI

    def client():
        return AsyncOpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)

    sound = numpy.repeat(numpy.frombuffer(PCM, dtype=numpy.int16), 3)[::2].copy()

    async def live():
        spoken = StreamedAudioInput()
        model = OpenAISTTModel("gpt-4o-transcribe", client())
        session = await model.create_session(spoken, STTModelSettings(language="yue"), False, False)
        for at in range(0, len(sound), 4_800):
            await spoken.add_audio(sound[at : at + 4_800])
        await spoken.add_audio(None)
        turns = []
        async for turn in session.transcribe_turns():
            turns.append(turn)
        await session.close()
        return "".join(turns)

    async def whole():
        model = OpenAISTTModel("gpt-4o-transcribe", client())
        return await model.transcribe(AudioInput(buffer=sound), STTModelSettings(), False, False)

    async def speak():
        model = OpenAITTSModel("gpt-4o-mini-tts", client())
        parts = [part async for part in model.run("早晨", TTSModelSettings())]
        return f"{sum(len(part) for part in parts)} bytes"

    attempt("push to talk", lambda: asyncio.run(live()))
    attempt("file", lambda: asyncio.run(whole()))
    attempt("speech", lambda: asyncio.run(speak()))


def deepgram_client():
    from deepgram import DeepgramClient
    from deepgram.environment import DeepgramClientEnvironment

    environment = DeepgramClientEnvironment(base=URL, production=WS, agent=WS, agent_rest=URL)
    return DeepgramClient(api_key=KEY, environment=environment)


def deepgram_sdk():
    client = deepgram_client()

    def transcribe():
        with open(WAV, "rb") as sound:
            answer = client.listen.v1.media.transcribe_file(
                request=sound.read(), model="nova-3", language="zh-HK", punctuate=True, diarize=True
            )
        best = answer.results.channels[0].alternatives[0]
        return f"{best.transcript} (speaker {best.words[0].speaker})"

    def live():
        texts = []
        with client.listen.v1.connect(
            model="nova-3", language="zh-HK", encoding="linear16", sample_rate="16000"
        ) as session:
            for piece in pieces():
                session.send_media(piece)
            session.send_close_stream()
            for message in session:
                if getattr(message, "type", "") == "Results":
                    texts.append(message.channel.alternatives[0].transcript)
        return "".join(texts)

    def turns():
        with client.listen.v2.connect(
            model="flux-general-en", encoding="linear16", sample_rate="16000"
        ) as session:
            for piece in pieces():
                session.send_media(piece)
            session.send_media(bytes(32_000 * 6))
            for message in session:
                if getattr(message, "event", "") == "EndOfTurn":
                    return message.transcript

    def speak():
        sound = client.speak.v1.audio.generate(text="早晨", model="aura-2-thalia-en")
        return f"{sum(len(part) for part in sound)} bytes"

    def speak_live():
        from deepgram.speak.v1.types import SpeakV1Flush, SpeakV1Text

        total = 0
        with client.speak.v1.connect(
            model="aura-2-thalia-en", encoding="linear16", sample_rate="16000"
        ) as session:
            session.send_text(SpeakV1Text(type="Speak", text="早晨。今日好熱。"))
            session.send_flush(SpeakV1Flush(type="Flush"))
            for message in session:
                if isinstance(message, bytes):
                    total += len(message)
                elif getattr(message, "type", "") == "Flushed":
                    return f"{total} bytes"

    attempt("file", transcribe)
    attempt("live", live)
    attempt("Flux", turns)
    attempt("speech", speak)
    attempt("speech live", speak_live)
    attempt("projects", lambda: f"{len(client.manage.v1.projects.list().projects)} project")


def deepgram_captions():
    from deepgram_captions import DeepgramConverter, srt, webvtt

    with open(WAV, "rb") as sound:
        answer = deepgram_client().listen.v1.media.transcribe_file(
            request=sound.read(), model="nova-3", language="zh-HK", utterances=True, smart_format=True
        )
    converter = DeepgramConverter(json.loads(answer.json()))
    attempt("SubRip", lambda: srt(converter).replace("\n", " "))
    attempt("WebVTT", lambda: webvtt(converter).replace("\n", " "))


def deepctl():
    def run(*arguments):
        command = os.path.join(os.path.dirname(sys.executable), "deepctl")
        options = ["--base-url", URL, "--api-key", KEY, "--non-interactive"]
        environment = {**os.environ, "HOME": FOLDER, "DEEPCTL_TELEMETRY": "0", "DO_NOT_TRACK": "1"}
        done = subprocess.run(
            [command, *options, *arguments], capture_output=True, text=True, env=environment, timeout=120
        )
        if done.returncode != 0:
            raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
        return done.stdout.strip()

    def transcribe():
        answer = json.loads(run("-o", "json", "listen", WAV, "--model", "nova-3", "--language", "zh-HK"))
        return answer["results"]["channels"][0]["alternatives"][0]["transcript"]

    def speak():
        run("speak", "早晨", "-m", "aura-2-asteria-en", "-o", spoken)
        return f"{os.path.getsize(spoken)} bytes"

    spoken = os.path.join(FOLDER, "deepctl.mp3")
    attempt("file", transcribe)
    attempt("projects", lambda: run("-o", "json", "projects", "--list")[:60].replace("\n", " "))
    attempt("speech", speak)


def wyoming():
    from wyoming.asr import Transcribe, Transcript
    from wyoming.audio import AudioChunk, AudioStart, AudioStop
    from wyoming.client import AsyncTcpClient
    from wyoming.info import Describe, Info
    from wyoming.tts import Synthesize

    async def exchange(events, take):
        async with AsyncTcpClient("127.0.0.1", int(PORT)) as client:
            for event in events:
                await client.write_event(event.event())
            while True:
                event = await asyncio.wait_for(client.read_event(), 60)
                if event is None:
                    raise RuntimeError("the connection ended")
                got = take(event)
                if got is not None:
                    return got

    def transcribe():
        sound = {"rate": 16000, "width": 2, "channels": 1}
        chunks = [AudioChunk(audio=piece, **sound) for piece in pieces()]
        events = [Transcribe(language="yue"), AudioStart(**sound), *chunks, AudioStop()]
        text = lambda event: Transcript.from_event(event).text if Transcript.is_type(event.type) else None
        return asyncio.run(exchange(events, text))

    def speak():
        lengths = []

        def take(event):
            if AudioChunk.is_type(event.type):
                lengths.append(len(AudioChunk.from_event(event).audio))
            return f"{sum(lengths)} bytes" if AudioStop.is_type(event.type) else None

        return asyncio.run(exchange([Synthesize(text="早晨")], take))

    def info():
        take = lambda event: Info.from_event(event) if Info.is_type(event.type) else None
        known = asyncio.run(exchange([Describe()], take))
        return f"{len(known.asr)} recognizer, {len(known.tts[0].voices)} voices"

    attempt("info", info)
    attempt("file", transcribe)
    attempt("speech", speak)


def speechrecognition():
    import speech_recognition

    os.environ["OPENAI_API_KEY"] = KEY
    os.environ["OPENAI_BASE_URL"] = f"{URL}/v1"
    with speech_recognition.AudioFile(WAV) as source:
        recognizer = speech_recognition.Recognizer()
        sound = recognizer.record(source)
    attempt("file", lambda: recognizer.recognize_openai(sound, model="whisper-1", language="yue"))


PROGRAMS = {
    "openai": openai,
    "openai-agents": openai_agents,
    "deepgram-sdk": deepgram_sdk,
    "deepgram-captions": deepgram_captions,
    "deepctl": deepctl,
    "wyoming": wyoming,
    "SpeechRecognition": speechrecognition,
}
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
PROGRAMS[NAME]()
