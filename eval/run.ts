import { join } from 'node:path';
import { replaceFile } from '@jyutsing/system/replace-file';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { loadEngines } from '@jyutsing/engines/registry';
import { evaluateLanguage, type LanguageRow } from './evaluate-language.ts';
import { evaluateStt, measurable, type SttRow } from './evaluate-stt.ts';
import { readSets, splitByLanguage, type SetLocations } from './find-sets.ts';
import { findSubjects } from './models.ts';
import { startProgress } from './progress.ts';
import type { EvaluationSet } from './read-set.ts';
import type { TimestampRow } from './evaluate-timestamps.ts';
import { languageReport, sttReport, timestampReport, type TableFormat } from './report.ts';
import type { EngineLocation } from './tasks.ts';

export type EvaluationOptions = {
  locations: SetLocations;
  /** Whether to include the synthetic sentences of this project. */
  ownSentences: boolean;
  languages: readonly Language[];
  /** Maximum recordings per set and language, evenly spread. */
  limit: number;
  place: EngineLocation;
  jsonPath: string | null;
  format: TableFormat;
};

/** Cache of synthetic speech. */
export const CACHE_FOLDER = join(import.meta.dirname, '../.cache/evaluate');

/**
 * Measures every model on every set and prints the table. Exit status 1 when a row failed; AppError
 * for bad options or sets.
 */
export async function runStt(options: EvaluationOptions & { models: readonly string[] }): Promise<number> {
  const { subjects, unavailable } = await findSubjects(options.place, options.models);
  const sets = await collectSets(options);
  if (options.models.length === 0 && unavailable.length > 0) {
    console.error(`not measured, because not available: ${unavailable.join(', ')}`);
  }
  const rows: SttRow[] = [];
  for (const set of sets) {
    const supporting = subjects.filter(({ languages }) => languages.includes(set.language));
    const measured = supporting.filter((subject) => measurable(set, subject).length > 0);
    if (measured.length === 0) {
      const why =
        supporting.length === 0
          ? `no model for ${set.language}`
          : 'its rows have neither text nor units for the models';
      console.error(`${set.name}: skipped, ${why}`);
    }
    for (const subject of measured) {
      const progress = startProgress(`${set.name}, ${subject.name}`, measurable(set, subject).length);
      const row = await evaluateStt(set, subject, options.place, progress.done);
      progress.finish(row.failure === null ? 'done' : `failed: ${row.failure}`);
      rows.push(row);
      await writeJson(options, { kind: 'stt', rows });
    }
  }
  console.log(sttReport(rows, options.format));
  return rows.some((row) => row.failure !== null) ? 1 : 0;
}

/** Measures the language identifier on clips of every set, like `runStt`. */
export async function runLanguage(options: EvaluationOptions & { clipSeconds: number }): Promise<number> {
  const ref = (await loadEngines(options.place)).select('language-identifier');
  const identifier = { name: ref.engine, version: ref.version };
  const sets = new Map<string, EvaluationSet>();
  for (const part of await collectSets(options)) {
    const name = part.setName;
    sets.set(name, { name, items: [...(sets.get(name)?.items ?? []), ...part.items] });
  }
  const rows: LanguageRow[] = [];
  const { place, clipSeconds } = options;
  for (const set of sets.values()) {
    const progress = startProgress(`${set.name}, ${identifier.name}`, set.items.length);
    const row = await evaluateLanguage(set, identifier, { ...place, clipSeconds, among: LANGUAGES }, progress.done);
    progress.finish(row.failure === null ? `${row.clips} clips` : `failed: ${row.failure}`);
    rows.push(row);
    await writeJson(options, { kind: 'language', clipSeconds, rows });
  }
  console.log(languageReport(rows, options.format));
  return rows.some((row) => row.failure !== null) ? 1 : 0;
}

/** Measures word times on the synthetic sentences, like `runStt`. */
export async function runTimestamps(options: EvaluationOptions): Promise<number> {
  // Loads the synthesizer on demand, as that takes a second.
  const { evaluateTimestamps } = await import('./evaluate-timestamps.ts');
  const { readSentences } = await import('./spoken-sentences.ts');
  const rows: TimestampRow[] = [];
  for (const language of options.languages) {
    const sentences = spread(await readSentences(language), options.limit);
    const progress = startProgress(`times of ${language}`, sentences.length);
    rows.push(await evaluateTimestamps(language, sentences, options.place, progress.done));
    progress.finish('done');
    await writeJson(options, { kind: 'timestamps', rows });
  }
  console.log(timestampReport(rows, options.format));
  return 0;
}

/** Selected parts of all sets, one language each. */
export async function collectSets(
  options: EvaluationOptions,
): Promise<(EvaluationSet & { language: Language; setName: string })[]> {
  // Reads given sets first, so that malformed lines are reported before any synthesis.
  const givenSets = await readSets(options.locations);
  const ownSets = options.ownSentences ? await speakOwnSentences(options.languages) : [];
  const parts = [...ownSets, ...givenSets]
    .flatMap((set) => splitByLanguage(set).map((part) => ({ ...part, setName: set.name })))
    .filter(({ language }) => options.languages.includes(language))
    .map((part) => ({ ...part, items: spread(part.items, options.limit) }));
  if (parts.length === 0) throw new AppError('invalid_parameter', 'No recordings to measure.');
  return parts;
}

async function speakOwnSentences(languages: readonly Language[]): Promise<EvaluationSet[]> {
  // Loads the synthesizer on demand, as that takes a second.
  const { makeSpokenSentences } = await import('./spoken-sentences.ts');
  return makeSpokenSentences(CACHE_FOLDER, languages);
}

/** Selects at most `limit` items, evenly spread, as sets are often sorted by speaker. */
export function spread<T>(items: readonly T[], limit: number): T[] {
  if (items.length <= limit) return [...items];
  return Array.from({ length: limit }, (_, i) => items[Math.floor((i * items.length) / limit)]!);
}

/** Writes the report after every row, so that interrupted measurements keep their results. */
export async function writeJson({ jsonPath }: Pick<EvaluationOptions, 'jsonPath'>, results: object): Promise<void> {
  if (jsonPath === null) return;
  const report = { version: 1, measuredAt: new Date().toISOString(), node: process.version, ...results };
  await replaceFile(jsonPath, `${JSON.stringify(report, null, 1)}\n`);
}
