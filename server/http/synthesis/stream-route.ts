import { z } from 'zod';
import type { Plan } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Voice } from '@jyutsing/contracts/voice';
import type { SpeechModel } from '#features/synthesis/speech.ts';
import { jsonBody } from '#http/json-body.ts';
import type { AddRoute } from '#http/route.ts';
import { encodeHeader } from '#http/encode-header.ts';
import { castScript, IGNORED_SSML_HEADER } from './cast-script.ts';
import { findVoice, SUBSTITUTED_VOICE_HEADER, substitutedHeader } from './find-voice.ts';
import {
  CHARGE_HEADER,
  chargeSpeech,
  COST_PER_CHARACTER,
  costOf,
  prepareSpeech,
  DEFAULT_STYLE,
  samplingOf,
  SPEECH_AUTH,
  SPEECH_ERRORS,
  SPEECH_QUOTA,
  type SpeechDeps,
} from './speak.ts';
import { pcm16Of } from './speech-audio.ts';
import { readSpeechScript } from './speech-script.ts';
import { StreamBody } from './stream-schema.ts';

const DESCRIPTION = `Sends the speech while it is synthesized: raw signed 16-bit little-endian PCM, 24,000 Hz, mono, no container.
Nothing is sent before the first audio is ready, so every refusal has its own status. A later failure closes the connection without the
end of the chunked body. Costs ${COST_PER_CHARACTER.streamed} characters of the monthly quota for each character of the trimmed text, charged when the
request is accepted and given back when the server fails. Needs a plan with streaming.`;

const HEADERS = {
  'X-Sample-Rate': { description: 'Hz.', type: 'integer', const: SYNTHESIS_SAMPLE_RATE_HZ },
  'X-Audio-Format': { description: 'Signed, 16 bit, little-endian.', type: 'string', const: 'pcm_s16le' },
  'X-Channels': { description: 'Mono.', type: 'integer', const: 1 },
  ...CHARGE_HEADER,
  'X-Model-Id-Ignored': { description: 'Only when `model_id` was sent: its value, percent-encoded.', type: 'string' },
  'X-Voice-Id-Substituted': {
    ...SUBSTITUTED_VOICE_HEADER['X-Voice-Id-Substituted'],
    description: 'Only for SSML: the names of unknown voices, for which the voice of the request spoke, after commas.',
  },
  ...IGNORED_SSML_HEADER,
} as const;

/** POST /api/tts-stream: audio while it is synthesized. */
export function addSpeechStreamRoute(addRoute: AddRoute, deps: SpeechDeps): void {
  const { speech, voices, config } = deps;
  addRoute({
    method: 'POST',
    paths: ['/api/tts-stream'],
    docs: {
      tags: ['Speech'],
      operationId: 'streamSpeech',
      summary: 'Synthesize a text, streaming',
      description: DESCRIPTION,
      ok: {
        description: 'The audio, chunked.',
        content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
      },
      errors: [...SPEECH_ERRORS, 'invalid_parameter'],
    },
    auth: { ...SPEECH_AUTH, checkPlan: requireStreaming },
    body: jsonBody(StreamBody, { example: { text: '早晨，今日天氣好好。', voice_id: 'jasmine', language: 'Chinese' } }),
    quota: SPEECH_QUOTA,
    concurrent: 'speech',
    config: { role: 'speak', answerHeaders: HEADERS },
    sends: true,
    async run(context) {
      const { caller, connection, input } = context;
      const { voice_id: voiceId, model_id: modelId, corpus_ids: corpusIds } = input;
      const script = await readSpeechScript(input.text, 'text');
      const language = input.language ?? input.lang ?? script.document?.language ?? 'cantonese';
      const accountId = caller.account.id;
      const voice = await findVoice(voices, { accountId, sent: voiceId, language, aliases: config.voiceAliases });
      const cast = await castScript(deps, script, { accountId, language, voice, model: null, corpusIds });
      const style = { ...DEFAULT_STYLE, ...samplingOf(input) };
      await chargeSpeech(context, costOf(script, 'streamed'), async (chargeHeader) => {
        const model = chooseModel(speech, language, voice);
        const spoken = await prepareSpeech({ voices }, { accountId, text: cast.text, model, voice, style });
        const headers = {
          'Content-Type': 'application/octet-stream',
          'X-Sample-Rate': SYNTHESIS_SAMPLE_RATE_HZ,
          'X-Audio-Format': 'pcm_s16le',
          'X-Channels': 1,
          ...chargeHeader,
          ...substitutedHeader({ headers: {} }, cast.unknownVoices),
          ...cast.headers,
          ...(modelId === undefined || modelId === null ? {} : { 'X-Model-Id-Ignored': encodeHeader(modelId) }),
        };
        await connection.send(headers, pcm16Of(speech.stream(spoken, connection.signal)));
      });
    },
  });
}

/** This interface has no model to name, so a missing model is a failure of the server. */
function chooseModel(speech: SpeechDeps['speech'], language: Language, voice: Voice): SpeechModel {
  try {
    return speech.chooseModel(language, 'auto', voice);
  } catch (cause) {
    throw new AppError('upstream_unavailable', undefined, { cause });
  }
}

function requireStreaming({ streamingTts }: Plan): void {
  if (streamingTts) return;
  throw new AppError(
    'plan_required',
    'The plan of this account has no streaming speech; POST /api/tts is in every plan.',
  );
}
