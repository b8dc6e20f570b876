import { writeFileSync } from 'node:fs';
import { dictionary } from 'cmu-pronouncing-dictionary';
import { entryPhones, modelPhones } from '#packages/text/pronunciation/english/dictionary.ts';
import { CONTEXTS, parseLetterRules, sayLetters } from '#packages/text/pronunciation/english/letter-to-sound.ts';
import { alignLetters, type Chunk } from './align-letters.ts';

/**
 * Derives rules for reading unknown English words from the CMU Pronouncing Dictionary: the
 * pronunciation of letters by context. Writes `models/english-letters/rules.tsv` and prints the
 * accuracy on held-out words.
 *
 *     node training/pronunciation/readings/build-letters.ts
 *
 * Rules go from general to special; a rule is kept only if it differs from the more general ones
 * and is right for a minimum number of additional words (Default & Refine: Davel & Barnard,
 * Pronunciation prediction with Default & Refine, Computer Speech and Language 22, 2008).
 */
const OUT = new URL('../../../models/english-letters/rules.tsv', import.meta.url);
const MIN_GAIN = 5;
/** Minimum share of a second pronunciation among the words of a rule. */
const MIN_SECOND_SHARE = 0.22;
/** One word in this many is held out. */
const HELD_OUT = 20;

const entries = Object.entries(dictionary)
  .filter(([word]) => /^[a-z]{2,}$/.test(word))
  .map(([word, phones]) => ({ word, phones: modelPhones(entryPhones(phones)) }))
  // Entries with more phones than letters are abbreviations.
  .filter(({ word, phones }) => phones.length <= word.length + 2);

function learn(aligned: readonly { word: string; chunks: Chunk[] }[]): string {
  const rules = new Map<string, { best: Chunk; second: Chunk | null }>();
  for (const context of CONTEXTS) {
    const counts = new Map<string, Map<Chunk, number>>();
    const defaults = new Map<string, Chunk>();
    for (const { word, chunks } of aligned) {
      chunks.forEach((chunk, at) => {
        const key = context(word, at);
        const chunkCounts = counts.get(key) ?? new Map<Chunk, number>();
        chunkCounts.set(chunk, (chunkCounts.get(chunk) ?? 0) + 1);
        counts.set(key, chunkCounts);
        if (!defaults.has(key)) defaults.set(key, ruleFor(rules, word, at)?.best ?? '');
      });
    }
    for (const [key, chunkCounts] of counts) {
      const [first, second] = [...chunkCounts].toSorted((a, b) => b[1] - a[1]);
      const total = [...chunkCounts.values()].reduce((sum, one) => sum + one, 0);
      if (first === undefined) continue;
      const gain = first[1] - (chunkCounts.get(defaults.get(key) ?? '') ?? 0);
      if (gain < (context === CONTEXTS[0] ? 1 : MIN_GAIN)) continue;
      rules.set(key, {
        best: first[0],
        second: second !== undefined && second[1] / total >= MIN_SECOND_SHARE ? second[0] : null,
      });
    }
  }
  return [...rules]
    .map(([key, { best, second }]) => [key, best, ...(second === null ? [] : [second])].join('\t'))
    .join('\n');
}

function ruleFor<T>(rules: ReadonlyMap<string, T>, word: string, at: number): T | undefined {
  for (let index = CONTEXTS.length - 1; index >= 0; index -= 1) {
    const found = rules.get(CONTEXTS[index]?.(word, at) ?? '');
    if (found !== undefined) return found;
  }
  return undefined;
}

const isHeldOut = (_: unknown, index: number) => index % HELD_OUT === 0;
const rules = parseLetterRules(learn(alignLetters(entries.filter((entry, index) => !isHeldOut(entry, index)))));
const held = entries.filter(isHeldOut);
const hits = (most: number) =>
  held.filter(({ word, phones }) =>
    sayLetters(word, rules)
      .slice(0, most)
      .some((reading) => reading.join(' ') === phones.join(' ')),
  ).length;
const percent = (count: number) => `${((100 * count) / held.length).toFixed(1)} %`;
process.stdout.write(
  `${held.length} unseen words: right ${percent(hits(1))}, among the readings given ${percent(hits(9))}\n`,
);
const all = learn(alignLetters(entries));
writeFileSync(OUT, `${all}\n`);
process.stdout.write(`${all.split('\n').length} rules written\n`);
