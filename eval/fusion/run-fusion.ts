import { loadEngines } from '@jyutsing/engines/registry';
import { fusionConditions, type Condition } from './fusion-conditions.ts';
import {
  fusedRow,
  recognizeItem,
  rawRow,
  romanizationErrors,
  type FusionEngines,
  type FusionItem,
  type FusionRow,
  type RecognizedItem,
} from './fuse-recordings.ts';
import { fusionReport, type RomanizationRow } from './fusion-report.ts';
import { PRIVATE, readFusionSentences, speakFusionSentences, type SpokenSentence } from './fusion-sentences.ts';
import { startProgress } from '../progress.ts';
import { collectSets, spread, writeJson, CACHE_FOLDER, type EvaluationOptions } from '../run.ts';
import type { EngineLocation } from '../tasks.ts';

type FusionSet = { name: string; items: FusionItem[] };

/**
 * Measures the effect of fusion on recognized text: on sentences full of names and terms, with and
 * without bias from the request, and on every Cantonese set, where it must do no harm. Prints the
 * tables; exit status 1 when a recording failed.
 */
export async function runFusion(options: EvaluationOptions & { recognizer: string }): Promise<number> {
  const sentences = await readFusionSentences();
  const conditions = fusionConditions(sentences);
  const sets = [
    ...termSets(await speakFusionSentences(CACHE_FOLDER, spread(sentences, options.limit))),
    ...(await generalSets(options)),
  ];
  const engines = await openEngines(options.place, options.recognizer);
  const rows: FusionRow[] = [];
  const romanized: RomanizationRow[] = [];
  for (const set of sets) {
    const items = await recognizeSet(set, engines);
    rows.push(...(await rowsOf(set, items, conditions, engines)));
    romanized.push({ set: set.name, ...romanizationErrors(items) });
    await writeJson(options, { kind: 'fusion', rows, romanized });
  }
  await Promise.all([engines.recognizer.close(), engines.romanizer.close(), engines.corrector.close()]);
  console.log(fusionReport(rows, romanized, options.format));
  return rows.some(({ failed }) => failed > 0) ? 1 : 0;
}

async function openEngines(place: EngineLocation, model: string): Promise<FusionEngines> {
  const registry = await loadEngines(place);
  const correctors = registry.selectAll('corrector');
  const corrector = correctors.find(({ engine }) => engine === 'builtin') ?? registry.select('corrector');
  return {
    recognizer: await registry.open(registry.select('recognizer', { language: 'cantonese', model })),
    romanizer: await registry.open(registry.select('romanizer')),
    corrector: await registry.open(corrector),
  };
}

function termSets(spoken: readonly SpokenSentence[]): FusionSet[] {
  const sets = (['judged', 'tuned'] as const).flatMap((half) =>
    [false, true].map((isPrivate) => ({
      name: `${isPrivate ? 'made-up names' : 'terms of the public corpora'} (${half} half)`,
      items: spoken.filter((item) => item.half === half && (item.topic === PRIVATE) === isPrivate),
    })),
  );
  return sets.filter(({ items }) => items.length > 0);
}

/** Cantonese sets without terms of ours. */
async function generalSets(options: EvaluationOptions): Promise<FusionSet[]> {
  const sets = await collectSets({ ...options, languages: ['cantonese'] });
  return sets
    .map(({ name, items }) => ({
      name,
      items: items.flatMap(({ path, text, units, speaker }) =>
        text === null
          ? []
          : [{ path, text, units, speaker, jyutping: '', terms: [], topic: '', half: 'judged' as const }],
      ),
    }))
    .filter(({ items }) => items.length > 0);
}

async function recognizeSet(set: FusionSet, engines: FusionEngines): Promise<RecognizedItem[]> {
  const progress = startProgress(`${set.name}: recognition`, set.items.length);
  const recognized: RecognizedItem[] = [];
  const [first] = set.items;
  // Warm-up: the first inference of a process allocates and compiles, which must not be timed.
  if (first !== undefined) await recognizeItem(first, engines);
  for (const item of set.items) {
    recognized.push(await recognizeItem(item, engines));
    progress.done(recognized.length);
  }
  progress.finish(`${recognized.length} recordings`);
  return recognized;
}

async function rowsOf(
  set: FusionSet,
  items: readonly RecognizedItem[],
  conditions: readonly Condition[],
  engines: FusionEngines,
): Promise<FusionRow[]> {
  const raw = rawRow(set.name, items);
  const rows = [raw];
  for (const condition of conditions) {
    const row = await fusedRow(set.name, items, condition, engines, raw);
    if (row !== null) rows.push(row);
  }
  return rows;
}
