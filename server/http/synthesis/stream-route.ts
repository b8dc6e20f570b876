import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { readScript } from '#features/synthesis/read-script.ts';
import { bodyKey, headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_OR_FIELD_KEY } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { chargedForSpeech, CHARGE_HEADER, COST_PER_CHARACTER } from './charge.ts';
import { characterCount } from '#http/json-fields.ts';
import { voiceById, voiceFor } from './find-voice.ts';
import { headerSafe } from './encode-header.ts';
import { jsonBody } from '#http/json-body.ts';
import { listening, type Exchange, type OpenListener } from '#http/client-connection.ts';
import { pcm16Of } from './sound.ts';
import { SPEECH_ADMISSION, SPEECH_ERRORS } from './speech-admission.ts';
import { StreamBody, parseStreamRequest, type StreamRequest } from './stream-schema.ts';

const DESCRIPTION = `Speaks the text and sends the sound while it is made: raw signed 16-bit little-endian PCM, 24,000 Hz, mono, no
container. Nothing is sent before the first sound is there, so every refusal has its status; a failure after it cuts the connection, and
the chunked body stays without its end. Costs ${COST_PER_CHARACTER.streamed} characters of the monthly quota for each character of the trimmed text,
charged when the request is accepted and given back when the server fails. Needs a plan with streaming.`;

const HEADERS = {
  'X-Sample-Rate': { description: 'Hz.', type: 'integer', const: SYNTHESIS_SAMPLE_RATE_HZ },
  'X-Audio-Format': { description: 'Signed, 16 bit, little-endian.', type: 'string', const: 'pcm_s16le' },
  'X-Channels': { description: 'Mono.', type: 'integer', const: 1 },
  ...CHARGE_HEADER,
  'X-Model-Id-Ignored': { description: 'Only when `model_id` was sent: its value, percent-encoded.', type: 'string' },
} as const;

/** POST /api/tts-stream: sound while it is made. To be registered where bodies are read as JSON. */
export function speechStreamRoute(services: HttpServices, authenticator: Authenticator, openListener: OpenListener) {
  return async function routes(app: FastifyInstance): Promise<void> {
    app.post('/api/tts-stream', {
      schema: {
        tags: ['Speech'],
        summary: 'Speak a text, streaming',
        description: DESCRIPTION,
        security: HEADER_OR_FIELD_KEY,
        response: {
          200: {
            description: 'The sound, chunked.',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...errorResponses(...SPEECH_ERRORS),
        },
      },
      config: { bodies: { 'application/json': StreamBody }, answerHeaders: HEADERS },
      handler: (request, reply) =>
        listening({ request, reply, openListener }, (listener) =>
          stream(services, authenticator, { request, reply, listener }),
        ),
    });
  };
}

/** Refuses in the order in which callers can do something about it, and takes the quota last. */
async function stream(
  services: HttpServices,
  authenticator: Authenticator,
  { request, reply, listener }: Exchange,
): Promise<void> {
  const key = bodyKey(request) ?? headerKey(request);
  const caller = await authenticator.admit(key, SPEECH_ADMISSION, request, reply);
  if (!caller.plan.streamingTts) {
    throw new AppError('plan_required', 'Streaming speech needs a paid plan; POST /api/tts is in every plan.');
  }
  const ask = parseStreamRequest(jsonBody(StreamBody, request));
  const voice = await voiceById(services.voices, caller.account.id, ask.voiceId);
  const script = readScript({ text: ask.text, jyutping: null, language: ask.language, fromSimplified: false });
  const amount = COST_PER_CHARACTER.streamed * characterCount(ask.text);
  listener.signal.throwIfAborted();
  await chargedForSpeech(services, { caller, amount, listener }, async () => {
    const { speech, voices } = services;
    const speaker = chooseSpeaker(services, ask);
    const { temperature, topP } = ask;
    const spoken = {
      script,
      speaker,
      voice: await voiceFor(speaker, voices, voice),
      temperature,
      topP,
      speed: 1,
      pitchSemitones: 0,
      seed: randomInt(2 ** 31),
    };
    await listener.send(soundHeaders(amount, ask), pcm16Of(speech.stream(spoken, listener.signal)));
  });
}

/** A server on which nobody can speak the language is to this caller one whose model is not reached. */
function chooseSpeaker({ speech }: HttpServices, { language }: StreamRequest) {
  try {
    return speech.chooseSpeaker(language, 'auto');
  } catch (cause) {
    throw new AppError('upstream_unavailable', undefined, { cause });
  }
}

function soundHeaders(amount: number, { modelId }: StreamRequest) {
  return {
    'Content-Type': 'application/octet-stream',
    'X-Sample-Rate': SYNTHESIS_SAMPLE_RATE_HZ,
    'X-Audio-Format': 'pcm_s16le',
    'X-Channels': 1,
    'X-Characters-Charged': amount,
    ...(modelId === undefined ? {} : { 'X-Model-Id-Ignored': headerSafe(modelId) }),
  };
}
