import { expect, it } from 'vitest';
import { loadAddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { readWritten } from './written-jyutping.ts';

/** The syllables of a text as they are spoken, words of other languages in brackets. */
async function spoken(text: string): Promise<string> {
  const addReadings = await loadAddReadings();
  return readWritten(splitText(text, 'cantonese'))
    .flatMap((piece) => {
      const normalized = normalize(piece, 'cantonese');
      return normalized === null ? [] : addReadings(normalized).phrases.flatMap(({ words }) => words);
    })
    .map(({ language, spokenForm, reading }) => (language === 'cantonese' ? reading.join(' ') : `(${spokenForm})`))
    .join(' ');
}

it.each([
  ['ngo5 gam1 jat6', 'ngo5 gam1 jat6'],
  ['Nei5hou2, ngo5 hai6 a3 ming4.', 'nei5 hou2 ngo5 hai6 aa3 ming4'],
  ['ｎｅｉ５ ｈｏｕ２', 'nei5 hou2'],
  ['佢好lek1', 'keoi5 hou2 lek1'],
  ['我 soeng2 heoi3 街市', 'ngo5 soeng2 heoi3 gaai1 si5'],
  ['OK nei5 hou2 嗎', '(O K) nei5 hou2 maa3'],
  ['ngo5 soeng2 sik6 lunch thank you', 'ngo5 soeng2 sik6 (lunch) (thank) (you)'],
  ['你好 nei5 hou2', 'nei5 hou2'],
  ['你好，nei5 hou2。', 'nei5 hou2'],
  ['nei5 hou2 你好', 'nei5 hou2'],
  ['你(nei5)好(hou2)嗎', 'nei5 hou2 maa3'],
  ['我有3個 ngo5 jau5 saam1 go3', 'ngo5 jau5 saam1 go3'],
])('%s is spoken as it is scored', async (text, syllables) => {
  expect(await spoken(text)).toBe(syllables);
});

it.each(['我hea咗', '去7-11', 'iPhone15', 'A4紙', 'B2B', '5G網絡', 'T恤', 'MP3', '買K11', 'V8', '我係no2', '香港top3'])(
  '%s has no jyutping',
  (text) => {
    const pieces = splitText(text, 'cantonese');
    expect(readWritten(pieces)).toEqual(pieces);
  },
);
