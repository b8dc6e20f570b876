// Reads a word a line from standard input, and prints each with its pinyin.
import { text } from 'node:stream/consumers';
import { addPinyin } from '#packages/text/normalization/mandarin/add-pinyin.ts';

for (const word of (await text(process.stdin)).trim().split('\n')) {
  const words = addPinyin([{ written: word, spokenForm: word, language: 'mandarin', reading: [] }]);
  console.log(`${word}\t${words.flatMap(({ reading }) => reading).join(' ')}`);
}
