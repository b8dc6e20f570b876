import type { Caller } from '#http/authentication.ts';
import { charged } from '#http/charge.ts';
import type { HttpServices } from '#http/services.ts';
import type { Listener } from '#http/client-connection.ts';

/** What one character costs of the monthly quota. */
export const COST_PER_CHARACTER = { streamed: 4, file: 1 } as const;

/** Of every answer that was charged, for the documentation. */
export const CHARGE_HEADER = {
  'X-Characters-Charged': { description: 'Characters taken from the monthly quota.', type: 'integer' },
} as const;

type SpeechCharge = { caller: Caller; amount: number; listener: Pick<Listener, 'hasLeft'> };

/** See `charged`. Who hangs up in the midst of the speech has heard what was spoken until then, and pays for all that was ordered. */
export function chargedForSpeech<Result>(
  services: Pick<HttpServices, 'store' | 'logger'>,
  { caller, amount, listener }: SpeechCharge,
  work: () => Promise<Result>,
): Promise<Result> {
  const hasLeft = () => listener.hasLeft();
  return charged(services, { caller, unit: 'tts_characters', amount, hasLeft, whenLeft: 'settle' }, work);
}
