import { mean, median } from '@jyutsing/numeric/statistics';
import { AppError } from '@jyutsing/contracts/errors';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { loadAddReadings } from '@jyutsing/text/normalization/add-readings';
import { segmentWords } from '@jyutsing/text/segment-words';
import { timedUnits, type TimedUnit } from './heard-units.ts';
import { matchUnits, type UnitPair } from './match-units.ts';
import { spokenUnits, type SpokenUnit, type UnitSentence } from './spoken-units.ts';

/** A stretch of the text with its time in milliseconds. */
type Timed = { text: string; startMs: number; endMs: number };
/** `score`: from 0 (not heard) to 1 (heard as written); `characters`: those of Chinese. */
type AlignedWord = Timed & { score: number; characters: Timed[] };
export type AlignedSegment = Timed & { words: AlignedWord[] };

/** `text` is empty where more was said, `heard` where less was. */
type Disagreement = Timed & { heard: string };

export type Alignment = { segments: AlignedSegment[]; disagreements: Disagreement[] };

/** Higher costs count as something else; a homophone, or another tone, does not. */
const AGREES_BELOW = 0.3;

/**
 * Gives a text the times of a transcript of its recording: its sentences, words and characters, and
 * where the two disagree. What was not heard lies between its neighbours. Throws
 * `text_not_readable`.
 */
export async function alignText(text: string, transcript: readonly Segment[], language: Language): Promise<Alignment> {
  const addReadings = await loadAddReadings();
  const sentences = await spokenUnits(text, language, addReadings);
  const units = sentences.flatMap((sentence) => sentence.units);
  if (units.length === 0) throw new AppError('text_not_readable', 'The text has nothing that can be spoken.');
  const heardUnits = await timedUnits(transcript, language, addReadings);
  const pairs = matchUnits(units, heardUnits);
  let count = 0;
  const ends = sentences.map((sentence) => (count += sentence.units.length));
  const placed = placeUnits(units, heardUnits, pairs, ends);
  let first = 0;
  const segments = sentences.map((sentence) => {
    const inSentence = placed.slice(first, first + sentence.units.length);
    first += sentence.units.length;
    return viewSentence(text, sentence, inSentence);
  });
  return { segments, disagreements: disagreementsOf(text, units, heardUnits, pairs, placed) };
}

type Placed = { startMs: number; endMs: number; agreement: number };
type PlacedUnit = SpokenUnit & Placed;

/**
 * The time of each unit: that of what was heard, or beside its neighbours. `ends`: the number of
 * units up to the end of each sentence.
 */
function placeUnits(
  units: readonly SpokenUnit[],
  actual: readonly TimedUnit[],
  pairs: readonly UnitPair[],
  ends: readonly number[],
): PlacedUnit[] {
  const times = units.map((): (Placed & Pick<TimedUnit, 'speech'>) | null => null);
  for (const { text, spoken: at, cost } of pairs) {
    if (text < 0 || at < 0) continue;
    const { startMs, endMs, speech } = actual[at]!;
    times[text] = { startMs, endMs, agreement: 1 - cost, speech };
  }
  const unitMs = median(actual.map(({ startMs, endMs }) => endMs - startMs));
  const placed: (Placed | null)[] = [...times];
  const spread = (from: number, to: number, startMs: number, endMs: number) => {
    const stepMs = Math.max(0, endMs - startMs) / (to - from);
    for (let at = from; at < to; at += 1) {
      const place = at - from;
      placed[at] = { startMs: startMs + place * stepMs, endMs: startMs + (place + 1) * stepMs, agreement: 0 };
    }
  };
  for (let from = 0; from < times.length; from += 1) {
    if (times[from] !== null) continue;
    let to = from;
    while (to < times.length && times[to] === null) to += 1;
    const [before, after] = [times[from - 1] ?? null, times[to] ?? null];
    const startMs = before?.endMs ?? after?.speech.startMs ?? 0;
    const endMs = Math.max(startMs, after?.startMs ?? before?.speech.endMs ?? startMs);
    const isBetween = before !== null && after !== null;
    const lastOfBefore = ends.find((end) => end >= from) ?? from;
    const firstOfAfter = ends.findLast((end) => end <= to) ?? to;
    if (!isBetween || lastOfBefore > firstOfAfter) spread(from, to, startMs, endMs);
    else {
      // Missed words at the end of a sentence lie before the pause, those of a beginning after it.
      const isApart = before.speech !== after.speech;
      const stepMs = Math.min(unitMs, (endMs - startMs) / (to - from));
      const pauseFrom = isApart ? before.speech.endMs : startMs + (lastOfBefore - from) * stepMs;
      const pauseTo = isApart ? after.speech.startMs : endMs - (to - firstOfAfter) * stepMs;
      const pauseFromMs = Math.min(endMs, Math.max(startMs, pauseFrom));
      const pauseToMs = Math.min(endMs, Math.max(pauseFromMs, pauseTo));
      if (lastOfBefore > from) spread(from, lastOfBefore, startMs, pauseFromMs);
      if (firstOfAfter > lastOfBefore) spread(lastOfBefore, firstOfAfter, pauseFromMs, pauseToMs);
      if (to > firstOfAfter) spread(firstOfAfter, to, pauseToMs, endMs);
    }
    from = to;
  }
  return units.map((unit, index) => {
    const { startMs, endMs, agreement } = placed[index]!;
    return { ...unit, startMs, endMs, agreement };
  });
}

function viewSentence(text: string, { from, to }: UnitSentence, units: readonly PlacedUnit[]): AlignedSegment {
  const words: AlignedWord[] = [];
  // Words and units are in the order of the text, and a unit may belong to several words.
  let first = 0;
  for (const { segment, index, isWordLike } of segmentWords(text.slice(from, to))) {
    const at = from + index;
    while (first < units.length && units[first]!.to <= at) first += 1;
    let last = first;
    while (last < units.length && units[last]!.from < at + segment.length) last += 1;
    const inside = units.slice(first, last);
    if (isWordLike !== true || inside.length === 0) continue;
    words.push({
      text: segment,
      ...spanOf(inside),
      score: mean(inside.map(({ agreement }) => agreement)),
      characters: inside
        .filter((unit) => unit.syllable !== null && unit.to - unit.from <= 2)
        .map((unit) => ({ text: text.slice(unit.from, unit.to), startMs: unit.startMs, endMs: unit.endMs })),
    });
  }
  return { text: text.slice(from, to), ...spanOf(units), words };
}

function spanOf(units: readonly { startMs: number; endMs: number }[]) {
  return { startMs: units[0]?.startMs ?? 0, endMs: units.at(-1)?.endMs ?? 0 };
}

/** Neighbouring pairs that disagree are one place. */
function disagreementsOf(
  text: string,
  units: readonly SpokenUnit[],
  actual: readonly TimedUnit[],
  pairs: readonly UnitPair[],
  placed: readonly PlacedUnit[],
): Disagreement[] {
  const found: Disagreement[] = [];
  let run: UnitPair[] = [];
  const finish = () => {
    const written = run.flatMap((pair) => units[pair.text] ?? []);
    const spoken = run.flatMap((pair) => actual[pair.spoken] ?? []);
    const times = spoken.length > 0 ? spoken : run.flatMap((pair) => placed[pair.text] ?? []);
    const [from, to] = [written[0]?.from ?? 0, written.at(-1)?.to ?? 0];
    if (run.length > 0) {
      found.push({ text: text.slice(from, to), heard: textOf(spoken), ...spanOf(times) });
    }
    run = [];
  };
  for (const pair of pairs) {
    if (pair.cost < AGREES_BELOW) finish();
    else run.push(pair);
  }
  finish();
  return found;
}

function textOf(units: readonly TimedUnit[]): string {
  return units
    .map(({ written }) => written)
    .join('')
    .trim();
}
