import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ABILITIES } from '@jyutsing/contracts/abilities';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { settings as english } from './en-settings.ts';
import { settings as chinese } from './zh-hk-settings.ts';
import { shipped } from './zh-hk-shipped.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The names of what a folder ships. */
const namesIn = (folder: string) => readdirSync(join(ROOT, folder)).filter((name) => name !== 'README.md');

it('describes each shipped voice, word list and model in Chinese, and nothing else', async () => {
  const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
  const { packages } = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
  expect(Object.keys(shipped.voices).sort()).toEqual(namesIn('voices').sort());
  const corpora = namesIn('corpora').map((file) => file.replace(/\.tsv$/, ''));
  expect(Object.keys(shipped.corpora).sort()).toEqual(corpora.sort());
  expect(Object.keys(shipped.models).sort()).toEqual(packages.map(({ name }) => name).sort());
});

it('names every ability in both languages', () => {
  for (const { abilities } of [english, chinese]) expect(Object.keys(abilities).sort()).toEqual([...ABILITIES].sort());
});

it('knows the keys that commands make by their names', () => {
  const source = readFileSync(join(ROOT, 'cli/command-key.ts'), 'utf8');
  for (const name of Object.keys(shipped.keys)) expect(source).toContain(`'${name}'`);
});
