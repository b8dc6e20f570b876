import { expect, it } from 'vitest';
import { readWordFile } from './import-file.ts';

const read = (content: string | Uint8Array<ArrayBuffer>, name = '地方.csv') => readWordFile(new File([content], name));
const PLACE = { text: '旺角', jyutping: 'wong6 gok3', weight: '' };

it.each([
  ['tabs', '# a comment\n旺角\twong6 gok3\n'],
  ['commas', '旺角,wong6 gok3'],
  ['JSON', '[{"text": "旺角", "jyutping": "wong6 gok3", "weight": 1}]'],
  ['a corpus', '{"entries": [{"text": "旺角", "jyutping": "wong6 gok3"}]}'],
  ['UTF-8 with its mark', Uint8Array.from([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('旺角\twong6 gok3')])],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, ...Buffer.from('旺角\twong6 gok3', 'utf16le')])],
  ['Big5', Uint8Array.from([0xa9, 0xf4, 0xa8, 0xa4, ...Buffer.from('\twong6 gok3')])],
])('reads a file with %s', async (_, content) => {
  expect(await read(content)).toEqual({ name: '地方', rows: [PLACE] });
});

it('takes the name that the file gives, and keeps rows with faults', async () => {
  expect(await read('# name: 香港\n旺角\twong6\n')).toEqual({ name: '香港', rows: [{ ...PLACE, jyutping: 'wong6' }] });
  expect(await read('["旺角", {"jyutping": "a1"}, null, 7]')).toBeNull();
  expect((await read('["旺角", {"jyutping": "a1", "weight": "x"}]'))?.rows).toEqual([
    { text: '旺角', jyutping: '', weight: '' },
    { text: '', jyutping: 'a1', weight: 'x' },
  ]);
});

it.each(['{"words": []}', '[{"text": ', '[null]'])('finds no words in %s', async (content) => {
  expect(await read(content, 'a.json')).toBeNull();
});
