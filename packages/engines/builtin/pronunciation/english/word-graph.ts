/**
 * A word of the text to align: its pronunciations as columns of the acoustic model, the most common
 * first; none is empty.
 */
type ExpectedWord = {
  pronunciations: readonly (readonly number[])[];
};

/**
 * Costs of deviations from the text in natural logarithms, beside the frames' costs. They were
 * chosen on sentences of learners in the acoustic model's training data and on synthetic speech
 * with omitted, repeated and inserted words.
 */
export const COSTS = {
  /** Cost of a pronunciation other than the commonest. */
  variant: 2,
  /** Cost of a substituted phone, per frame. */
  substitution: 3.6,
  /** Cost of a frame of sound that belongs to no phone of the text. */
  insertion: 2.8,
  /** Cost of such a frame at a word of another language. */
  otherWord: 0.2,
  omittedPhone: 4,
  omittedWord: 3,
  /** Cost of each phone of an omitted word, beside that of the word. */
  omittedWordPhone: 3,
  /** Cost of repeating an earlier word. */
  repetition: 6,
};
/** Largest number of words that a repetition goes back. */
const RETURN_WORDS = 4;

/**
 * States of a recording of the text, one per frame, and their transitions: gaps (silence, foreign
 * sounds) before, between and after the words; in a word its phones and the blanks between them,
 * once for each pronunciation.
 */
export type WordGraph = {
  stateCount: number;
  /** Phone column; 0 for a blank within a word; −1 for a gap. */
  column: Int16Array;
  /** Cost of a frame of sound in a gap or a blank. */
  insertionCost: Float64Array;
  /** Word, pronunciation, and position in the pronunciation of phones and blanks; −1 for gaps. */
  word: Int32Array;
  variant: Int32Array;
  position: Int32Array;
  /** Arcs into state s are arcStart[s] … arcStart[s + 1] − 1. */
  arcStart: Int32Array;
  arcFrom: Int32Array;
  arcCost: Float64Array;
  /** State of gap i, before word i; the last one follows all words. */
  gaps: Int32Array;
  /** Cost of leaving out word i. */
  skipCost: Float64Array;
  /** Cost of starting or ending in a state; infinite where impossible. */
  startCost: Float64Array;
  endCost: Float64Array;
};

type Draft = {
  columns: number[];
  insertionCosts: number[];
  words: number[];
  variants: number[];
  positions: number[];
  arcs: { from: number; to: number; cost: number }[];
};

type Ends = { state: number; cost: number; column: number }[];

/** Builds the graph; `foreignGaps` lists the gaps that may contain words of another language. */
export function buildWordGraph(words: readonly ExpectedWord[], foreignGaps: ReadonlySet<number>): WordGraph {
  const draft: Draft = { columns: [], insertionCosts: [], words: [], variants: [], positions: [], arcs: [] };
  const gaps = Int32Array.from({ length: words.length + 1 }, (_, index) =>
    addState(draft, -1, [-1, -1, -1], foreignGaps.has(index) ? COSTS.otherWord : COSTS.insertion),
  );
  const skipCost = Float64Array.from(words, ({ pronunciations }) => {
    const shortest = Math.min(...pronunciations.map((phones) => phones.length));
    return COSTS.omittedWord + COSTS.omittedWordPhone * shortest;
  });
  const entries: Ends[] = [];
  const exits: Ends[] = [];
  words.forEach((word, index) => {
    const [entry, exit] = addWord(draft, word, index);
    entries.push(entry);
    exits.push(exit);
  });
  for (const gap of gaps) arc(draft, gap, gap, 0);
  for (let index = 0; index < words.length; index++) {
    for (const { state, cost } of entries[index] ?? []) arc(draft, gaps[index] ?? 0, state, cost);
    for (const exit of exits[index] ?? []) {
      arc(draft, exit.state, gaps[index + 1] ?? 0, exit.cost);
      for (let back = 0; back < RETURN_WORDS && back <= index; back++) {
        arc(draft, exit.state, gaps[index - back] ?? 0, exit.cost + COSTS.repetition);
      }
      join(draft, exit, entries[index + 1] ?? [], 0);
      join(draft, exit, entries[index + 2] ?? [], skipCost[index + 1] ?? 0);
    }
  }
  return finish(draft, gaps, skipCost, entries, exits);
}

function addState(
  draft: Draft,
  column: number,
  [word, variant, position]: readonly [number, number, number],
  insertion: number,
): number {
  draft.columns.push(column);
  draft.insertionCosts.push(insertion);
  draft.words.push(word);
  draft.variants.push(variant);
  draft.positions.push(position);
  return draft.columns.length - 1;
}

function arc(draft: Draft, from: number, to: number, cost: number): void {
  draft.arcs.push({ from, to, cost });
}

/**
 * Connects the end of a word directly with another; equal neighboring phones need the gap between.
 */
function join(draft: Draft, exit: Ends[number], entries: Ends, cost: number): void {
  for (const entry of entries) {
    if (entry.column !== exit.column) arc(draft, exit.state, entry.state, exit.cost + entry.cost + cost);
  }
}

/** Adds all pronunciations of a word; returns its start and end states with their costs. */
function addWord(draft: Draft, { pronunciations }: ExpectedWord, index: number): [entries: Ends, exits: Ends] {
  const entries: Ends = [];
  const exits: Ends = [];
  pronunciations.forEach((phones, variant) => {
    const variantCost = variant === 0 ? 0 : COSTS.variant;
    const states = phones.map((column, at) => addState(draft, column, [index, variant, at], 0));
    const blanks = phones.slice(1).map((_, at) => addState(draft, 0, [index, variant, at], COSTS.insertion));
    states.forEach((state, at) => {
      arc(draft, state, state, 0);
      const [next, afterNext, blank] = [states[at + 1], states[at + 2], blanks[at]];
      if (next === undefined || blank === undefined) return;
      arc(draft, state, blank, 0);
      arc(draft, blank, blank, 0);
      arc(draft, blank, next, 0);
      if (phones[at] !== phones[at + 1]) arc(draft, state, next, 0);
      if (afterNext === undefined) return;
      arc(draft, blank, afterNext, COSTS.omittedPhone);
      if (phones[at] !== phones[at + 2]) arc(draft, state, afterNext, COSTS.omittedPhone);
    });
    const last = phones.length - 1;
    entries.push({ state: states[0] ?? 0, cost: variantCost, column: phones[0] ?? 0 });
    exits.push({ state: states[last] ?? 0, cost: 0, column: phones[last] ?? 0 });
    if (last > 1) {
      entries.push({ state: states[1] ?? 0, cost: variantCost + COSTS.omittedPhone, column: phones[1] ?? 0 });
      exits.push({ state: states[last - 1] ?? 0, cost: COSTS.omittedPhone, column: phones[last - 1] ?? 0 });
    }
  });
  return [entries, exits];
}

function finish(
  draft: Draft,
  gaps: Int32Array,
  skipCost: Float64Array,
  entries: readonly Ends[],
  exits: readonly Ends[],
): WordGraph {
  const stateCount = draft.columns.length;
  const arcStart = new Int32Array(stateCount + 1);
  for (const { to } of draft.arcs) arcStart[to + 1] = (arcStart[to + 1] ?? 0) + 1;
  for (let state = 0; state < stateCount; state++)
    arcStart[state + 1] = (arcStart[state + 1] ?? 0) + (arcStart[state] ?? 0);
  const fill = arcStart.slice();
  const arcFrom = new Int32Array(draft.arcs.length);
  const arcCost = new Float64Array(draft.arcs.length);
  for (const { from, to, cost } of draft.arcs) {
    const at = fill[to] ?? 0;
    fill[to] = at + 1;
    arcFrom[at] = from;
    arcCost[at] = cost;
  }
  const startCost = new Float64Array(stateCount).fill(Infinity);
  const endCost = new Float64Array(stateCount).fill(Infinity);
  startCost[gaps[0] ?? 0] = 0;
  endCost[gaps.at(-1) ?? 0] = 0;
  let before = 0;
  entries.forEach((entryStates, index) => {
    for (const { state, cost } of entryStates) startCost[state] = before + cost;
    before += skipCost[index] ?? 0;
  });
  let after = 0;
  exits.toReversed().forEach((exitStates, fromEnd) => {
    for (const { state, cost } of exitStates) endCost[state] = Math.min(endCost[state] ?? Infinity, after + cost);
    after += skipCost[skipCost.length - 1 - fromEnd] ?? 0;
  });
  return {
    stateCount,
    column: Int16Array.from(draft.columns),
    insertionCost: Float64Array.from(draft.insertionCosts),
    word: Int32Array.from(draft.words),
    variant: Int32Array.from(draft.variants),
    position: Int32Array.from(draft.positions),
    arcStart,
    arcFrom,
    arcCost,
    gaps,
    skipCost,
    startCost,
    endCost,
  };
}
