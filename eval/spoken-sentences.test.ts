import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { makeSpokenSentences, readSentences, romanisedUnits } from './spoken-sentences.ts';
import { textTokens } from './tokens.ts';

describe('the sentences that every clone has', () => {
  it.each(LANGUAGES)('%s: there are sixty, no two alike', async (language) => {
    const texts = (await readSentences(language)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(60);
  });

  it.each(['cantonese', 'mandarin'] as const)('%s: every character has a syllable', async (language) => {
    for (const { text, spoken } of await readSentences(language)) {
      expect([text, romanisedUnits(language, spoken).length]).toEqual([text, textTokens(language, text).length]);
    }
  });

  it('are spoken in ten voices, with the units that were spoken, and kept for the next time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spoken-sentences-'));
    try {
      const sets = await makeSpokenSentences(folder, LANGUAGES, 10);
      const items = sets.flatMap((set) => set.items);
      expect(items).toHaveLength(30);
      expect(new Set(items.map(({ speaker }) => speaker)).size).toBe(10);
      for (const { path, units } of items) {
        // At least a thirtieth of a second of 24 kHz for each unit: the voice did read it.
        expect((await stat(path)).size).toBeGreaterThan(1_600 * units!.length);
      }
      const made = (await stat(items[0]!.path)).mtimeMs;
      expect(await makeSpokenSentences(folder, LANGUAGES, 10)).toEqual(sets);
      expect((await stat(items[0]!.path)).mtimeMs).toBe(made);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('English phones are those that the synthesiser made', async () => {
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
