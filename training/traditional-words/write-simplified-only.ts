// node training/traditional-words/write-simplified-only.ts FOLDER: writes the characters that only
// Simplified writing has, those of OpenCC that Traditional texts have not. Big5 has some (气, 听)
// that no text has in which the Traditional character is frequent.
import { writeFileSync } from 'node:fs';
import toTraditional from 'opencc-js/dict/STCharacters';
import { charactersInUse } from './character-forms.ts';
import { readSentences } from './read-sentences.ts';

const OUT = new URL('../../models/traditional-words/simplified-only.txt', import.meta.url);

/** How often the texts have the Traditional character at least. */
const FREQUENT = 10;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node training/traditional-words/write-simplified-only.ts FOLDER_WITH_TEXTS');
  process.exit(2);
}
const inUse = charactersInUse(folder);
const counts = new Map<string, number>();
for (const { text } of readSentences(folder)) {
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
}
const simplified = toTraditional.split('|').flatMap((pair) => {
  const [from = '', to = ''] = pair.split(' ');
  const isReplaced = !counts.has(from) && (counts.get(to) ?? 0) >= FREQUENT;
  return !inUse.has(from) || isReplaced ? [from] : [];
});
writeFileSync(OUT, `${simplified.join('')}\n`);
