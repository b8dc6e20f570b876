import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plansWith } from '#server/features/accounts/plans.ts';
import { VARIABLES } from '#server/config/variables.ts';
import { configurationPage } from '../../scripts/configuration-page.ts';
import { readSourceFiles, ROOT } from '../../scripts/source-files.ts';

const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

it('docs/configuration.md is what `npm run docs` writes', () => {
  expect(page).toBe(configurationPage());
});

it('every variable states what it must be and what it means', () => {
  const silent = Object.entries(VARIABLES).filter(([, schema]) => {
    const { type, description } = schema.meta() ?? {};
    return typeof type !== 'string' || description === undefined;
  });
  expect(silent.map(([name]) => name)).toEqual([]);
});

it('no other file of the product reads a variable with a prefix of ours', () => {
  const FAMILY = /\b(?:STT|TTS|LLM|YOUTUBE|MODELS|S3|WEBHOOKS)_[A-Z][A-Z_]+\b/g;
  const product = readSourceFiles().filter(({ path }) => /^(?:packages|server|cli)\/.*(?<!\.test)\.ts$/.test(path));
  const unknown = product.flatMap(({ path, text }) =>
    [...text.replaceAll(/^export const .*$/gm, '').matchAll(FAMILY)]
      .filter(([name]) => VARIABLES[name] === undefined && !/_(?:VARIABLES|PACKAGES?|QUALITY)$/.test(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it('the plan file on the page is accepted', () => {
  const example = /```json\n([^]*?)```/.exec(page)?.[1] ?? '';
  expect(plansWith(example)).toMatchObject({ team: { name: 'team', streamingTts: false }, free: {} });
});
