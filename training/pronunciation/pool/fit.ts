// Fits `pooled` of models/{yue,cmn}/pronunciation.json: how much each model and the contour count,
// and the lines for fluent speech. node training/pronunciation/pool/fit.ts --sets RECORDINGS
// [--models MODELS] [--limit N] [--write]. RECORDINGS holds yue-sentences-dev.tsv,
// yue-syllables-kt.tsv, cmn-words.tsv and their folders. yue-syllables-other is not used.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { fitLine, type WeightedOdds } from '../syllables/fit-line.ts';
import { collectExamples, type Example } from './examples.ts';
import { oddsOf, poolLogp, toneFit, type Pool, type Tones } from './pool-odds.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '.' },
    models: { type: 'string', default: resolve(import.meta.dirname, '../../../models') },
    limit: { type: 'string', default: '120' },
    write: { type: 'boolean', default: false },
  },
});

const FOLDS = 5;
/** Weights that are tried. */
const FIRST = [0.3, 0.4, 0.5, 0.6, 0.8];
const FURTHER = [0, 0.1, 0.2, 0.3, 0.4];
const CONTOUR = [0.35, 0.5, 0.7, 1];
const MODELS = [0, 0.15, 0.3, 0.5, 0.7, 0.9];
const MISTAKE_SHARES = { onset: 0.3, rime: 0.3, tone: 0.4 } as const;
/**
 * Changes of the fitted lines for fluent speech, chosen so that natives pass and fewer than one in
 * eleven of their sentences with two syllables exchanged does (`npm run eval -- pronunciation
 * --part natives`): flatter, because mistakes of the models come in runs; and a prior for natives,
 * in nats.
 */
const FLATTER = 0.88;
const NATIVE_PRIOR = { onset: 0.45, rime: 0.6, tone: 0.75 } as const;
const PARTS = ['onset', 'rime', 'tone'] as const;

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function best<Choice>(choices: readonly Choice[], fit: (choice: Choice) => number): Choice {
  return choices.map((choice) => ({ choice, value: fit(choice) })).reduce((a, b) => (b.value > a.value ? b : a)).choice;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
const pools: Pool[] = FIRST.flatMap((first) => FURTHER.map((further) => ({ first, further })));
const tones: Tones[] = CONTOUR.flatMap((contour) => MODELS.map((models) => ({ contour, models })));
/** Sentences and single syllables count alike, however many there are. */
const bestPool = (...sets: readonly (readonly Example[])[]): Pool =>
  best(pools, (pool) => mean(sets.map((examples) => mean(examples.map((example) => poolLogp(example, pool))))));
const bestTones = (examples: readonly Example[]): Tones =>
  best(tones, (weights) => mean(examples.map((example) => toneFit(example, weights))));

function linesFor(examples: readonly Example[], pool: Pool, weights: Tones) {
  const line = (part: (typeof PARTS)[number]) => {
    const odds = examples.map((example) => oddsOf(example, part, pool, weights));
    const rivals = odds.flatMap((one) => one.rivals);
    const weighted: WeightedOdds[] = [
      ...odds.map(({ spoken }) => ({ oddsLogp: spoken, isRight: true, weight: 1_000 / odds.length })),
      ...rivals.map((oddsLogp) => ({ oddsLogp, isRight: false, weight: 1_000 / rivals.length })),
    ];
    const { slope, offset } = fitLine(weighted);
    return {
      slope: rounded(FLATTER * slope),
      offset: rounded(offset - Math.log(MISTAKE_SHARES[part]) + NATIVE_PRIOR[part]),
    };
  };
  return { onset: line('onset'), rime: line('rime'), tone: line('tone') };
}

/** Share of right parts refused and of wrong ones accepted at even odds, on recordings left out. */
function errorsLeftOut(examples: readonly Example[]): string {
  const found = { onset: [0, 0, 0, 0], rime: [0, 0, 0, 0], tone: [0, 0, 0, 0] };
  for (let fold = 0; fold < FOLDS; fold++) {
    const isLeftOut = ({ speaker }: Example): boolean => speaker % FOLDS === fold;
    const fitted = examples.filter((example) => !isLeftOut(example));
    const pool = bestPool(fitted);
    const weights = bestTones(fitted);
    const lines = linesFor(fitted, pool, weights);
    for (const example of examples.filter(isLeftOut)) {
      for (const part of PARTS) {
        const { spoken, rivals } = oddsOf(example, part, pool, weights);
        const passes = (oddsLogp: number): boolean => lines[part].slope * oddsLogp + lines[part].offset > 0;
        const counts = found[part];
        counts[0]! += passes(spoken) ? 0 : 1;
        counts[1]! += 1;
        counts[2]! += rivals.filter(passes).length;
        counts[3]! += rivals.length;
      }
    }
  }
  return PARTS.map((part) => {
    const [refused, right, accepted, wrong] = found[part] as [number, number, number, number];
    return `${part}: ${rounded((100 * refused) / right)} % refused, ${rounded((100 * accepted) / wrong)} % accepted`;
  }).join('; ');
}

async function fit(language: SyllabicLanguage): Promise<void> {
  const sets = { sets: values.sets, models: values.models, limit: Number(values.limit) };
  const { fluent, alone } = await collectExamples(language, sets);
  print(`${language}: ${fluent.length} syllables of sentences, ${alone.length} alone`);
  const sentences = fluent.length > 0 ? fluent : alone;
  const pool = bestPool(sentences, alone);
  const spoken = { alone: bestTones(alone), fluent: bestTones(sentences) };
  const lines = linesFor(sentences, pool, spoken.fluent);
  print(JSON.stringify({ pool, tones: spoken, fluent: lines }, null, 1));
  print(`left out, by recording: ${errorsLeftOut(sentences)}`);
  if (!values.write) return;
  const path = `${dirname(modelFiles(values.models, language).acoustic)}/pronunciation.json`;
  const file = JSON.parse(await readFile(path, 'utf8')) as { pooled: object };
  file.pooled = {
    ...file.pooled,
    weights: pool,
    tones: spoken,
    fluent: lines,
  };
  await writeFile(path, `${JSON.stringify(file)}\n`);
}

await fit('cantonese');
await fit('mandarin');
