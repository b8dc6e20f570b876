import { randomInt } from 'node:crypto';
import type { Voice } from '@jyutsing/contracts/voice';
import type { Speech, SpeechModel, SpeechText } from '#features/synthesis/speech.ts';
import { characterCount, numberField } from '#http/fields.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { RouteContext } from '#http/route.ts';

export type SpeechDeps = Pick<ServerDeps, 'config' | 'models' | 'speech' | 'voices'>;

/** Shared by the routes that synthesize speech. */
export const SPEECH_AUTH = { scope: 'tts', rateLimit: 'request' } as const;
/** A client that disconnects is charged: its speech was being made. */
export const SPEECH_QUOTA = { unit: 'tts_characters', whenClientLeaves: 'settle' } as const;
export const SPEECH_ERRORS = [
  'voice_not_found',
  'unsuitable_sample',
  'payload_too_large',
  'unsupported_media_type',
  'quota_exceeded',
  'upstream_unavailable',
  'timed_out',
] as const;

/** Characters of the monthly quota for each character of the text. */
export const COST_PER_CHARACTER = { streamed: 4, file: 1 } as const;

/** Sent with every answer that was charged; for the documentation. */
export const CHARGE_HEADER = {
  'X-Characters-Charged': { description: 'Characters taken from the monthly quota.', type: 'integer' },
} as const;

/** Variation of the intonation, and the share of the probability that may be chosen from. */
export const DEFAULT_SAMPLING = { temperature: 0.9, topP: 0.95 } as const;

/** The fields of a body for `samplingFrom`. */
export const SAMPLING_FIELDS = {
  temperature: numberField(
    { min: 0, max: 2 },
    { default: DEFAULT_SAMPLING.temperature, description: 'Variation of the intonation; 0: the same each time.' },
  ),
  top_p: numberField(
    { min: 0, max: 1, aboveMin: true },
    {
      default: DEFAULT_SAMPLING.topP,
      description: 'Nucleus sampling: the share of the probability that may be chosen from.',
    },
  ),
};

export function samplingFrom(body: { temperature: number | null; top_p: number | null }): Sampling {
  return { temperature: body.temperature ?? DEFAULT_SAMPLING.temperature, topP: body.top_p ?? DEFAULT_SAMPLING.topP };
}
export type Sampling = Pick<Speech, 'temperature' | 'topP'>;

type SpeechOrder = {
  text: SpeechText;
  voice: Voice;
  /** Characters of the quota. */
  amount: number;
  style: Omit<Speech, 'accountId' | 'text' | 'model' | 'voice' | 'seed'>;
  /** Called after the quota was reserved. */
  chooseModel(): SpeechModel;
  /** Synthesizes the speech and sends the answer. */
  send(speech: Speech, chargeHeader: { 'X-Characters-Charged': number }): Promise<void>;
};

/** Synthesizes one request and charges it; the routes differ in request and answer. */
export async function speak(
  { voices }: Pick<SpeechDeps, 'voices'>,
  context: RouteContext<unknown>,
  { text, voice, amount, style, chooseModel, send }: SpeechOrder,
): Promise<void> {
  context.connection.signal.throwIfAborted();
  await context.charge(amount, async (charged) => {
    const model = chooseModel();
    const synthesisVoice = await voices.synthesisVoice(voice, model.capabilities.clones);
    const accountId = context.caller.account.id;
    const speech = { ...style, accountId, text, model, voice: synthesisVoice, seed: randomInt(2 ** 31) };
    await send(speech, { 'X-Characters-Charged': charged });
  });
}

/** Cost of a text in quota units. */
export function costOf(text: string, kind: keyof typeof COST_PER_CHARACTER): number {
  return COST_PER_CHARACTER[kind] * characterCount(text);
}
