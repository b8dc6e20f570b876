// Writes the lexicon of the English voice from an unpacked wheel of hibari-tts 0.2.1:
// `node training/voices/english/build-lexicon.ts FOLDER models/hibari/lexicon.tsv`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { gunzipSync } from 'node:zlib';
import { dictionary } from 'cmu-pronouncing-dictionary';
import { lettersOf } from '#packages/engines/hibari/phonemes.ts';
import { entryPhones } from '#packages/text/pronunciation/english/dictionary.ts';

/** Readings by part of speech; `None` is that at the end of a clause. */
type Readings = string | Record<string, string | null>;

const [folder = '', output = ''] = argv.slice(2);
const words = new Map<string, string>();
const isPlain = (word: string) => /^[\p{Script=Latin}\p{M}'.-]+$/u.test(word);

// The first source has precedence.
for (const file of ['lexicon_us_gold.json.gz', 'lexicon_us_silver.json.gz']) {
  const text = gunzipSync(readFileSync(join(folder, 'hibari/assets', file))).toString('utf8');
  for (const [word, readings] of Object.entries(JSON.parse(text) as Record<string, Readings>)) {
    if (!isPlain(word) || words.has(word)) continue;
    const within = typeof readings === 'string' ? readings : readings['DEFAULT'];
    const last = typeof readings === 'string' ? null : readings['None'];
    if (typeof within !== 'string') continue;
    words.set(word, [within, ...(typeof last === 'string' ? [last] : [])].map(asHeard).join('\t'));
  }
}
const lower = new Set(Array.from(words.keys(), (word) => word.toLowerCase()));
for (const [word, entry] of Object.entries(dictionary)) {
  if (!isPlain(word) || lower.has(word)) continue;
  const letters = lettersOf(entryPhones(entry));
  if (letters !== null) words.set(word, letters);
}
// A capital letter that changes nothing needs no entry.
for (const [word, letters] of words) {
  const small = word.toLowerCase();
  if (small !== word && words.get(small) === letters) words.delete(word);
}
const lines = Array.from(words, ([word, letters]) => Buffer.from(`${word}\t${letters}\n`));
writeFileSync(output, Buffer.concat(lines.toSorted((a, b) => a.compare(b))));

/** The voice has one letter for the flapped t, and none for the glottal stop. */
function asHeard(letters: string): string {
  return letters.replaceAll('ɾ', 'T').replaceAll('ʔ', 't');
}
