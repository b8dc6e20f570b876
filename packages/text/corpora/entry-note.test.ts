import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadShippedCorpora } from './load-shipped-corpora.ts';
import { noteOf } from './entry-note.ts';

it('says why an entry does not help transcripts', () => {
  const codes = (
    [
      ['旺角', 'wong6 gok3'],
      ['旺角', null],
      ['深水埗', 'sam1 seoi2 bou3'],
      ['深水埗', 'sam1 seoi2 paak3'],
      ['陳大文', 'can4 daai6 man2'],
      ['坪洲', 'peng4 zau1'],
      ['南丫', 'laam4 aa1'],
      ['T恤', 'seot1'],
      ['IKEA', 'ji4 ke4 aa1'],
      ['唔', 'm4'],
      ['字'.repeat(25), null],
      ['东涌', 'dung1 cung1'],
    ] as const
  ).map(([text, jyutping]) => noteOf({ text, jyutping })?.code ?? null);
  expect(codes).toEqual([
    null,
    null,
    'other_tone',
    'other_sound',
    null,
    null,
    null,
    'not_only_chinese',
    'not_only_chinese',
    'one_character',
    'too_long',
    null,
  ]);
  expect(noteOf({ text: '深水埗', jyutping: 'sam1 seoi2 bou3' })).toEqual({
    code: 'other_tone',
    character: '埗',
    jyutping: 'bou3',
    readings: ['bou2', 'bou6'],
  });
});

it('finds one word of the shipped corpora that the dictionary reads otherwise', () => {
  const entries = loadShippedCorpora(join(import.meta.dirname, '../../../corpora')).flatMap((corpus) => corpus.entries);
  const noted = entries.flatMap((entry) => {
    const note = noteOf(entry);
    return note === null ? [] : [`${entry.text} ${entry.jyutping}`];
  });
  expect(noted).toEqual(['呢度 nei1 dou6']);
});
