import { expect, it } from 'vitest';
import { compareForms, textsOf } from './changed-forms.ts';

const sayPlainly = (text: string) => text.replace('2', '二');
const sayAsCounted = (text: string) => text.replace('2', '兩');

it('lists each line that two versions of the code say differently, once', () => {
  expect(compareForms('cantonese', ['我有2個', '佢走咗', '我有2個'], sayPlainly, sayAsCounted)).toEqual({
    language: 'cantonese',
    lines: 2,
    changed: [{ text: '我有2個', before: '我有二個', after: '我有兩個' }],
  });
});

it.each([
  ['lines', 'I am 5\n\nHello\n', ['I am 5', 'Hello']],
  ['the first column', '你好\tni3 hao3\n再见\tzai4 jian4\n', ['你好', '再见']],
  ['the column of texts in its language', 'language\ttext\nenglish\tHi\nmandarin\t你好\n', ['Hi']],
])('reads %s of a file', (_, content, texts) => {
  expect(textsOf(content, 'english')).toEqual(texts);
});
