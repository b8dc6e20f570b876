import { join } from 'node:path';
import type { PronunciationTarget, SpeakerRegister } from '@jyutsing/contracts/pronunciation';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { spread } from '../run.ts';
import { findExistingSyllables, type ExistingSyllables } from './existing-syllables.ts';
import { analyzeRecording } from './analyze-recording.ts';
import { isTestRecording, TEST_SPEAKER_CMN } from './held-out.ts';
import { canonicalSyllable, minimalPairs, type PairKind } from './minimal-pairs.ts';
import { readTable } from './tables.ts';

/**
 * Recordings of single syllables in canonical spelling. `left`: labels that are invalid or in the
 * neutral tone.
 */
export type SyllableSet = {
  name: string;
  language: SyllabicLanguage;
  recordings: { path: string; syllable: string }[];
  left: number;
  /** Caveat about the labels that readers of the figures need to know, or null. */
  caveat: string | null;
};

/** Scores of one recording against its own syllable and all minimal pairs. */
export type SyllableTrials = {
  spoken: string;
  /** Score against its own syllable; 0 if the service refuses the recording. */
  own: number;
  /** Error code, or null. */
  refused: string | null;
  pairs: { syllable: string; kind: PairKind; isVariant: boolean; score: number }[];
};

/** A learner's register is known well after a few recordings. */
export const EARLIER_RECORDINGS = 5;

/** Tables of single syllables, with the recordings that were excluded from training. */
const SOURCES: readonly {
  table: string;
  name: string;
  language: SyllabicLanguage;
  column: string;
  isKept: (row: Readonly<Record<string, string>>) => boolean;
  caveat: string | null;
}[] = [
  {
    table: 'yue-syllables-other',
    name: 'Cantonese syllables, voices never trained on',
    language: 'cantonese',
    column: 'jyutping',
    isKept: () => true,
    // The labels are of unknown origin; many rejected own texts and accepted other tones are
    // labeling errors.
    caveat: 'about one label in ten has the wrong tone, according to the pitch',
  },
  {
    table: 'yue-syllables-kt',
    name: 'Cantonese syllables, held-out ones of the voice trained on',
    language: 'cantonese',
    column: 'jyutping',
    isKept: (row) => isTestRecording(row['file'] ?? ''),
    caveat: null,
  },
  {
    table: 'cmn-words',
    name: 'Mandarin syllables, a voice never trained on',
    language: 'mandarin',
    column: 'pinyin',
    isKept: (row) => row['speaker'] === TEST_SPEAKER_CMN,
    caveat: null,
  },
];

/**
 * Finds sets of single syllables in the folders, or the one whose table is named `only`, each
 * limited to `limit` evenly spread recordings.
 */
export async function findSyllableSets(
  folders: readonly string[],
  limit: number,
  only: string | null = null,
): Promise<SyllableSet[]> {
  const sets: SyllableSet[] = [];
  for (const { table, name, language, column, isKept, caveat } of SOURCES) {
    if (only !== null && table !== only) continue;
    const found = await readTable(folders, table);
    if (found === null) continue;
    const rows = found.rows.filter(isKept);
    const recordings = rows.flatMap((row) => {
      const syllable = canonicalSyllable(language, row[column] ?? '');
      return syllable === null ? [] : [{ path: join(found.folder, row['file'] ?? ''), syllable }];
    });
    if (recordings.length === 0) continue;
    const left = rows.length - recordings.length;
    sets.push({ name, language, recordings: spread(recordings, limit), left, caveat });
  }
  return sets;
}

/** Target of a single syllable without a character, which would add other readings. */
function syllableTarget(language: SyllabicLanguage, syllable: string): PronunciationTarget {
  return { language, units: [{ kind: 'syllable', text: syllable, readings: [syllable], afterPause: false }] };
}

/**
 * Scores the recordings of a set against their own syllable and its minimal pairs. With `earlier`,
 * the register of the speaker is known from that many other recordings of the set, which has one
 * speaker.
 */
export async function runSyllableTrials(
  set: SyllableSet,
  scorer: Scorer,
  existing: ExistingSyllables,
  { earlier, onProgress }: { earlier: number; onProgress: (count: number) => void },
): Promise<SyllableTrials[]> {
  const { recordings, language } = set;
  const trials: SyllableTrials[] = [];
  const analyze = memoizeLast(earlier + 1, (index) => analyzeRecording(scorer, recordings[index]!.path));
  for (const [index, { syllable: spoken }] of recordings.entries()) {
    const analysis = await analyze(index);
    let register: SpeakerRegister | null = null;
    for (let step = 1; step <= earlier; step++) {
      const other = (index + step) % recordings.length;
      const earlierAnalysis = await analyze(other);
      if ('refused' in earlierAnalysis) continue;
      const target = syllableTarget(language, recordings[other]!.syllable);
      register = scorer.assess(earlierAnalysis, target, register).register ?? register;
    }
    if ('refused' in analysis) {
      trials.push({ spoken, own: 0, refused: analysis.refused, pairs: [] });
    } else {
      const scoreOf = (syllable: string) => scorer.assess(analysis, syllableTarget(language, syllable), register).score;
      const pairs = minimalPairs(language, spoken, existing.syllables);
      trials.push({
        spoken,
        own: scoreOf(spoken),
        refused: null,
        pairs: pairs.map((pair) => ({ ...pair, score: scoreOf(pair.syllable) })),
      });
    }
    onProgress(trials.length);
  }
  return trials;
}

/** Keeps the last few results. */
function memoizeLast<Result>(count: number, make: (index: number) => Promise<Result>) {
  const made = new Map<number, Promise<Result>>();
  return (index: number): Promise<Result> => {
    const result = made.get(index) ?? make(index);
    made.set(index, result);
    const [oldest] = made.keys();
    if (made.size > count && oldest !== undefined) made.delete(oldest);
    return result;
  };
}

/** Reads the dictionaries once per language, as that takes a moment. */
export function existingSyllablesReader(folders: readonly string[]) {
  const read = new Map<SyllabicLanguage, Promise<ExistingSyllables>>();
  return (language: SyllabicLanguage): Promise<ExistingSyllables> => {
    const existing = read.get(language) ?? findExistingSyllables(language, folders);
    read.set(language, existing);
    return existing;
  };
}
