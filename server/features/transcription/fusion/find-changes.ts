import { spellingByReading } from '@jyutsing/text/spelling/spelling-by-reading';
import type { Step } from './edit-path.ts';
import { candidatesAt, syllableAt, recognizedReading, isSame, type Original, type Proposal } from './compare-texts.ts';
import type { KnownTerm, Occurrence, TermRun } from './known-terms.ts';
import { findEvidence, type Evidence } from './term-evidence.ts';
import type { Replacement } from './written-segment.ts';

/**
 * The replacements of a proposal, the number of changes accepted and dropped, and the refused
 * characters.
 */
export type Changes = { replacements: Replacement[]; accepted: number; dropped: number; refusedCharacters: number };

/**
 * A term may replace this many more characters at either end than the path assigned to it: where
 * characters were removed, the path is arbitrary.
 */
const MAX_EXTENSION = 2;

/**
 * Accepts or refuses every change on the path from the original to the proposal by the rules of
 * check-correction.ts.
 */
export function findChanges(
  steps: readonly Step[],
  original: Original,
  proposal: Proposal,
  occurrences: readonly Occurrence[],
): Changes {
  const isKept = steps.map(
    ({ original: from, proposed: to }) => from !== null && to !== null && isSame(original, proposal, from, to),
  );
  const changes: Changes = { replacements: [], accepted: 0, dropped: 0, refusedCharacters: 0 };
  const isTaken = takeTerms(changes, { steps, isKept, original }, occurrences);
  for (let at = 0; at < steps.length;) {
    const kind = isKept[at] === true || isTaken[at] === true ? 'kept' : kindOf(steps[at]);
    let end = at + 1;
    while (end < steps.length && isKept[end] !== true && isTaken[end] !== true && kindOf(steps[end]) === kind) end += 1;
    if (kind === 'kept') {
      at += 1;
      continue;
    }
    const run = steps.slice(at, end);
    const replacement = kind === 'pair' ? syllableReplacement(run, original, proposal) : null;
    if (replacement === 'unchanged') {
      at = end;
      continue;
    }
    if (replacement === null) {
      changes.dropped += 1;
      changes.refusedCharacters += run.filter((step) => isHan(step, original, proposal)).length;
    } else {
      changes.accepted += 1;
      changes.replacements.push(replacement);
    }
    at = end;
  }
  changes.replacements.sort((a, b) => a.from - b.from);
  return changes;
}

function kindOf(step: Step | undefined): 'pair' | 'gap' {
  return step === undefined || step.original === null || step.proposed === null ? 'gap' : 'pair';
}

function isHan({ original: from, proposed: to }: Step, original: Original, proposal: Proposal): boolean {
  return (from === null ? proposal.given[to ?? -1] : original.tokens[from])?.isHan === true;
}

/**
 * Rule (a): null unless each character has a matching syllable. Half a word would be worse than
 * the old one.
 */
function syllableReplacement(
  run: readonly Step[],
  original: Original,
  proposal: Proposal,
): Replacement | null | 'unchanged' {
  const characters: string[] = [];
  const readings: string[] = [];
  for (const { original: from, proposed: to } of run) {
    if (from === null || to === null) return null;
    const reading = recognizedReading(syllableAt(original, from), proposal.readings[to] ?? []);
    const character = proposal.written[to]?.text;
    if (reading === null || character === undefined) return null;
    // The reading decides the spelling: 左 recognized as zo2 is 咗.
    characters.push(spellingByReading(character, reading) ?? character);
    readings.push(reading);
  }
  if (run.every((step, index) => original.tokens[step.original ?? -1]?.text === characters[index])) return 'unchanged';
  const from = original.hanNumbers[run[0]?.original ?? -1] ?? -1;
  return { from, to: from + run.length, characters, readings, span: null, term: null };
}

type EditedText = { steps: readonly Step[]; isKept: readonly boolean[]; original: Original };

/**
 * Rule (b): accepts terms in the proposal that are close to the syllables; returns which steps
 * they cover.
 */
function takeTerms(changes: Changes, edited: EditedText, occurrences: readonly Occurrence[]): boolean[] {
  const { steps } = edited;
  const isTaken = steps.map(() => false);
  const stepOf = new Map(steps.flatMap(({ proposed }, at) => (proposed === null ? [] : [[proposed, at] as const])));
  for (const { from, term } of occurrences) {
    const found = term.runs.map((run) =>
      findTermRun(edited, term, run, stepOf.get(from + run.from) ?? 0, stepOf.get(from + run.to - 1) ?? -1),
    );
    const changed = found.flatMap((outcome) => (outcome === 'unchanged' ? [] : [outcome]));
    if (changed.length === 0) continue;
    const accepted = changed.flatMap((change) => change ?? []);
    const isFree = accepted.every(({ first, last }) => !isTaken.slice(first, last + 1).includes(true));
    if (accepted.length < changed.length || !isFree) continue;
    for (const { run, ...place } of accepted) {
      changes.replacements.push(...termReplacements(edited.original, place, term, run));
      isTaken.fill(true, place.first, place.last + 1);
    }
    changes.accepted += 1;
  }
  return isTaken;
}

/**
 * The position of a run of a term: its steps (inclusive), the old characters, and its reading
 * there.
 */
type TermPosition = {
  first: number;
  last: number;
  from: number;
  to: number;
  readings: readonly string[];
  evidence: Evidence;
};

/** The closest position for a run of a term; null when none is close enough. */
function findTermRun(
  { steps, isKept, original }: EditedText,
  term: KnownTerm,
  run: TermRun,
  firstStep: number,
  lastStep: number,
): (TermPosition & { run: TermRun }) | null | 'unchanged' {
  const isRemoved = (at: number) =>
    steps[at]?.proposed === null && original.tokens[steps[at].original ?? -1]?.isHan === true;
  // The spelling of the term counts: a name with 峯 changes one with 峰.
  const isUnchanged = steps
    .slice(firstStep, lastStep + 1)
    .every(
      (step, offset) =>
        isKept[firstStep + offset] === true &&
        original.tokens[step.original ?? -1]?.text === term.tokens[run.from + offset]?.text,
    );
  if (isUnchanged && !isRemoved(firstStep - 1) && !isRemoved(lastStep + 1)) return 'unchanged';
  let best: (TermPosition & { run: TermRun }) | null = null;
  for (let first = firstStep; first >= firstStep - MAX_EXTENSION; first -= 1) {
    if (first < firstStep && !isRemoved(first)) break;
    for (let last = lastStep; last <= lastStep + MAX_EXTENSION; last += 1) {
      if (last > lastStep && !isRemoved(last)) break;
      const old = steps.slice(first, last + 1).flatMap((step) => step.original ?? []);
      const [from = -1, to = -1] = [original.hanNumbers[old[0] ?? -1], original.hanNumbers[old.at(-1) ?? -1]];
      if (old.some((token) => original.tokens[token]?.isHan !== true) || from < 0) continue;
      const candidates = candidatesAt(original, from, to + 1);
      for (const readings of run.readings) {
        const evidence = findEvidence(readings, candidates, readings.length <= to + 1 - from);
        // Prefers covering more removed characters at equal cost: they have no syllables.
        if (evidence === null || evidence.distance > (best?.evidence.distance ?? Infinity)) continue;
        best = { run, first, last, from, to: to + 1, readings, evidence };
      }
    }
  }
  const isSamePosition = best?.first === firstStep && best.last === lastStep;
  return isUnchanged && (best === null || isSamePosition) ? 'unchanged' : best;
}

/** One replacement per changed character if their number stays, otherwise one for all. */
function termReplacements(
  original: Original,
  { from, to, readings, evidence }: Omit<TermPosition, 'first' | 'last'>,
  { tokens }: KnownTerm,
  run: TermRun,
): Replacement[] {
  const term = tokens.map(({ text }) => text).join('');
  const characters = tokens.slice(run.from, run.to).map(({ text }) => text);
  if (characters.length !== to - from) return [{ from, to, characters, readings, span: evidence.span, term }];
  return characters.flatMap((character, offset) => {
    const token = original.tokens[original.hanNumbers.indexOf(from + offset)];
    if (token?.text === character) return [];
    const reading = readings[offset] ?? '';
    const at = { from: from + offset, to: from + offset + 1 };
    return [{ ...at, characters: [character], readings: [reading], span: null, term }];
  });
}
