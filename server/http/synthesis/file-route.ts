import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { countSyllables, type SpeechModel, type SpeechText, splitSpeechText } from '#features/synthesis/speech.ts';
import { MAX_TEXT_CHARACTERS } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { IGNORED_MODEL_HEADER, modelNamed } from '#http/known-model.ts';
import type { AddRoute } from '#http/route.ts';
import { FileBody, parseFileRequest, TimedFileAnswer, type FileRequest } from './file-schema.ts';
import { castScript, IGNORED_SSML_HEADER, type CastScript } from './cast-script.ts';
import { findOrSubstituteVoice, SUBSTITUTED_VOICE_HEADER, substitutedHeader } from './find-voice.ts';
import {
  CHARGE_HEADER,
  chargeSpeech,
  COST_PER_CHARACTER,
  costOf,
  prepareSpeech,
  SPEECH_AUTH,
  SPEECH_ERRORS,
  SPEECH_QUOTA,
  type SpeechDeps,
} from './speak.ts';
import { mediaHeaders, PADDING_HEADER, paddingHeader, timedFileAnswer } from './speech-audio.ts';

const DESCRIPTION = `Answers with the complete file. Costs ${COST_PER_CHARACTER.file} character of the monthly quota for each character of the trimmed
text (of \`jyutping\` alone: for each syllable), given back when the server fails. In every plan.`;

const file = { schema: z.string().meta({ format: 'binary' }) };

/** POST /api/tts: one complete file. The other paths are those of older clients. */
export function addSpeechFileRoute(addRoute: AddRoute, deps: SpeechDeps): void {
  const { speech, voices, models, config } = deps;
  addRoute({
    method: 'POST',
    paths: ['/api/tts', '/tts', '/v1/tts', '/v1/text-to-speech'],
    docs: {
      tags: ['Speech'],
      operationId: 'synthesizeSpeech',
      summary: 'Synthesize a text into a file',
      description: DESCRIPTION,
      ok: {
        description: 'The file; with `should_return_timestamp` JSON that contains it.',
        content: {
          'audio/wav': file,
          'audio/mpeg': file,
          'audio/ogg': file,
          'audio/flac': file,
          'application/json': { schema: TimedFileAnswer },
        },
      },
      errors: [...SPEECH_ERRORS, 'invalid_parameter', 'engine_unavailable', 'engine_failed'],
    },
    auth: SPEECH_AUTH,
    body: jsonBody(FileBody, {
      example: { text: '早晨，今日天氣好好。', language: 'cantonese', output_extension: 'wav' },
    }),
    quota: SPEECH_QUOTA,
    concurrent: 'speech',
    config: {
      role: 'speak',
      answerHeaders: {
        ...CHARGE_HEADER,
        ...SUBSTITUTED_VOICE_HEADER,
        ...IGNORED_MODEL_HEADER,
        ...IGNORED_SSML_HEADER,
        ...PADDING_HEADER,
      },
    },
    sends: true,
    async run(context) {
      const { caller, connection, request } = context;
      const order = await parseFileRequest(context.input);
      const { script, language, voiceId, format, sampleRateHz, enhance, durationMs } = order;
      const accountId = caller.account.id;
      const query = { accountId, sent: voiceId, language, aliases: config.voiceAliases };
      const found = await findOrSubstituteVoice(voices, query);
      const named = modelNamed(models, 'synthesizer', order.model);
      const model = speech.chooseModel(language, named.name ?? 'auto', found.voice);
      if (order.jyutping !== null && !model.capabilities.readings) throw cannotReadJyutping(model);
      const speechOrder = { ...order, accountId, voice: found.voice, model: named.name };
      const cast = await castRequest(deps, speechOrder);
      const amount = script === null ? syllablesIn(cast.text) * COST_PER_CHARACTER.file : costOf(script, 'file');
      await chargeSpeech(context, amount, async (chargeHeader) => {
        const input = { accountId, text: cast.text, model, voice: found.voice, style: order.style };
        const spoken = await prepareSpeech({ voices }, input);
        const shape = { format, sampleRateHz, enhance, durationMs };
        await using made = await speech.makeFile(spoken, shape, connection.signal);
        const substituted = substitutedHeader(found, cast.unknownVoices);
        const answerHeaders = {
          ...chargeHeader,
          ...substituted,
          ...named.headers,
          ...cast.headers,
          ...paddingHeader(made),
        };
        if (order.withTimes) {
          const headers = { 'Content-Type': 'application/json; charset=utf-8', ...answerHeaders };
          await connection.send(headers, timedFileAnswer(made, request.id));
        } else {
          const headers = { ...mediaHeaders(format), 'Content-Length': made.sizeBytes, ...answerHeaders };
          await connection.send(headers, createReadStream(made.path));
        }
      });
    },
  });
}

/** The text of a request, of its jyutping, or of both. */
async function castRequest(
  deps: Parameters<typeof castScript>[0],
  order: FileRequest & Parameters<typeof castScript>[2],
): Promise<CastScript> {
  const { script, jyutping } = order;
  if (jyutping === null && script !== null) return castScript(deps, script, order);
  const text = await splitSpeechText({ ...order, text: script?.text ?? null });
  return { text, headers: {}, unknownVoices: [] };
}

/** Throws `invalid_request` for more syllables than a text may have characters. */
function syllablesIn(text: SpeechText): number {
  const count = countSyllables(text);
  if (count <= MAX_TEXT_CHARACTERS) return count;
  throw new AppError('invalid_request', `The field "jyutping" may have at most ${MAX_TEXT_CHARACTERS} syllables.`);
}

/** Refuses jyutping for models that would spell out its letters. */
function cannotReadJyutping({ model }: SpeechModel): AppError {
  return new AppError(
    'invalid_parameter',
    `The model "${model}" does not take jyutping; name one that does in "model_id".`,
  );
}
