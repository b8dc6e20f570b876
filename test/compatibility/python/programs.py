"""Runs one Python client, unchanged: python programs.py NAME FOLDER URL KEY PORT.

FOLDER has sentence.wav and sentence.pcm (16 kHz, 16 bit, mono) of a Cantonese sentence; PORT is
that of Wyoming. Prints a line of JSON for each ability: {"does": ..., "got": ...}; "got" is what
the client received, or begins with "FAILED".
"""

import json
import os
import subprocess
import sys
import threading

import frameworks
import mcp_programs
import wyoming_programs
from harness import FOLDER, KEY, NAME, PCM, URL, WAV, WS, attempt, pieces


PATIENCE_SECONDS = 30


def openai():
    from openai import OpenAI

    client = OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)

    def transcribe():
        with open(WAV, "rb") as sound:
            return client.audio.transcriptions.create(
                model="whisper-1", file=sound, language="yue"
            ).text

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
            audio = {
                "input": {
                    "format": {"type": "audio/pcm", "rate": 16000},
                    "transcription": transcription,
                }
            }
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

    attempt("push to talk", live)
    attempt("file", whole)
    attempt("speech", speak)


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

    def speak_turns():
        from deepgram.speak.v2.types import SpeakV2Flush, SpeakV2Speak

        total = 0
        with client.speak.v2.connect(model="flux-alexis-en", sample_rate="16000") as session:
            session.send_speak(SpeakV2Speak(type="Speak", text="早晨。今日好熱。"))
            session.send_flush(SpeakV2Flush(type="Flush"))
            for message in session:
                if isinstance(message, bytes):
                    total += len(message)
                elif getattr(message, "type", "") == "SpeechMetadata":
                    return f"{total} bytes, {message.audio_duration_ms} ms"

    attempt("file", transcribe)
    attempt("live", live)
    attempt("Flux", turns)
    attempt("speech", speak)
    attempt("speech live", speak_live)
    attempt("speech in turns", speak_turns)
    attempt("projects", lambda: f"{len(client.manage.v1.projects.list().projects)} project")


def deepgram_sdk_4():
    from deepgram import DeepgramClient, DeepgramClientOptions, LiveOptions, PrerecordedOptions
    from deepgram import LiveTranscriptionEvents, SpeakOptions

    client = DeepgramClient(KEY, DeepgramClientOptions(api_key=KEY, url=URL))

    def transcribe():
        options = PrerecordedOptions(model="nova-2", language="zh-HK", smart_format=True)
        with open(WAV, "rb") as sound:
            answer = client.listen.rest.v("1").transcribe_file({"buffer": sound.read()}, options)
        return answer.results.channels[0].alternatives[0].transcript

    def live():
        texts = []
        ended = threading.Event()
        session = client.listen.websocket.v("1")

        def keep(_session, result, **_rest):
            if result.is_final:
                texts.append(result.channel.alternatives[0].transcript)

        session.on(LiveTranscriptionEvents.Transcript, keep)
        session.on(LiveTranscriptionEvents.Metadata, lambda *_, **__: ended.set())
        options = LiveOptions(
            model="nova-2", language="zh-HK", encoding="linear16", sample_rate=16_000
        )
        if not session.start(options):
            raise RuntimeError("no connection")
        for piece in pieces():
            session.send(piece)
        session.send(json.dumps({"type": "CloseStream"}))
        ended.wait(PATIENCE_SECONDS)
        session.finish()
        return "".join(texts)

    def speak():
        spoken = os.path.join(FOLDER, "deepgram.mp3")
        client.speak.rest.v("1").save(
            spoken, {"text": "早晨"}, SpeakOptions(model="aura-asteria-en")
        )
        return f"{os.path.getsize(spoken)} bytes"

    attempt("file", transcribe)
    attempt("live", live)
    attempt("speech", speak)


def deepgram_captions():
    from deepgram_captions import DeepgramConverter, srt, webvtt

    with open(WAV, "rb") as sound:
        answer = deepgram_client().listen.v1.media.transcribe_file(
            request=sound.read(),
            model="nova-3",
            language="zh-HK",
            utterances=True,
            smart_format=True,
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
            [command, *options, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
        )
        if done.returncode != 0:
            raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
        return done.stdout.strip()

    def transcribe():
        answer = json.loads(
            run("-o", "json", "listen", WAV, "--model", "nova-3", "--language", "zh-HK")
        )
        return answer["results"]["channels"][0]["alternatives"][0]["transcript"]

    def speak(voice):
        run("speak", "早晨", "-m", voice, "-o", spoken)
        return f"{os.path.getsize(spoken)} bytes"

    spoken = os.path.join(FOLDER, "deepctl.mp3")
    attempt("file", transcribe)
    attempt("projects", lambda: run("-o", "json", "projects", "--list")[:60].replace("\n", " "))
    attempt("speech", lambda: speak("aura-2-asteria-en"))
    attempt("speech, Flux", lambda: speak("flux-alexis-en"))


def elevenlabs():
    from elevenlabs.client import ElevenLabs

    client = ElevenLabs(api_key=KEY, base_url=URL)

    def transcribe(**options):
        with open(WAV, "rb") as sound:
            return client.speech_to_text.convert(file=sound, model_id="scribe_v2", **options)

    def subtitles():
        answer = transcribe(
            language_code="yue", diarize=True, additional_formats=[{"format": "srt"}]
        )
        return answer.additional_formats[0].content.replace("\n", " ")

    def speak(**options):
        sound = client.text_to_speech.convert(voice_id="JBFqnCBsd6RMkjVDRZzb", text="早晨", **options)
        return f"{sum(len(part) for part in sound)} bytes"

    attempt("file", lambda: transcribe().text)
    attempt("SubRip", subtitles)
    attempt("speech", speak)
    attempt("speech as samples", lambda: speak(output_format="pcm_16000"))


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
    "deepgram-sdk-4": deepgram_sdk_4,
    "deepgram-captions": deepgram_captions,
    "deepctl": deepctl,
    "elevenlabs": elevenlabs,
    "wyoming": wyoming_programs.service,
    "wyoming-openai": wyoming_programs.bridge,
    "SpeechRecognition": speechrecognition,
    "livekit-agents": frameworks.livekit_agents,
    "pipecat-ai": frameworks.pipecat,
    "litellm": frameworks.litellm,
    "langchain-community": frameworks.langchain_community,
    "mcp": mcp_programs.mcp,
    "mcp-1.9": mcp_programs.mcp_1_9,
    "fastmcp": mcp_programs.fastmcp,
    "langchain-mcp-adapters": mcp_programs.langchain_mcp_adapters,
}
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
PROGRAMS[NAME]()
