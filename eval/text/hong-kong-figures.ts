import { readFileSync } from 'node:fs';
import { toHongKong, toSimplified, usualHongKongForms } from '@jyutsing/text/script/convert-script';
import { readSentences } from '../../training/traditional-words/read-sentences.ts';

const TABLE = new URL('../../packages/text/testing/tables/hong-kong-writing.tsv', import.meta.url);

/** How texts are written for Hong Kong. */
export type WritingFigures = {
  name: string;
  sentences: number;
  /** `converted, not expected` of every sentence that is written otherwise. */
  wrong: string[];
};

/**
 * The pairs of our table, and held-out sentences of a folder with `commonvoice-yue.txt` and
 * `hkcancor.tsv`, both from Simplified characters and as they are written, which should stay.
 */
export function writingFigures(folder: string): WritingFigures[] {
  const rows = readFileSync(TABLE, 'utf8').trim().split('\n').slice(1);
  const pairs = rows.map((row) => {
    const [simplified = '', written = ''] = row.split('\t');
    return { simplified, written };
  });
  const texts = readSentences(folder).filter(({ isHeldOut }) => isHeldOut);
  return [
    compared(
      'pairs, from Simplified',
      pairs.map(({ simplified, written }) => [simplified, written]),
    ),
    compared(
      'pairs, as they are written',
      pairs.map(({ written }) => [written, written]),
    ),
    compared(
      'held-out sentences, from Simplified',
      texts.map(({ text }) => [toSimplified(text), usualHongKongForms(text)]),
    ),
    compared(
      'held-out sentences, as they are written',
      texts.map(({ text }) => [text, usualHongKongForms(text)]),
    ),
  ];
}

function compared(name: string, pairs: readonly (readonly [text: string, expected: string])[]): WritingFigures {
  const wrong = pairs.flatMap(([text, expected]) => {
    const converted = toHongKong(text);
    return converted === expected ? [] : [`${converted}, not ${expected}`];
  });
  return { name, sentences: pairs.length, wrong };
}
