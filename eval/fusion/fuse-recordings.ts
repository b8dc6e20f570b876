import type { CorrectionSegment, Corrector, Term } from '@jyutsing/contracts/corrector';
import { toAppError } from '@jyutsing/contracts/errors';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import type { Romanizer } from '@jyutsing/contracts/romanizer';
import { fuse } from '#server/features/transcription/fusion/fuse.ts';
import { parseUnit, textTokens } from '../tokens.ts';
import { editDistance, errorRate, type Count, type ErrorRate } from '../score.ts';
import type { Condition } from './fusion-conditions.ts';
import type { FusionSentence } from './fusion-sentences.ts';
import { termErrors } from './term-errors.ts';
import { decodeRecording } from '../sound.ts';

/** Recording on which fusion is measured. Without terms only the whole text counts. */
export type FusionItem = FusionSentence & { path: string; units: string[] | null; speaker: string | null };

/** Recognition result of a recording, and its cost in seconds. */
export type RecognizedItem = {
  item: FusionItem;
  segments: CorrectionSegment[];
  /** Cost of recognition alone, and of recognition with romanization. */
  plainSeconds: number;
  romanizedSeconds: number;
};

/** One row of the table: a set under a condition. */
export type FusionRow = {
  set: string;
  condition: string;
  recordings: number;
  failed: number;
  characters: ErrorRate;
  termCharacters: ErrorRate;
  /** Wrong characters of terms ÷ those before fusion; null where there are none. */
  termErrorsLeft: number | null;
  /** Time of romanization and correction ÷ time of recognition. */
  addedTime: number | null;
  details: { file: string; expected: string; recognized: string; fused: string; failure: string | null }[];
};

/** Engines under evaluation. */
export type FusionEngines = { recognizer: Recognizer; romanizer: Romanizer; corrector: Corrector };

const CHUNK_BUDGET_MS = 60_000;
const { signal } = new AbortController();

/**
 * Recognizes a recording with and without syllables, to measure their cost. Throws what the engines
 * throw.
 */
export async function recognizeItem(item: FusionItem, engines: FusionEngines): Promise<RecognizedItem> {
  const runs = [
    () => recognizeRomanized(item.path, engines),
    async () =>
      (await recognize(item.path, engines.recognizer, false)).map((segment) => ({ ...segment, syllables: [] })),
  ];
  const [romanized, plain] = await timed(runs);
  return {
    item,
    segments: romanized?.value ?? [],
    plainSeconds: plain?.seconds ?? 0,
    romanizedSeconds: romanized?.seconds ?? 0,
  };
}

async function recognizeRomanized(
  path: string,
  { recognizer, romanizer }: FusionEngines,
): Promise<CorrectionSegment[]> {
  const segments = await recognize(path, recognizer, true);
  const syllables: CorrectionSegment['syllables'][] = [];
  if (segments.some((segment) => segment.syllables === null)) {
    const spans = segments.map(({ segment }) => segment);
    for await (const romanized of romanizer.romanize(decodeRecording(path), spans, signal)) syllables.push(romanized);
  }
  return segments.map((segment, index) => ({
    segment: segment.segment,
    syllables: segment.syllables ?? syllables[index] ?? [],
  }));
}

async function recognize(path: string, recognizer: Recognizer, romanize: boolean) {
  const options = { language: 'cantonese', context: null, romanize } as const;
  const segments: { segment: CorrectionSegment['segment']; syllables: CorrectionSegment['syllables'] | null }[] = [];
  for await (const event of recognizer.recognize(decodeRecording(path), options, signal)) {
    if (event.type === 'segment-end') segments.push({ segment: event.segment, syllables: event.syllables });
  }
  return segments;
}

/** Row of the texts as recognized, before fusion. */
export function rawRow(set: string, items: readonly RecognizedItem[]): FusionRow {
  const fused = items.map((item) => ({ recognized: item, text: recognizedText(item), failure: null }));
  return toRow(set, 'as recognized', fused, null, null);
}

/** Row of the texts after fusion under a condition; null where it applies to no recording. */
export async function fusedRow(
  set: string,
  items: readonly RecognizedItem[],
  condition: Condition,
  { corrector }: FusionEngines,
  raw: FusionRow,
): Promise<FusionRow | null> {
  const measured: { recognized: RecognizedItem; text: string; failure: string | null }[] = [];
  let seconds = 0;
  for (const item of items) {
    const bias = condition.biasOf(item.item);
    if (bias === null) continue;
    try {
      const [fused] = await timed([() => fuseText(item.segments, bias.terms, bias.context, corrector)]);
      seconds += (fused?.seconds ?? 0) + item.romanizedSeconds - item.plainSeconds;
      measured.push({ recognized: item, text: fused?.value ?? '', failure: null });
    } catch (thrown) {
      measured.push({ recognized: item, text: '', failure: toAppError(thrown).message });
    }
  }
  if (measured.length === 0) return null;
  const recognition = measured.reduce((sum, recording) => sum + recording.recognized.plainSeconds, 0);
  return toRow(set, condition.name, measured, recognition > 0 ? seconds / recognition : null, raw);
}

async function fuseText(
  segments: readonly CorrectionSegment[],
  terms: readonly Term[],
  context: string | null,
  corrector: Corrector,
): Promise<string> {
  const correctors = [{ name: 'measured', open: async () => corrector }];
  const input = { segments, terms, context };
  for await (const event of fuse(input, correctors, { chunkBudgetMs: CHUNK_BUDGET_MS }, signal)) {
    if (event.type === 'fusion-end') return event.fusion.segments.map(({ text }) => text).join(' ');
  }
  return '';
}

const tokens = (text: string): string[] => textTokens('cantonese', text);

function toRow(
  set: string,
  condition: string,
  measured: readonly { recognized: RecognizedItem; text: string; failure: string | null }[],
  addedTime: number | null,
  raw: FusionRow | null,
): FusionRow {
  const counts: Count[] = [];
  const termCounts: Count[] = [];
  for (const { recognized, text } of measured) {
    const { item } = recognized;
    const expected = tokens(item.text);
    counts.push({ errors: editDistance(tokens(text), expected), length: expected.length, speaker: item.speaker });
    termCounts.push(termErrors(tokens(text), expected, item.terms.map(tokens), item.speaker));
  }
  const termCharacters = errorRate(termCounts);
  const before = raw?.termCharacters.rate ?? null;
  return {
    set,
    condition,
    recordings: measured.length,
    failed: measured.filter(({ failure }) => failure !== null).length,
    characters: errorRate(counts),
    termCharacters,
    termErrorsLeft: before === null || before === 0 ? null : (termCharacters.rate ?? 0) / before,
    addedTime,
    details: measured.map(({ recognized, text, failure }) => ({
      file: recognized.item.path,
      expected: recognized.item.text,
      recognized: recognizedText(recognized),
      fused: text,
      failure,
    })),
  };
}

function recognizedText({ segments }: RecognizedItem): string {
  return segments.map(({ segment }) => segment.text).join(' ');
}

/** Error rates of the romanization with and without tones, over recordings with known syllables. */
export function romanizationErrors(items: readonly RecognizedItem[]): { withTone: ErrorRate; withoutTone: ErrorRate } {
  const rateOf = (part: (unit: string) => string): ErrorRate =>
    errorRate(
      items.flatMap(({ item, segments }) => {
        if (item.units === null) return [];
        const best = segments.flatMap((segment) =>
          segment.syllables.map(({ alternatives }) => alternatives[0]?.reading ?? ''),
        );
        const units = best.map((reading) => part(parseUnit('cantonese', reading) ?? reading));
        const expected = item.units.map(part);
        return [{ errors: editDistance(units, expected), length: expected.length, speaker: item.speaker }];
      }),
    );
  return { withTone: rateOf((unit) => unit), withoutTone: rateOf((unit) => unit.replace(/[1-6]$/, '')) };
}

const REPETITIONS = 3;

/**
 * Runs pieces of work in turn, three times, and returns the shortest wall-clock time of each, as
 * other load only adds time. Processor time would include busy waiting of the acoustic model's
 * threads.
 */
async function timed<T>(works: readonly (() => Promise<T>)[]): Promise<{ value: T; seconds: number }[]> {
  const results: { value: T; seconds: number }[] = [];
  for (let round = 0; round < REPETITIONS; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedMs = performance.now();
      const value = await work();
      const seconds = (performance.now() - startedMs) / 1_000;
      results[index] = { value, seconds: Math.min(seconds, results[index]?.seconds ?? Infinity) };
    }
  }
  return results;
}
