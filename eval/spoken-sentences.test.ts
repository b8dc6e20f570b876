import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { makeSpokenSentences, readSentences, romanizedUnits } from './spoken-sentences.ts';
import { textTokens } from './tokens.ts';

describe('own sentences', () => {
  it.each(LANGUAGES)('%s: there are sixty distinct sentences', async (language) => {
    const texts = (await readSentences(language)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(60);
  });

  it.each(['cantonese', 'mandarin'] as const)('%s: each character has one syllable', async (language) => {
    for (const { text, spoken } of await readSentences(language)) {
      expect([text, romanizedUnits(language, spoken).length]).toEqual([text, textTokens(language, text).length]);
    }
  });

  it('are synthesized in ten voices with matching units, and cached', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spoken-sentences-'));
    try {
      const sets = await makeSpokenSentences(folder, LANGUAGES, 10);
      const items = sets.flatMap((set) => set.items);
      expect(items).toHaveLength(30);
      expect(new Set(items.map(({ speaker }) => speaker)).size).toBe(10);
      for (const { path, units } of items) {
        // At least 1/30 s at 24 kHz per unit proves that the voice read the sentence.
        expect((await stat(path)).size).toBeGreaterThan(1_600 * units!.length);
      }
      const made = (await stat(items[0]!.path)).mtimeMs;
      expect(await makeSpokenSentences(folder, LANGUAGES, 10)).toEqual(sets);
      expect((await stat(items[0]!.path)).mtimeMs).toBe(made);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('English phones are those of the synthesizer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spoken-sentences-'));
    try {
      const [set] = await makeSpokenSentences(folder, ['english'], 2);
      expect(set?.items[1]).toMatchObject({
        text: 'Have you had your breakfast yet?',
        units: 'HH AE V Y UW HH AE D Y UH R B R EH K F AX S T Y EH T'.split(' '),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
