import { expect, it } from 'vitest';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { speechOf } from '#test/speech-parts.ts';
import type { EngineCache } from './engine-cache.ts';
import { synthesizeParts } from './synthesize-parts.ts';

/** The syllables of a text of which a model gets each piece by itself. */
async function spoken(text: string, language: 'cantonese' | 'mandarin'): Promise<string> {
  const syllables: string[] = [];
  async function* synthesize({ pieces }: { pieces: readonly SpokenPiece[] }): AsyncGenerator<SynthesisEvent> {
    const words = pieces.flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.words));
    syllables.push(...words.flatMap(({ reading }) => reading));
    yield* [];
  }
  const engines = { open: () => Promise.resolve({ synthesize }) } as unknown as EngineCache;
  const speech = speechOf([], { readings: true });
  const parts = splitText(text, language);
  expect(parts.length).toBeGreaterThan(1);
  for (const [index, part] of parts.entries()) {
    const beside = { before: parts.slice(0, index), after: parts.slice(index + 1) };
    const partText = { ...speech.text, language, parts: [part], beside };
    for await (const _ of synthesizeParts({ ...speech, text: partText }, engines, new AbortController().signal));
  }
  return syllables.join(' ');
}

it('syllables that explain characters of another piece are silent', async () => {
  expect(await spoken('大家早晨呀，daai6 gaa1 zou2 san4 aa3', 'cantonese')).toBe('daai6 gaa1 zou2 san4 aa3');
  const university = '我今天要去北京大学 wǒ jīntiān yào qù Běijīng Dàxué';
  expect(await spoken(university, 'mandarin')).toBe('wo3 jin1 tian1 yao4 qu4 bei3 jing1 da4 xue2');
});
