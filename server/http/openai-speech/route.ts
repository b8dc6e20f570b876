import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { SPEED_BOUNDS } from '#features/synthesis/make-speech-file.ts';
import { readScript } from '#features/synthesis/read-script.ts';
import type { Speech } from '#features/synthesis/stages.ts';
import { bodyKey, headerKey, type Authenticator } from '#http/authentication.ts';
import { replyWithAdvice } from '#http/retry-header.ts';
import { errorResponses, HEADER_OR_FIELD_KEY } from '#http/openapi.ts';
import { EVENT_STREAM_TYPE, writeEvent } from '#http/server-sent-events.ts';
import type { HttpServices } from '#http/services.ts';
import { chargedForSpeech, CHARGE_HEADER, COST_PER_CHARACTER } from '#http/synthesis/charge.ts';
import { characterCount } from '#http/json-fields.ts';
import { voiceFor } from '#http/synthesis/find-voice.ts';
import { jsonBody } from '#http/json-body.ts';
import { listening, type Exchange, type OpenListener } from '#http/client-connection.ts';
import { mediaHeaders } from '#http/synthesis/sound.ts';
import { SPEECH_ADMISSION, SPEECH_ERRORS } from '#http/synthesis/speech-admission.ts';
import { DEFAULT_SAMPLING } from '#http/synthesis/stream-schema.ts';
import { voiceNamed } from './openai-voices.ts';
import { SpeechBody, viewSpeechAsk, type SpeechAsk } from './schema.ts';
import { streamedSound } from './streamed-sound.ts';

const DESCRIPTION = `The request and the answers of OpenAI's endpoint, for its client libraries; the sound is sent while it is made. Costs
${COST_PER_CHARACTER.file} character of the monthly quota for each character, in every plan. \`stream_format: "sse"\` answers with the events
\`speech.audio.delta\` and \`speech.audio.done\`.`;

const file = { schema: z.string().meta({ format: 'binary' }) };

/** OpenAI's speech endpoint on our own road of a request. To be registered where bodies are read as JSON. */
export function openaiSpeechRoute(services: HttpServices, authenticator: Authenticator, openListener: OpenListener) {
  return async function routes(app: FastifyInstance): Promise<void> {
    app.post('/v1/audio/speech', {
      schema: {
        tags: ['Speech', 'OpenAI-compatible'],
        summary: 'Speak a text',
        description: DESCRIPTION,
        security: HEADER_OR_FIELD_KEY,
        response: {
          200: {
            description: 'The sound, in the form that `response_format` and `stream_format` ask for.',
            content: {
              'audio/mpeg': file,
              'audio/ogg': file,
              'audio/aac': file,
              'audio/flac': file,
              'audio/wav': file,
              'audio/pcm': file,
              [EVENT_STREAM_TYPE]: { schema: z.string() },
            },
          },
          ...errorResponses(
            ...SPEECH_ERRORS,
            'model_not_found',
            'invalid_parameter',
            'engine_unavailable',
            'engine_failed',
          ),
        },
      },
      config: { bodies: { 'application/json': SpeechBody }, answerHeaders: CHARGE_HEADER },
      errorHandler: replyWithAdvice,
      handler: (request, reply) =>
        listening({ request, reply, openListener }, (listener) =>
          speak(services, authenticator, { request, reply, listener }),
        ),
    });
  };
}

async function speak(
  services: HttpServices,
  authenticator: Authenticator,
  { request, reply, listener }: Exchange,
): Promise<void> {
  const key = bodyKey(request) ?? headerKey(request);
  const caller = await authenticator.admit(key, SPEECH_ADMISSION, request, reply);
  const { speech, voices } = services;
  const ask = viewSpeechAsk(jsonBody(SpeechBody, request), services.models());
  const { text, language, format } = ask;
  const voice = await voiceNamed(voices, caller.account.id, ask.voice, language);
  const speaker = speech.chooseSpeaker(language, ask.model);
  const script = readScript({ text, jyutping: null, language, fromSimplified: false });
  const amount = COST_PER_CHARACTER.file * characterCount(text);
  listener.signal.throwIfAborted();
  await chargedForSpeech(services, { caller, amount, listener }, async () => {
    const spoken: Speech = {
      script,
      speaker,
      voice: await voiceFor(speaker, voices, voice),
      ...DEFAULT_SAMPLING,
      speed: ask.speed,
      pitchSemitones: 0,
      seed: randomInt(2 ** 31),
    };
    const sound = soundFor(ask, spoken, services, listener.signal);
    const charge = { 'X-Characters-Charged': amount };
    if (ask.asEvents) {
      const headers = { 'Content-Type': `${EVENT_STREAM_TYPE}; charset=utf-8`, 'Cache-Control': 'no-cache', ...charge };
      await listener.send(headers, asEvents(sound, amount));
    } else await listener.send({ ...mediaHeaders(format), ...charge }, sound);
  });
}

/** While it is made, unless the speed has to be changed after that. */
function soundFor(
  ask: SpeechAsk,
  spoken: Speech,
  { speech }: Pick<HttpServices, 'speech'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { min, max } = SPEED_BOUNDS;
  const isSpeedBySpeaker = spoken.speaker.capabilities.adjusts.speed && spoken.speed >= min && spoken.speed <= max;
  if (spoken.speed === 1 || isSpeedBySpeaker) return streamedSound(speech.stream(spoken, signal), ask.format);
  return soundOfFile(ask, spoken, { speech }, signal);
}

async function* soundOfFile(
  { format }: SpeechAsk,
  spoken: Speech,
  { speech }: Pick<HttpServices, 'speech'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const shape = { format, sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, enhance: false, durationMs: null };
  await using file = await speech.makeFile(spoken, shape, signal);
  yield* createReadStream(file.path) as AsyncIterable<Buffer>;
}

/** OpenAI's events (https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event); characters stand for tokens. */
async function* asEvents(sound: AsyncIterable<Uint8Array>, characters: number): AsyncGenerator<string> {
  for await (const bytes of sound) {
    const audio = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    yield writeEvent({ data: { type: 'speech.audio.delta', audio } });
  }
  const usage = { input_tokens: characters, output_tokens: 0, total_tokens: characters };
  yield writeEvent({ data: { type: 'speech.audio.done', usage } });
}
