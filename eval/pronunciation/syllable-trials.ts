import { join } from 'node:path';
import type { PronunciationTarget } from '@jyutsing/contracts/pronunciation';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { spread } from '../run.ts';
import { findExistingSyllables, type ExistingSyllables } from './existing-syllables.ts';
import { hearFile } from './hear-file.ts';
import { isTestRecording, TEST_SPEAKER_CMN } from './held-out.ts';
import { canonicalSyllable, minimalPairs, type PairKind } from './minimal-pairs.ts';
import { readTable } from './tables.ts';

/** Recordings of single syllables; `syllable` in canonical spelling. `left` labels are no syllables, or have the neutral tone. */
export type SyllableSet = {
  name: string;
  language: SyllabicLanguage;
  recordings: { path: string; syllable: string }[];
  left: number;
  /** What whoever reads the figures must know of the labels, or null. */
  caveat: string | null;
};

/** One recording held against its own syllable and against every minimal pair. */
export type SyllableTrials = {
  said: string;
  /** Against its own syllable; 0 for a recording that the service would refuse. */
  own: number;
  /** The code of the error, or null. */
  refused: string | null;
  pairs: { syllable: string; kind: PairKind; isVariant: boolean; score: number }[];
};

/** Which tables hold single syllables, and which of their recordings nothing was learnt from. */
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
    // They were labelled by nobody known; that many own texts are rejected, and other tones accepted, with good reason.
    caveat: 'about one label in ten names another tone than is said, by a check of the pitch',
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

/** The sets of single syllables in the folders, each with at most `limit` recordings spread over it. */
export async function findSyllableSets(folders: readonly string[], limit: number): Promise<SyllableSet[]> {
  const sets: SyllableSet[] = [];
  for (const { table, name, language, column, isKept, caveat } of SOURCES) {
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

/** A single syllable as a target, so that no character brings other readings with it. */
export function syllableTarget(language: SyllabicLanguage, syllable: string): PronunciationTarget {
  return { language, units: [{ kind: 'syllable', text: syllable, readings: [syllable], afterPause: false }] };
}

/** Scores every recording of a set against its own syllable and against its minimal pairs; `onDone` hears how many recordings are done. */
export async function runSyllableTrials(
  set: SyllableSet,
  scorer: Scorer,
  existing: ExistingSyllables,
  onDone: (count: number) => void,
): Promise<SyllableTrials[]> {
  const trials: SyllableTrials[] = [];
  for (const { path, syllable: said } of set.recordings) {
    const hearing = await hearFile(scorer, path);
    if ('refused' in hearing) {
      trials.push({ said, own: 0, refused: hearing.refused, pairs: [] });
    } else {
      const scoreOf = (syllable: string) => scorer.assess(hearing, syllableTarget(set.language, syllable)).score;
      const pairs = minimalPairs(set.language, said, existing.syllables);
      trials.push({
        said,
        own: scoreOf(said),
        refused: null,
        pairs: pairs.map((pair) => ({ ...pair, score: scoreOf(pair.syllable) })),
      });
    }
    onDone(trials.length);
  }
  return trials;
}

/** Reading the dictionaries takes a moment: once for each language. */
export function existingSyllablesReader(folders: readonly string[]) {
  const read = new Map<SyllabicLanguage, Promise<ExistingSyllables>>();
  return (language: SyllabicLanguage): Promise<ExistingSyllables> => {
    const known = read.get(language) ?? findExistingSyllables(language, folders);
    read.set(language, known);
    return known;
  };
}
