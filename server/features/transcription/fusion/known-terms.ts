import { LRUCache } from 'lru-cache';
import type { Term } from '@jyutsing/contracts/corrector';
import { toHongKongTexts } from './hong-kong-text.ts';
import { tokensOf, type Token } from './written-segment.ts';

/**
 * A run of Chinese characters in a term: tokens `from` to `to` (exclusive), and its accepted
 * readings.
 */
export type TermRun = { from: number; to: number; readings: readonly (readonly string[])[] };

/** A term as it may occur in a text. */
export type KnownTerm = { tokens: readonly Token[]; runs: readonly TermRun[] };

/** Tokens that spell a term. */
export type Occurrence = { from: number; to: number; term: KnownTerm };

type Entry = { term: KnownTerm; spellings: readonly (readonly string[])[]; weight: number };

const entriesByTerms = new WeakMap<readonly Term[], Map<string, Entry[]>>();

/**
 * Finds terms in a text, in order, longest first at each position; they may overlap. The text is
 * given in two spellings, token by token: as proposed, and in Hong Kong characters. Terms are
 * prepared once per list.
 */
export function occurrencesOf(
  terms: readonly Term[],
  proposed: readonly Token[],
  converted: readonly Token[],
): Occurrence[] {
  const index = entriesByTerms.get(terms) ?? prepare(terms);
  entriesByTerms.set(terms, index);
  const raw = proposed.map(({ text }) => text.toLowerCase());
  const written = converted.map(({ text }) => text.toLowerCase());
  return raw.flatMap((_, from) => {
    const entries = new Set([...(index.get(raw[from] ?? '') ?? []), ...(index.get(written[from] ?? '') ?? [])]);
    return [...entries]
      .filter(({ spellings }) =>
        spellings.some((spelling) => stands(spelling, raw, from) || stands(spelling, written, from)),
      )
      .toSorted((a, b) => b.term.tokens.length - a.term.tokens.length || b.weight - a.weight)
      .map(({ term }) => ({ from, to: from + term.tokens.length, term }));
  });
}

function stands(spelling: readonly string[], row: readonly string[], from: number): boolean {
  return spelling.every((token, offset) => row[from + offset] === token);
}

function prepare(terms: readonly Term[]): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  const spellings = spellingsOf(terms.map(({ text }) => text));
  for (const { text, readings, weight } of terms) {
    const spelling = spellings.get(text);
    if (spelling === undefined) continue;
    const { tokens, forms } = spelling;
    const entry = { term: { tokens, runs: runsOf(tokens, readings) }, spellings: forms, weight };
    for (const first of new Set(forms.map(([token = '']) => token))) {
      const entries = index.get(first) ?? [];
      entries.push(entry);
      index.set(first, entries);
    }
  }
  return index;
}

/** The written form of a term, and the lower-case token forms that a proposal may contain. */
type Spelling = { tokens: readonly Token[]; forms: readonly (readonly string[])[] };

/**
 * Public corpora are in most requests, and converting their terms takes longer than correcting a
 * sentence.
 */
const recentSpellings = new LRUCache<string, Spelling>({ max: 30_000 });

/** The spellings of terms; a list may have more terms than are kept for the next one. */
function spellingsOf(texts: readonly string[]): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  const unknown: string[] = [];
  for (const text of texts) {
    const recent = recentSpellings.get(text);
    if (recent !== undefined) spellings.set(text, recent);
    // A term without Chinese characters, or with a single one supported only by its sound, cannot
    // change a text.
    else if (isUseful(tokensOf(text))) unknown.push(text);
  }
  if (unknown.length === 0) return spellings;
  const converted = toHongKongTexts(unknown.map((text) => text.replaceAll('\n', ' ')));
  for (const [number, text] of unknown.entries()) {
    const given = tokensOf(text);
    const inHongKong = tokensOf(converted[number]?.converted ?? text);
    // Written as its owner writes it unless it is Simplified (a name with 峯 keeps 峯).
    const isSimplified = converted[number]?.isSimplified === true && inHongKong.length === given.length;
    const tokens = isSimplified ? inHongKong : given;
    const forms = [given, inHongKong].map((row) => row.map((token) => token.text.toLowerCase()));
    spellings.set(text, { tokens, forms });
    recentSpellings.set(text, { tokens, forms });
  }
  return spellings;
}

function isUseful(tokens: readonly Token[]): boolean {
  return tokens.length > 1 && tokens.some(({ isHan }) => isHan);
}

function runsOf(tokens: readonly Token[], readings: readonly (readonly string[])[]): TermRun[] {
  const count = tokens.filter(({ isHan }) => isHan).length;
  const whole = readings.filter((reading) => reading.length === count);
  const runs: TermRun[] = [];
  let passed = 0;
  for (let from = 0; from < tokens.length;) {
    let to = from;
    while (tokens[to]?.isHan === true) to += 1;
    if (to > from) {
      const first = passed;
      passed += to - from;
      runs.push({ from, to, readings: whole.map((reading) => reading.slice(first, passed)) });
    }
    from = Math.max(to, from + 1);
  }
  return runs;
}
