import type { Term } from '#contracts/corrector.ts';
import { toHongKong, toSimplified } from '#language/script.ts';
import { tokensOf, type Token } from './written-segment.ts';

/** A run of Chinese characters in a term: its tokens `from` to `to` (exclusive), and the accepted readings of the run. */
export type TermRun = { from: number; to: number; readings: readonly (readonly string[])[] };

/** A term as it may stand in a text. */
export type KnownTerm = { tokens: readonly Token[]; runs: readonly TermRun[] };

/** A stretch of tokens that spells a term, and the form in which it is to be written. */
export type Occurrence = { from: number; to: number; term: KnownTerm };

type Entry = { term: KnownTerm; spellings: readonly (readonly string[])[]; weight: number };

const known = new WeakMap<readonly Term[], Map<string, Entry[]>>();

/**
 * Where terms stand in a text, in order, longest first at each place; they may overlap. The text is given in two spellings, token for
 * token: as proposed, and in Hong Kong's characters. Terms are prepared once for each list.
 */
export function occurrencesOf(
  terms: readonly Term[],
  proposed: readonly Token[],
  converted: readonly Token[],
): Occurrence[] {
  const index = known.get(terms) ?? prepare(terms);
  known.set(terms, index);
  const raw = proposed.map(({ text }) => text.toLowerCase());
  const written = converted.map(({ text }) => text.toLowerCase());
  return raw.flatMap((_, from) => {
    const entries = new Set([...(index.get(raw[from] ?? '') ?? []), ...(index.get(written[from] ?? '') ?? [])]);
    return [...entries]
      .filter(({ spellings }) => spellings.some((each) => stands(each, raw, from) || stands(each, written, from)))
      .toSorted((a, b) => b.term.tokens.length - a.term.tokens.length || b.weight - a.weight)
      .map(({ term }) => ({ from, to: from + term.tokens.length, term }));
  });
}

function stands(spelling: readonly string[], row: readonly string[], from: number): boolean {
  return spelling.every((token, offset) => row[from + offset] === token);
}

function prepare(terms: readonly Term[]): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const term of terms) {
    const entry = toEntry(term);
    if (entry === null) continue;
    for (const first of new Set(entry.spellings.map(([token = '']) => token))) {
      index.set(first, [...(index.get(first) ?? []), entry]);
    }
  }
  return index;
}

/** Null for what cannot change a text: no Chinese character, or a single one, which only its sound could speak for. */
function toEntry(term: Term): Entry | null {
  const given = tokensOf(term.text);
  if (given.length < 2 || !given.some(({ isHan }) => isHan)) return null;
  const converted = tokensOf(toHongKong(term.text));
  // Written in Traditional, it is written as its owner writes it (a name in 峯 stays one in 峯).
  const isTraditional = toSimplified(term.text) !== term.text;
  const tokens = isTraditional || converted.length !== given.length ? given : converted;
  const spellings = [given, converted].map((row) => row.map(({ text }) => text.toLowerCase()));
  return { term: { tokens, runs: runsOf(tokens, term.readings) }, spellings, weight: term.weight };
}

function runsOf(tokens: readonly Token[], readings: readonly (readonly string[])[]): TermRun[] {
  const count = tokens.filter(({ isHan }) => isHan).length;
  const whole = readings.filter((each) => each.length === count);
  const runs: TermRun[] = [];
  let passed = 0;
  for (let from = 0; from < tokens.length;) {
    let to = from;
    while (tokens[to]?.isHan === true) to += 1;
    if (to > from) {
      const first = passed;
      passed += to - from;
      runs.push({ from, to, readings: whole.map((each) => each.slice(first, passed)) });
    }
    from = Math.max(to, from + 1);
  }
  return runs;
}
