import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packages } from '#packages/engines/sherpa-onnx/packages.ts';
import { shipped } from './zh-hk-shipped.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The names of what a folder ships. */
const namesIn = (folder: string) => readdirSync(join(ROOT, folder)).filter((name) => name !== 'README.md');

it('describes each shipped voice, word list and model in Chinese, and nothing else', () => {
  expect(Object.keys(shipped.voices).sort()).toEqual(namesIn('voices').sort());
  const corpora = namesIn('corpora').map((file) => file.replace(/\.tsv$/, ''));
  expect(Object.keys(shipped.corpora).sort()).toEqual(corpora.sort());
  expect(Object.keys(shipped.models).sort()).toEqual(packages.map(({ name }) => name).sort());
});

it('knows the keys that commands make by their names', () => {
  const source = readFileSync(join(ROOT, 'cli/command-key.ts'), 'utf8');
  for (const name of Object.keys(shipped.keys)) expect(source).toContain(`'${name}'`);
});
