import { beforeAll, expect, test } from 'vitest';
import type { LexiconWord } from '@jyutsing/contracts/corpus';
import { loadAddReadings, type AddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { splitText } from '#text/normalization/split-text.ts';
import { lexiconForm } from './lexicon-form.ts';
import { readFromLexicon } from './read-from-lexicon.ts';

let addReadings: AddReadings;
beforeAll(async () => {
  addReadings = await loadAddReadings();
});

/** Reads a text with `字=zi6 詞語=ci4.jyu5` as the lexicon; returns readings, or English words. */
function read(text: string, lexicon: string): string {
  const words = lexicon.split(', ').map((row): LexiconWord => {
    const [word = '', reading = ''] = row.split('=');
    return { text: lexiconForm(word), jyutping: reading.split('.') };
  });
  const pieces = splitText(text, 'cantonese').flatMap((piece) => normalize(piece, 'cantonese') ?? []);
  const spoken = pieces.flatMap((piece) => readFromLexicon(addReadings(piece), words, new Set()).phrases);
  return spoken
    .flatMap((phrase) => phrase.words)
    .map(({ reading, spokenForm }) => (reading.length > 0 ? reading.join(' ') : spokenForm))
    .join(' ');
}

test('words of the lexicon are read as it says, whatever words they are parts of', () => {
  const rows: [text: string, lexicon: string, expected: string][] = [
    ['我搵單立文。', '單立文=sin6.lap6.man4', 'ngo5 wan2 sin6 lap6 man4'],
    ['我搵单立文', '單立文=sin6.lap6.man4', 'ngo5 wan2 sin6 lap6 man4'],
    ['我搵單立文', '单立文=sin6.lap6.man4', 'ngo5 wan2 sin6 lap6 man4'],
    // The dictionary has words across its ends, which only long words may cut.
    ['搵陳大文明天嚟', '陳大文=can4.daai6.man2', 'wan2 can4 daai6 man2 ming4 tin1 lai4'],
    ['銀行長期缺人', '行長=aa1.aa2', 'ngan4 hong4 coeng4 kei4 kyut3 jan4'],
    ['佢係行長', '行長=aa1.aa2', 'keoi5 hai6 aa1 aa2'],
    // The longest wins.
    ['去港大學', '港大=aa1.aa2, 港大學=bo1.bo2.bo3', 'heoi3 bo1 bo2 bo3'],
    ['港大港大', '港大=aa1.aa2', 'aa1 aa2 aa1 aa2'],
    ['港大同港大', '港大=aa1.aa2', 'aa1 aa2 tung4 aa1 aa2'],
    // A single character counts where it is a word.
    ['佢行去銀行', '行=zaa1', 'keoi5 zaa1 heoi3 ngan4 hong4'],
    ['去 Tiki 餐廳食飯', 'tiki餐廳=caan1.teng2', 'heoi3 Tiki caan1 teng2 sik6 faan6'],
    ['買 IKEA 嘅嘢', 'ikea=ji4.ke4.aa1', 'maai5 ji4 ke4 aa1 ge3 je5'],
    ['去Five Guys食', 'Five Guys=faai1.gaai1', 'heoi3 faai1 gaai1 sik6'],
    ['用3香港上網', '3香港=hoeng2.gong2', 'jung6 saam1 hoeng2 gong2 soeng5 mong5'],
    ['去港，大', '港大=aa1.aa2', 'heoi3 gong2 daai6'],
    ['去7-eleven買嘢', '7-Eleven=cat1.sap6.jat1', 'heoi3 cat1 sap6 jat1 maai5 je5'],
    ['去Café de Coral', 'cafe de coral=daai6.gaa1.lok6', 'heoi3 daai6 gaa1 lok6'],
    ['食McDonald’s', "McDonald's=mak6.dong1.lou4", 'sik6 mak6 dong1 lou4'],
    ['covid-19疫情', 'COVID-19=san1.gun1', 'san1 gun1 jik6 cing4'],
    ['IKEAs', 'ikea=ji4.ke4.aa1', 'IKEAs'],
  ];
  const wrong = rows.flatMap(([text, lexicon, expected]) => {
    const readings = read(text, lexicon);
    return readings === expected ? [] : [`${text} with ${lexicon}: ${readings}, not ${expected}`];
  });
  expect(wrong).toEqual([]);
});

test('a reading that the request gives stays', () => {
  const word = { written: '港大', language: 'cantonese', spokenForm: '港大', reading: ['gong2', 'daai6'] } as const;
  const piece = {
    phrases: [{ words: [word], ending: 'statement' as const }],
    spokenForm: '港大。',
    endsSentence: true,
  };
  const lexicon = [{ text: '港大', jyutping: ['aa1', 'aa2'] }];
  expect(readFromLexicon(piece, lexicon, new Set([word]))).toEqual(piece);
  expect(readFromLexicon(piece, lexicon, new Set()).phrases[0]?.words[0]?.reading).toEqual(['aa1', 'aa2']);
});
