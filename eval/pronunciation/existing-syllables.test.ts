import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findExistingSyllables } from './existing-syllables.ts';

it('a syllable exists when a lexicon or a dictionary lists it in any spelling', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'existing-'));
  await mkdir(join(folder, 'text'));
  await writeFile(join(folder, 'text/rime-lexicon.tsv'), '吖\ta1\t3%\n粵語\tjyut6 jyu5\n怪\tkwek6\n');
  const { syllables, summary } = await findExistingSyllables('cantonese', [folder]);
  await rm(folder, { recursive: true });
  for (const syllable of ['aa1', 'jyut6', 'jyu5', 'kwek6', 'gwong2', 'ng5']) expect(syllables).toContain(syllable);
  for (const syllable of ['a1', 'fyu1', 'mm1']) expect(syllables).not.toContain(syllable);
  expect(summary).toMatch(/^4 syllables exist by rime-cantonese and \d{4} more/);
});

it('Mandarin has about 1,300 syllables, none with the neutral tone', async () => {
  const { syllables } = await findExistingSyllables('mandarin', []);
  expect(syllables.size).toBeGreaterThan(1_200);
  expect(syllables.size).toBeLessThan(1_400);
  for (const syllable of ['zhong1', 'nv3', 'yuan2', 'er4']) expect(syllables).toContain(syllable);
  expect([...syllables].some((syllable) => syllable.endsWith('5'))).toBe(false);
});
