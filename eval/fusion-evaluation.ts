import type { CorrectionSegment, Corrector, Term } from '@jyutsing/contracts/corrector';
import { toAppError } from '@jyutsing/contracts/errors';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import type { Romanizer } from '@jyutsing/contracts/romanizer';
import { fuse } from '#server/features/transcription/fusion/fuse.ts';
import { parseUnit, textTokens } from './tokens.ts';
import { editDistance, errorRate, type Count, type ErrorRate } from './score.ts';
import type { Condition } from './fusion-conditions.ts';
import type { FusionSentence } from './fusion-sentences.ts';
import { termErrors } from './fusion-score.ts';
import { decodeRecording } from './sound.ts';

/** One recording that fusion is measured on. Without terms only the whole text counts. */
export type FusionItem = FusionSentence & { path: string; units: string[] | null; speaker: string | null };

/** What was recognised in a recording, and what it cost in seconds. */
export type HeardItem = {
  item: FusionItem;
  segments: CorrectionSegment[];
  /** Of recognition alone, and of recognition with the romanising pass. */
  plainSeconds: number;
  romanizedSeconds: number;
};

/** One line of the table: a set under a condition. */
export type FusionRow = {
  set: string;
  condition: string;
  recordings: number;
  failed: number;
  characters: ErrorRate;
  termCharacters: ErrorRate;
  /** Wrong characters of terms ÷ those of the text as recognised; null where there are none. */
  termErrorsLeft: number | null;
  /** Time of romanising and correcting ÷ that of recognition. */
  addedTime: number | null;
  details: { file: string; expected: string; recognized: string; fused: string; failure: string | null }[];
};

/** What works in an evaluation. */
export type FusionEngines = { recognizer: Recognizer; romanizer: Romanizer; corrector: Corrector };

const CHUNK_BUDGET_MS = 60_000;
const { signal } = new AbortController();

/** Recognises a recording with its syllables and without, so that their price is known. Throws as the engines do. */
export async function hearItem(item: FusionItem, engines: FusionEngines): Promise<HeardItem> {
  const hears = [
    () => recognizeRomanized(item.path, engines),
    async () => (await recognize(item.path, engines.recognizer, false)).map((each) => ({ ...each, syllables: [] })),
  ];
  const [romanized, plain] = await timed(hears);
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
  if (segments.some(({ syllables: heard }) => heard === null)) {
    const spans = segments.map(({ segment }) => segment);
    for await (const heard of romanizer.romanize(decodeRecording(path), spans, signal)) syllables.push(heard);
  }
  return segments.map(({ segment, syllables: heard }, index) => ({
    segment,
    syllables: heard ?? syllables[index] ?? [],
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

/** The texts as they were recognised. */
export function rawRow(set: string, heard: readonly HeardItem[]): FusionRow {
  const fused = heard.map((each) => ({ heard: each, text: recognizedText(each), failure: null }));
  return toRow(set, 'as recognised', fused, null, null);
}

/** The texts after fusion under a condition, as the service would do it; null where the condition is for none of the recordings. */
export async function fusedRow(
  set: string,
  heard: readonly HeardItem[],
  condition: Condition,
  { corrector }: FusionEngines,
  raw: FusionRow,
): Promise<FusionRow | null> {
  const measured: { heard: HeardItem; text: string; failure: string | null }[] = [];
  let seconds = 0;
  for (const each of heard) {
    const bias = condition.biasOf(each.item);
    if (bias === null) continue;
    try {
      const [fused] = await timed([() => fuseText(each.segments, bias.terms, bias.context, corrector)]);
      seconds += (fused?.seconds ?? 0) + each.romanizedSeconds - each.plainSeconds;
      measured.push({ heard: each, text: fused?.value ?? '', failure: null });
    } catch (thrown) {
      measured.push({ heard: each, text: '', failure: toAppError(thrown).message });
    }
  }
  if (measured.length === 0) return null;
  const recognition = measured.reduce((sum, each) => sum + each.heard.plainSeconds, 0);
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
  measured: readonly { heard: HeardItem; text: string; failure: string | null }[],
  addedTime: number | null,
  raw: FusionRow | null,
): FusionRow {
  const counts: Count[] = [];
  const termCounts: Count[] = [];
  for (const { heard, text } of measured) {
    const { item } = heard;
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
    details: measured.map(({ heard, text, failure }) => ({
      file: heard.item.path,
      expected: heard.item.text,
      recognized: recognizedText(heard),
      fused: text,
      failure,
    })),
  };
}

function recognizedText({ segments }: HeardItem): string {
  return segments.map(({ segment }) => segment.text).join(' ');
}

/** How much of the romanisation is wrong, with tones and without; of the recordings whose syllables are known. */
export function romanizationErrors(heard: readonly HeardItem[]): { withTone: ErrorRate; withoutTone: ErrorRate } {
  const rateOf = (part: (unit: string) => string): ErrorRate =>
    errorRate(
      heard.flatMap(({ item, segments }) => {
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

const MEASURED_TIMES = 3;

/**
 * Does pieces of work in turn, three times, and gives the shortest time of each by the clock: what other programs do to a measurement
 * only makes it longer. Processor time would count the waiting of the acoustic model's threads for one another.
 */
async function timed<T>(works: readonly (() => Promise<T>)[]): Promise<{ value: T; seconds: number }[]> {
  const results: { value: T; seconds: number }[] = [];
  for (let round = 0; round < MEASURED_TIMES; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedMs = performance.now();
      const value = await work();
      const seconds = (performance.now() - startedMs) / 1_000;
      results[index] = { value, seconds: Math.min(seconds, results[index]?.seconds ?? Infinity) };
    }
  }
  return results;
}
