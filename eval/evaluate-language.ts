import { toAppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { measure, NO_COSTS, type Costs } from './measure.ts';
import type { EvaluationSet } from './read-set.ts';
import { errorRate, type ErrorRate } from './score.ts';
import type { EngineLocation, LanguageTask } from './tasks.ts';

/**
 * Number of clips of each language (outer key) identified as each (inner key); `none`: no speech
 * detected.
 */
type Confusions = Record<Language, Record<Language | 'none', number>>;

/** Result of a language identifier on the clips of one set. */
export type LanguageRow = Costs & {
  set: string;
  identifier: string;
  version: string;
  recordings: number;
  clips: number;
  /**
   * Recordings that could not be read, and clips on which the identifier failed; the latter also
   * count as wrong.
   */
  failed: number;
  /** Over all clips, and per language where the set has several. */
  errors: ({ what: string } & ErrorRate)[];
  confusions: Confusions;
  failure: string | null;
};

type Identifier = { name: string; version: string };

/**
 * Measures the identifier on clips of a set; a crash becomes the row's `failure`. `onProgress` gets
 * the count of recordings done.
 */
export async function evaluateLanguage(
  set: EvaluationSet,
  identifier: Identifier,
  options: EngineLocation & Pick<LanguageTask, 'clipSeconds' | 'wholeFromSeconds' | 'among'>,
  onProgress: (count: number) => void,
): Promise<LanguageRow> {
  const row: LanguageRow = {
    set: set.name,
    identifier: identifier.name,
    version: identifier.version,
    recordings: set.items.length,
    clips: 0,
    failed: 0,
    errors: [],
    confusions: noConfusions(),
    failure: null,
    ...NO_COSTS,
  };
  try {
    const recordings = set.items.map(({ path, language, speaker }) => ({ path, language, speaker }));
    const payload: LanguageTask = { ...options, engine: identifier.name, recordings };
    const { clips, failed, costs } = await measure({ kind: 'language', payload }, onProgress);
    if (clips.length === 0) {
      const why = failed[0]?.reason ?? `no recording has ${options.clipSeconds} seconds of speech by one speaker`;
      return { ...row, failed: failed.length, failure: why };
    }
    for (const { language, identified } of clips) row.confusions[language][identified ?? 'none'] += 1;
    const languages = LANGUAGES.filter((language) => clips.some((clip) => clip.language === language));
    const [first] = languages;
    const errors = (languages.length > 1 ? [null, ...languages] : [first ?? null]).map((only) => {
      const selected = clips.filter(({ language }) => only === null || language === only);
      const counts = selected.map(({ language, identified, speaker }) => ({
        errors: identified === language ? 0 : 1,
        length: 1,
        // The same name in two languages may be two people.
        speaker: speaker === null ? null : `${language} ${speaker}`,
      }));
      return { what: only ?? 'all languages', ...errorRate(counts) };
    });
    return { ...row, clips: clips.length, failed: failed.length, errors, ...costs };
  } catch (thrown) {
    return { ...row, failure: toAppError(thrown).message };
  }
}

/** Sums the confusions of several sets. */
export function addConfusions(rows: readonly LanguageRow[]): Confusions {
  const sum = noConfusions();
  for (const { confusions } of rows) {
    for (const spoken of LANGUAGES) {
      for (const identified of [...LANGUAGES, 'none'] as const)
        sum[spoken][identified] += confusions[spoken][identified];
    }
  }
  return sum;
}

function noConfusions(): Confusions {
  const none = { cantonese: 0, mandarin: 0, english: 0, none: 0 };
  return { cantonese: { ...none }, mandarin: { ...none }, english: { ...none } };
}
