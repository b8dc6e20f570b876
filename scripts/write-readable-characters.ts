import { writeFileSync } from 'node:fs';
import { loadAddReadings } from '../packages/text/normalization/add-readings.ts';
import { charactersWithReading } from '../packages/text/testing/characters-with-reading.ts';

/**
 * Writes the table of the Chinese characters that the dictionaries read, after they have changed:
 * `node scripts/run.js scripts/write-readable-characters.ts`.
 */
const TABLE = new URL('../packages/text/readings/readable-characters.txt', import.meta.url);

const addReadings = await loadAddReadings();
const lines = (['cantonese', 'mandarin'] as const).map((language) => {
  const runs: { first: number; count: number }[] = [];
  for (const { read } of charactersWithReading(language, addReadings)) {
    for (const character of read) {
      const code = character.codePointAt(0)!;
      const last = runs.at(-1);
      if (last !== undefined && last.first + last.count === code) last.count += 1;
      else runs.push({ first: code, count: 1 });
    }
  }
  return [language, ...runs.map(({ first, count }) => `${first.toString(36)}+${count.toString(36)}`)].join(' ');
});
writeFileSync(TABLE, `${lines.join('\n')}\n`);
