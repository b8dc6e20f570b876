import { expect, it } from 'vitest';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { AppError } from '@jyutsing/contracts/errors';
import { pieceOf, requestOf, soundOf } from '#test/synthesis-requests.ts';
import { bestCandidate } from './best-candidate.ts';
import type { EngineCache } from './engine-cache.ts';

/** Each candidate is as loud as its number, and is heard as the text of that number. */
async function choose(heardTexts: readonly (string | null)[]) {
  let made = 0;
  async function* make(): AsyncGenerator<SynthesisEvent> {
    made += 1;
    yield { type: 'audio', samples: new Float32Array(2_400).fill(made / 10) };
  }
  async function* recognize(sound: AsyncIterable<{ samples: Float32Array }>): AsyncGenerator<RecognitionEvent> {
    for await (const { samples } of sound) {
      const text = heardTexts[Math.round(10 * samples[800]!) - 1] ?? '';
      if (text !== '') yield { type: 'segment-end', segment: { text } as never, syllables: null };
    }
  }
  const select = () => {
    if (heardTexts.includes(null)) throw new AppError('engine_unavailable');
    return { ability: 'recognizer' };
  };
  const engines = {
    registry: () => Promise.resolve({ select }),
    open: () => Promise.resolve({ recognize }),
  } as unknown as EngineCache;
  const request = requestOf([pieceOf([['早晨 大家', 'exclamation']])]);
  const candidates = { count: heardTexts.length, make };
  const events = await Array.fromAsync(bestCandidate(candidates, request, engines, new AbortController().signal));
  return { made, taken: Math.round(10 * (soundOf(events)[0] ?? 0)) };
}

it.each<[string, (string | null)[], { made: number; taken: number }]>([
  ['the one that is understood best', ['早大', '早晨大家好', '大家'], { made: 3, taken: 2 }],
  ['the first of equal ones', ['早晨大', '早晨家'], { made: 2, taken: 1 }],
  ['the first that is understood completely, whatever its marks', ['', '早晨，大家。', '早'], { made: 2, taken: 2 }],
  ['the first one where nothing is heard', ['', ''], { made: 2, taken: 1 }],
  ['the first one without a recognizer', [null, null], { made: 1, taken: 1 }],
])('of several candidates %s is taken', async (_name, heardTexts, expected) => {
  expect(await choose(heardTexts)).toEqual(expected);
});
