import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { ModelCatalog } from '@jyutsing/contracts/model-catalog';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { followInstructions } from '#features/synthesis/read-instructions.ts';
import { jsonBody } from '#http/json-body.ts';
import { IGNORED_MODEL_HEADER, modelNamed } from '#http/known-model.ts';
import { replyWithRetryHeader } from '#http/retry-header.ts';
import type { RouteContext } from '#http/request-context.ts';
import type { AddRoute } from '#http/route.ts';
import { EVENT_STREAM_TYPE, writeEvent } from '#http/server-sent-events.ts';
import {
  CHARGE_HEADER,
  chargeSpeech,
  COST_PER_CHARACTER,
  costOf,
  prepareSpeech,
  DEFAULT_STYLE,
  SPEECH_AUTH,
  SPEECH_ERRORS,
  SPEECH_QUOTA,
  type SpeechDeps,
} from '#http/synthesis/speak.ts';
import { canStream } from '#http/synthesis/can-stream.ts';
import { castScript, IGNORED_SSML_HEADER } from '#http/synthesis/cast-script.ts';
import { SUBSTITUTED_VOICE_HEADER, substitutedHeader, type FoundVoice } from '#http/synthesis/find-voice.ts';
import { rawSoundHeaders, rawSoundOf, type RawSound } from '#http/synthesis/raw-sound.ts';
import { encodedAudioOf, mediaHeaders, pcm16Of } from '#http/synthesis/speech-audio.ts';
import { readSpeechScript } from '#http/synthesis/speech-script.ts';
import { voiceNamed } from './openai-voices.ts';
import { parseSpeechRequest, SpeechBody } from './schema.ts';

const DESCRIPTION = `The request and the answers of OpenAI's endpoint, for its client libraries; the audio is sent while it is synthesized if
the plan has streaming, otherwise as one complete answer with its \`Content-Length\`. Costs ${COST_PER_CHARACTER.file} character of the monthly quota
for each character, in every plan. \`stream_format: "sse"\` answers with the events
\`speech.audio.delta\` and \`speech.audio.done\`.`;

const file = { schema: z.string().meta({ format: 'binary' }) };

/** POST /v1/audio/speech: OpenAI's endpoint for synthesis. */
export function addOpenaiSpeechRoute(addRoute: AddRoute, deps: SpeechDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/audio/speech'],
    docs: {
      tags: ['Speech', 'OpenAI-compatible'],
      operationId: 'createOpenAiSpeech',
      summary: 'Synthesize a text',
      description: DESCRIPTION,
      ok: {
        description: 'The audio, in the format of `response_format` and `stream_format`.',
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
      errors: [...SPEECH_ERRORS, 'invalid_parameter', 'engine_unavailable', 'engine_failed'],
    },
    auth: SPEECH_AUTH,
    body: jsonBody(SpeechBody, {
      example: { model: 'auto', voice: 'alloy', input: '早晨，今日天氣好好。', response_format: 'mp3' },
    }),
    quota: SPEECH_QUOTA,
    concurrent: 'speech',
    config: {
      role: 'speak',
      answerHeaders: { ...CHARGE_HEADER, ...SUBSTITUTED_VOICE_HEADER, ...IGNORED_MODEL_HEADER, ...IGNORED_SSML_HEADER },
    },
    options: { errorHandler: replyWithRetryHeader },
    sends: true,
    run: (context) => speakRequest(context, context.input, deps),
  });
}

/**
 * Speaks the request of a client, and sends the sound while it is made where the plan allows; with
 * `raw` as samples in place of a file of `response_format`.
 */
export async function speakRequest(
  context: RouteContext<unknown>,
  input: z.output<typeof SpeechBody>,
  deps: SpeechDeps,
  raw: RawSound | null = null,
): Promise<void> {
  const { caller, connection } = context;
  const { speech, voices, models, config } = deps;
  const script = await readSpeechScript(input.input, 'input');
  const order = parseSpeechRequest(input, script);
  const { language, format } = order;
  const accountId = caller.account.id;
  const query = { accountId, sent: order.voice, language, aliases: config.voiceAliases };
  const found = await voiceNamed(voices, query);
  const named = modelNamed(catalogFor(found, models), 'synthesizer', order.model);
  const model = speech.chooseModel(language, named.name ?? 'auto', found.voice);
  const style = followInstructions({ ...DEFAULT_STYLE, speed: order.speed }, input.instructions, model);
  const { corpus_ids: corpusIds } = input;
  const speechOrder = { accountId, language, voice: found.voice, model: named.name, corpusIds };
  const cast = await castScript(deps, script, speechOrder);
  const amount = costOf(script, 'file');
  await chargeSpeech(context, amount, async (chargeHeader) => {
    const speechInput = { accountId, text: cast.text, model, voice: found.voice, style };
    const spoken = await prepareSpeech({ voices }, speechInput);
    const type = order.asEvents
      ? { 'Content-Type': `${EVENT_STREAM_TYPE}; charset=utf-8`, 'Cache-Control': 'no-cache' }
      : raw === null
        ? mediaHeaders(format)
        : rawSoundHeaders(raw);
    const substituted = substitutedHeader(found, cast.unknownVoices);
    const headers = { ...type, ...chargeHeader, ...substituted, ...named.headers, ...cast.headers };
    const bodyOf = (audio: AsyncIterable<Uint8Array>) => (order.asEvents ? asEvents(audio, amount) : audio);
    if (caller.plan.streamingTts && canStream(spoken)) {
      const events = speech.stream(spoken, connection.signal);
      const audio = raw === null ? encodedAudioOf(events, format) : rawSoundOf(pcm16Of(events), raw);
      return connection.send(headers, bodyOf(audio));
    }
    const shape = { format, sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, enhance: false, durationMs: null };
    await using made = await speech.makeFile(spoken, shape, connection.signal);
    if (raw !== null) return connection.send(headers, rawSoundOf(createReadStream(made.path), raw));
    const length = order.asEvents ? {} : { 'Content-Length': made.sizeBytes };
    await connection.send({ ...headers, ...length }, bodyOf(createReadStream(made.path)));
  });
}

/**
 * The models that a request may name. Beside a voice of another service stands the model of that
 * service, which may have the name of one that is not installed here.
 */
function catalogFor({ headers }: FoundVoice, models: SpeechDeps['models']): Pick<ModelCatalog, 'describeModels'> {
  if (headers['X-Voice-Id-Substituted'] === undefined) return models;
  return { describeModels: () => models.describeModels().filter(({ available }) => available) };
}

/**
 * OpenAI's events (https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event),
 * with characters in place of tokens.
 */
async function* asEvents(audio: AsyncIterable<Uint8Array>, characters: number): AsyncGenerator<string> {
  for await (const bytes of audio) {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    yield writeEvent({ data: { type: 'speech.audio.delta', audio: base64 } });
  }
  const usage = { input_tokens: characters, output_tokens: 0, total_tokens: characters };
  yield writeEvent({ data: { type: 'speech.audio.done', usage } });
}
