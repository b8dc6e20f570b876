import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VOICES_BY_OPENAI_NAME } from './openai-voices.ts';

test('docs/text-to-speech.md lists the same voices by OpenAI name', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/text-to-speech.md'), 'utf8');
  const documented = [...page.matchAll(/^- OpenAI's (`.*`): `([a-z-]+)`$/gm)].flatMap(([, names, standIn]) =>
    [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => [name, standIn]),
  );
  expect(Object.fromEntries(documented)).toEqual(VOICES_BY_OPENAI_NAME);
});
