import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { countSyllables, readScript } from '#features/synthesis/read-script.ts';
import type { Script, Speaker } from '#features/synthesis/stages.ts';
import { bodyKey, headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_OR_FIELD_KEY } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { chargedForSpeech, CHARGE_HEADER, COST_PER_CHARACTER } from './charge.ts';
import { characterCount, MAX_TEXT_CHARACTERS } from '#http/json-fields.ts';
import { FileBody, TimedFileAnswer, viewFileAsk } from './file-schema.ts';
import { defaultVoice, voiceById, voiceFor } from './find-voice.ts';
import { jsonBody } from '#http/json-body.ts';
import { listening, type Exchange, type OpenListener } from '#http/client-connection.ts';
import { mediaHeaders } from './sound.ts';
import { SPEECH_ADMISSION, SPEECH_ERRORS } from './speech-admission.ts';
import { DEFAULT_SAMPLING } from './stream-schema.ts';
import { timedFileAnswer } from './timed-file.ts';

const DESCRIPTION = `Speaks the text and answers with the whole file. Costs ${COST_PER_CHARACTER.file} character of the monthly quota for
each character of the trimmed text (of \`jyutping\` alone: for each syllable), given back when the server fails. In every plan.`;

const file = { schema: z.string().meta({ format: 'binary' }) };

/** POST /api/tts: one complete file. To be registered where bodies are read as JSON. */
export function speechFileRoute(services: HttpServices, authenticator: Authenticator, openListener: OpenListener) {
  return async function routes(app: FastifyInstance): Promise<void> {
    app.post('/api/tts', {
      schema: {
        tags: ['Speech'],
        summary: 'Speak a text into a file',
        description: DESCRIPTION,
        security: HEADER_OR_FIELD_KEY,
        response: {
          200: {
            description: 'The file; with `should_return_timestamp` JSON that holds it.',
            content: {
              'audio/wav': file,
              'audio/mpeg': file,
              'audio/ogg': file,
              'audio/flac': file,
              'application/json': { schema: TimedFileAnswer },
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
      config: { bodies: { 'application/json': FileBody }, answerHeaders: CHARGE_HEADER },
      handler: (request, reply) =>
        listening({ request, reply, openListener }, (listener) =>
          speakIntoFile(services, authenticator, { request, reply, listener }),
        ),
    });
  };
}

async function speakIntoFile(
  services: HttpServices,
  authenticator: Authenticator,
  { request, reply, listener }: Exchange,
): Promise<void> {
  const key = bodyKey(request) ?? headerKey(request);
  const caller = await authenticator.admit(key, SPEECH_ADMISSION, request, reply);
  const { speech, voices } = services;
  const ask = viewFileAsk(jsonBody(FileBody, request));
  const { text, language, format } = ask;
  const voice =
    ask.voiceId === null
      ? await defaultVoice(voices, caller.account.id, language)
      : await voiceById(voices, caller.account.id, ask.voiceId);
  const speaker = speech.chooseSpeaker(language, ask.model);
  if (ask.jyutping !== null && !speaker.capabilities.readings) throw cannotReadJyutping(speaker);
  const script = readScript(ask);
  const amount = COST_PER_CHARACTER.file * (text === null ? syllablesIn(script) : characterCount(text));
  listener.signal.throwIfAborted();
  await chargedForSpeech(services, { caller, amount, listener }, async () => {
    const { speed, pitchSemitones, sampleRateHz, enhance, durationMs } = ask;
    const sampling = { ...DEFAULT_SAMPLING, seed: randomInt(2 ** 31) };
    const spoken = {
      script,
      speaker,
      voice: await voiceFor(speaker, voices, voice),
      ...sampling,
      speed,
      pitchSemitones,
    };
    await using made = await speech.makeFile(spoken, { format, sampleRateHz, enhance, durationMs }, listener.signal);
    const charge = { 'X-Characters-Charged': amount };
    if (ask.withTimes) {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', ...charge };
      await listener.send(headers, timedFileAnswer(made, request.id));
    } else {
      const headers = { ...mediaHeaders(format), 'Content-Length': made.sizeBytes, ...charge };
      await listener.send(headers, createReadStream(made.path));
    }
  });
}

/** Throws `invalid_request` for more than a text could have. */
function syllablesIn(script: Script): number {
  const count = countSyllables(script);
  if (count <= MAX_TEXT_CHARACTERS) return count;
  throw new AppError('invalid_request', `The field "jyutping" may have at most ${MAX_TEXT_CHARACTERS} syllables.`);
}

/** It would read out the letters. */
function cannotReadJyutping({ model }: Speaker): AppError {
  return new AppError(
    'invalid_parameter',
    `The model "${model}" does not take jyutping; name one that does in "model_id".`,
  );
}
