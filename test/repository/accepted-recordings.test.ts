import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMATS } from '#packages/audio/formats.ts';

it('docs/speech-to-text.md names every accepted container', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/speech-to-text.md'), 'utf8');
  const section = page.split('## Accepted recordings')[1]?.split('\n\n')[1] ?? '';
  const named = section.split('\n').flatMap((row) => row.split('|')[1]?.match(/\w+/g) ?? []);
  expect(Object.keys(FORMATS).filter((container) => !named.includes(container))).toEqual([]);
});
