"""Frameworks for agents and chains, which reach the service through plugins of their own."""

import asyncio
import os

from harness import FOLDER, KEY, PIECE_SECONDS, URL, WAV, WS, attempt, pieces

LANGUAGE = "zh-HK"
RATE_HZ = 16_000
TEXT = "早晨。今日好熱。"
PATIENCE_SECONDS = 30


def livekit_agents():
    from livekit import agents, rtc
    from livekit.plugins import deepgram, openai

    frames = [rtc.AudioFrame(piece, RATE_HZ, 1, len(piece) // 2) for piece in pieces()]
    silence = [rtc.AudioFrame(bytes(3_200), RATE_HZ, 1, 1_600)] * 30
    openai_options = {"api_key": KEY, "base_url": f"{URL}/v1"}

    async def whole():
        with_files = openai.STT(
            model="whisper-1", language="yue", use_realtime=False, **openai_options
        )
        event = await with_files.recognize(frames)
        return event.alternatives[0].text

    async def stream(recognizer, end_of_turn=False):
        """The final texts of a stream at the pace of speech; until the end of a turn if asked."""
        texts = []
        live = (
            recognizer.stream(language="yue")
            if isinstance(recognizer, openai.STT)
            else recognizer.stream()
        )

        async def push():
            for frame in frames + (silence if end_of_turn else []):
                live.push_frame(frame)
                await asyncio.sleep(PIECE_SECONDS)
            live.end_input()

        pushing = asyncio.create_task(push())
        has_ended = False
        async for event in live:
            if event.type == agents.stt.SpeechEventType.FINAL_TRANSCRIPT:
                texts.append(event.alternatives[0].text)
            has_ended = has_ended or event.type == agents.stt.SpeechEventType.END_OF_SPEECH
            if end_of_turn and has_ended and texts:
                break
        pushing.cancel()
        await live.aclose()
        return "".join(texts)

    async def within_job(make):
        """What a call gets in the surroundings that the program of an agent has."""
        async with agents.utils.http_context.open():
            return await asyncio.wait_for(make(), PATIENCE_SECONDS)

    def live_openai():
        detection = {"type": "server_vad"}
        model = "gpt-4o-transcribe"
        return stream(
            openai.STT(model=model, language="yue", turn_detection=detection, **openai_options),
            True,
        )

    def deepgram_recognizer():
        return deepgram.STT(language=LANGUAGE, api_key=KEY, base_url=f"{URL}/v1/listen")

    def live_deepgram():
        return stream(deepgram_recognizer())

    def turns_deepgram():
        return stream(
            deepgram.STTv2(eager_eot_threshold=0.5, api_key=KEY, base_url=f"{WS}/v2/listen"), True
        )

    async def file_deepgram():
        return (await deepgram_recognizer().recognize(frames)).alternatives[0].text

    async def sound_of(speech):
        return f"{sum([len(event.frame.data) async for event in speech])} samples"

    def speak_openai():
        return sound_of(openai.TTS(voice="alloy", **openai_options).synthesize(TEXT))

    def speech_deepgram():
        return deepgram.TTS(api_key=KEY, base_url=f"{URL}/v1/speak")

    def speak_deepgram():
        return sound_of(speech_deepgram().synthesize(TEXT))

    def turns_speech_deepgram():
        return deepgram.TTSv2(speed=1.1, api_key=KEY, base_url=f"{URL}/v2/speak")

    def spoken_live(speech):
        live = speech.stream()
        for letter in TEXT:
            live.push_text(letter)
        live.end_input()
        return sound_of(live)

    attempt("file (openai)", lambda: within_job(whole))
    attempt("live (openai)", lambda: within_job(live_openai))
    attempt("speech (openai)", lambda: within_job(speak_openai))
    attempt("file (deepgram)", lambda: within_job(file_deepgram))
    attempt("live (deepgram)", lambda: within_job(live_deepgram))
    attempt("Flux (deepgram)", lambda: within_job(turns_deepgram))
    attempt("speech (deepgram)", lambda: within_job(speak_deepgram))
    attempt(
        "speech live (deepgram)", lambda: within_job(lambda: spoken_live(speech_deepgram()))
    )
    attempt(
        "speech in turns (deepgram)",
        lambda: within_job(lambda: spoken_live(turns_speech_deepgram())),
    )
    attempt(
        "speech, Flux (deepgram)",
        lambda: within_job(lambda: sound_of(turns_speech_deepgram().synthesize(TEXT))),
    )


def pipecat():
    from pipecat.audio.vad.silero import SileroVADAnalyzer
    from pipecat.frames import frames
    from pipecat.pipeline.worker import PipelineParams
    from pipecat.processors.audio.vad_processor import VADProcessor
    from pipecat.pipeline.pipeline import Pipeline
    from pipecat.services.deepgram.flux.stt import DeepgramFluxSTTService
    from pipecat.services.deepgram.flux.tts import DeepgramFluxTTSService
    from pipecat.services.deepgram.stt import DeepgramSTTService
    from pipecat.services.deepgram.tts import DeepgramHttpTTSService, DeepgramTTSService
    from pipecat.services.openai.stt import OpenAIRealtimeSTTService, OpenAISTTService
    from pipecat.services.openai.tts import OpenAITTSService
    from pipecat.tests.utils import SleepFrame, run_test
    from pipecat.transcriptions.language import Language

    async def run(service, sent, seconds):
        """The frames that come out of a pipeline within the seconds after what is put into it."""
        work = run_test(
            service,
            frames_to_send=[*sent, SleepFrame(seconds)],
            pipeline_params=PipelineParams(
                audio_in_sample_rate=RATE_HZ, audio_out_sample_rate=24_000
            ),
            start_timeout=PATIENCE_SECONDS,
        )
        down, up = await asyncio.wait_for(work, 2 * PATIENCE_SECONDS)
        for frame in [*down, *up]:
            if isinstance(frame, frames.ErrorFrame):
                raise RuntimeError(frame.error)
        return down

    async def listen(service, seconds=4):
        sound = []
        for piece in pieces() + [bytes(3_200)] * 20:
            sound += [frames.InputAudioRawFrame(piece, RATE_HZ, 1), SleepFrame(PIECE_SECONDS)]
        heard = await run(service, sound, seconds)
        return "".join(
            frame.text for frame in heard if isinstance(frame, frames.TranscriptionFrame)
        )

    def with_vad(service):
        return Pipeline([VADProcessor(vad_analyzer=SileroVADAnalyzer()), service])

    async def speak(service, seconds=8):
        heard = await run(service, [frames.TTSSpeakFrame(TEXT)], seconds)
        total = sum(
            len(frame.audio) for frame in heard if isinstance(frame, frames.TTSAudioRawFrame)
        )
        return f"{total} bytes"

    def openai_settings(service, model):
        return service.Settings(model=model, language=Language.YUE)

    def file_openai():
        settings = openai_settings(OpenAISTTService, "gpt-4o-transcribe")
        return listen(
            with_vad(OpenAISTTService(api_key=KEY, base_url=f"{URL}/v1", settings=settings))
        )

    def live_openai(model, **options):
        settings = openai_settings(OpenAIRealtimeSTTService, model)
        return listen(
            with_vad(
                OpenAIRealtimeSTTService(
                    api_key=KEY, base_url=f"{WS}/v1/realtime", settings=settings, **options
                )
            )
        )

    def live_deepgram():
        settings = DeepgramSTTService.Settings(language=LANGUAGE)
        return listen(with_vad(DeepgramSTTService(api_key=KEY, base_url=URL, settings=settings)))

    def turns_deepgram():
        return listen(DeepgramFluxSTTService(api_key=KEY, url=f"{WS}/v2/listen"))

    def speak_openai():
        return speak(OpenAITTSService(api_key=KEY, base_url=f"{URL}/v1"))

    def speak_live_deepgram():
        return speak(DeepgramTTSService(api_key=KEY, base_url=WS))

    def speak_turns_deepgram():
        settings = DeepgramFluxTTSService.Settings(voice="flux-alexis-en", speed=1.1)
        return speak(
            DeepgramFluxTTSService(api_key=KEY, url=f"{WS}/v2/speak", settings=settings)
        )

    async def speak_deepgram():
        import aiohttp

        async with aiohttp.ClientSession() as session:
            return await speak(
                DeepgramHttpTTSService(api_key=KEY, base_url=URL, aiohttp_session=session)
            )

    attempt("file (openai)", file_openai)
    attempt("live (openai), ends from the agent", lambda: live_openai("gpt-realtime-whisper"))
    attempt(
        "live (openai), ends from the server",
        lambda: live_openai("gpt-4o-transcribe", turn_detection={"type": "server_vad"}),
    )
    attempt("speech (openai)", speak_openai)
    attempt("live (deepgram)", live_deepgram)
    attempt("Flux (deepgram)", turns_deepgram)
    attempt("speech (deepgram)", speak_deepgram)
    attempt("speech live (deepgram)", speak_live_deepgram)
    attempt("speech in turns (deepgram)", speak_turns_deepgram)


def litellm():
    import litellm as client

    openai = {"api_key": KEY, "api_base": f"{URL}/v1"}

    def transcribe(**options):
        with open(WAV, "rb") as sound:
            return client.transcription(file=sound, **options).text

    def speak(**options):
        spoken = os.path.join(FOLDER, "litellm.mp3")
        client.speech(input=TEXT, **options).stream_to_file(spoken)
        return f"{os.path.getsize(spoken)} bytes"

    attempt("file (openai)", lambda: transcribe(model="openai/whisper-1", language="yue", **openai))
    attempt(
        "file (openai), verbose",
        lambda: transcribe(
            model="openai/whisper-1",
            language="yue",
            response_format="verbose_json",
            timestamp_granularities=["word"],
            **openai,
        ),
    )
    deepgram = {
        "model": "deepgram/nova-3",
        "api_key": KEY,
        "api_base": f"{URL}/v1",
        "language": LANGUAGE,
    }
    attempt("file (deepgram)", lambda: transcribe(**deepgram))
    attempt(
        "file (deepgram), speakers", lambda: transcribe(diarize=True, punctuate=True, **deepgram)
    )
    attempt("speech (openai)", lambda: speak(model="openai/tts-1", voice="alloy", **openai))


def langchain_community():
    from langchain_community.document_loaders.parsers.audio import OpenAIWhisperParser
    from langchain_core.documents.base import Blob

    def transcribe():
        parser = OpenAIWhisperParser(api_key=KEY, base_url=f"{URL}/v1", language="yue")
        return "".join(document.page_content for document in parser.lazy_parse(Blob.from_path(WAV)))

    attempt("file", transcribe)
