import { randomInt } from 'node:crypto';
import type { SpeechStyle } from '@jyutsing/contracts/synthesizer';
import type { Voice } from '@jyutsing/contracts/voice';
import type { Speech } from '#features/synthesis/speech.ts';
import { numberField } from '#http/fields.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { RouteContext } from '#http/request-context.ts';
import { requireReadings } from './require-readings.ts';
import type { SpeechScript } from './speech-script.ts';

export type SpeechDeps = Pick<ServerDeps, 'config' | 'corpora' | 'models' | 'speech' | 'voices'>;

/** Shared by the routes that synthesize speech. */
export const SPEECH_AUTH = { scope: 'tts', rateLimit: 'request' } as const;
/** A client that disconnects is charged: its speech was being made. */
export const SPEECH_QUOTA = { unit: 'tts_characters', whenClientLeaves: 'settle' } as const;
export const SPEECH_ERRORS = [
  'text_not_readable',
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

/** Speech at the voice's own rate and pitch, with the default variation of the intonation. */
export const DEFAULT_STYLE: SpeechStyle = { temperature: 0.9, topP: 0.95, speed: 1, pitchSemitones: 0 };

/** The fields of a body for `samplingOf`. */
export const SAMPLING_FIELDS = {
  temperature: numberField(
    { min: 0, max: 2 },
    { default: DEFAULT_STYLE.temperature, description: 'Variation of the intonation; 0: the same each time.' },
  ),
  top_p: numberField(
    { min: 0, max: 1, aboveMin: true },
    {
      default: DEFAULT_STYLE.topP,
      description: 'Nucleus sampling: the share of the probability that may be chosen from.',
    },
  ),
};

export function samplingOf(body: {
  temperature: number | null;
  top_p: number | null;
}): Pick<SpeechStyle, 'temperature' | 'topP'> {
  return { temperature: body.temperature ?? DEFAULT_STYLE.temperature, topP: body.top_p ?? DEFAULT_STYLE.topP };
}

type SpeechInput = Pick<Speech, 'accountId' | 'text' | 'model' | 'style'> & { voice: Voice };

/** Loads the voice; throws what `VoiceLibrary.synthesisVoice` and `requireReadings` throw. */
export async function prepareSpeech(
  { voices }: Pick<SpeechDeps, 'voices'>,
  { voice, ...input }: SpeechInput,
): Promise<Speech> {
  requireReadings(input);
  const synthesisVoice = await voices.synthesisVoice(voice, input.model.capabilities.clones);
  return { ...input, voice: synthesisVoice, seed: randomInt(2 ** 31) };
}

/**
 * Reserves the cost of speech and sends it. A client that has already left is not charged; the cost
 * is given back when `send` fails.
 */
export async function chargeSpeech(
  context: Pick<RouteContext<unknown>, 'connection' | 'charge'>,
  amount: number,
  send: (chargeHeader: { 'X-Characters-Charged': number }) => Promise<void>,
): Promise<void> {
  context.connection.signal.throwIfAborted();
  await context.charge(amount, (charged) => send({ 'X-Characters-Charged': charged }));
}

/** Returns the cost of a text in quota units. */
export function costOf({ characters }: SpeechScript, kind: keyof typeof COST_PER_CHARACTER): number {
  return COST_PER_CHARACTER[kind] * characters;
}
