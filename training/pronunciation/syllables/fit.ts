// Fits models/{yue,cmn}/pronunciation.json: node training/pronunciation/syllables/fit.ts --sets
// RECORDINGS [--models MODELS] [--limit N] [--ears alone|pooled] [--odds FILE] RECORDINGS holds
// yue-syllables-kt.tsv, cmn-words.tsv and their folders. yue-syllables-other is not used.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadLanguageModel } from '#packages/engines/builtin/decoder/language-model.ts';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import type { Calibration } from '#packages/engines/builtin/pronunciation/calibration.ts';
import { equalError, fitLine, shareBelow, syllableOdds, type WeightedOdds } from './fit-line.ts';
import { PARTS, type Part, type PartOdds } from './part-odds.ts';
import { EARS, measureSource, SOURCES, type Ears } from './sources.ts';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '.' },
    models: { type: 'string', default: resolve(import.meta.dirname, '../../../models') },
    limit: { type: 'string', default: '100000' },
    // The lines that are fitted; the others stay.
    ears: { type: 'string', multiple: true, default: [...EARS] },
    // Cache of all measured odds, so that fitting again takes a moment.
    odds: { type: 'string' },
  },
});

type Lines = Pick<Calibration, Part>;

/**
 * Prior: a syllable is as likely right as wrong, and these are the shares of mistakes by part;
 * learners' tones are worst. Each part's odds, fitted on equal numbers of right and wrong examples,
 * are weighted by its share.
 */
const MISTAKE_SHARES: Readonly<Record<Part, number>> = { onset: 0.3, rime: 0.3, tone: 0.4 };

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Weights right and wrong examples of every source equally. */
function weigh(sources: readonly (readonly PartOdds[])[], part: Part): WeightedOdds[] {
  return sources.flatMap((source) => {
    const spoken = source.map((odds) => odds[part].spoken);
    const rivals = source.flatMap((odds) => odds[part].rivals);
    return [
      ...spoken.map((oddsLogp) => ({ oddsLogp, isRight: true, weight: 1_000 / spoken.length })),
      ...rivals.map((oddsLogp) => ({ oddsLogp, isRight: false, weight: 1_000 / rivals.length })),
    ];
  });
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
const percent = (share: number): number => rounded(share * 100);

/** Sources for the lines of a language. */
type FittedOn = Record<Part, readonly Record<Ears, PartOdds[]>[]>;

/** Odds by source and by who heard. */
type ByEars<Name extends string> = Record<Name, Record<Ears, PartOdds[]>>;

const fittedEars = EARS.filter((ears) => values.ears.includes(ears));

function fitLines(sources: FittedOn): Partial<Record<Ears, Lines>> {
  return Object.fromEntries(fittedEars.map((ears) => [ears, fitLinesOf(sources, ears)]));
}

function fitLinesOf(sources: FittedOn, ears: Ears): Lines {
  const lineOf = (part: Part) => {
    const odds = sources[part].map((source) => source[ears]);
    const { slope, offset } = fitLine(weigh(odds, part));
    return { slope: rounded(slope), offset: rounded(offset - Math.log(MISTAKE_SHARES[part])) };
  };
  return { onset: lineOf('onset'), rime: lineOf('rime'), tone: lineOf('tone') };
}

/** Errors of a source: of each part alone, and of the whole at the pass mark and at equal error. */
function figures(source: readonly PartOdds[], lines: Lines) {
  const whole = (odds: PartOdds, changed: Part | null, rival: number): number =>
    syllableOdds(PARTS.map((part) => ({ oddsLogp: part === changed ? rival : odds[part].spoken, line: lines[part] })));
  const right = source.map((odds) => whole(odds, null, 0));
  const byPart = PARTS.map((part) => {
    const wrong = source.flatMap((odds) => odds[part].rivals.map((rival) => whole(odds, part, rival)));
    const alone = equalError(
      source.map((odds) => odds[part].spoken),
      source.flatMap((odds) => odds[part].rivals),
    );
    return {
      wrong,
      figures: {
        equalErrorOfPartAlone: percent(alone.error),
        equalError: percent(equalError(right, wrong).error),
        passWrongly: percent(1 - shareBelow(Float64Array.from(wrong).sort(), 0)),
      },
    };
  });
  const all = byPart.flatMap(({ wrong }) => wrong);
  return {
    recordings: source.length,
    refusedWrongly: percent(shareBelow(Float64Array.from(right).sort(), 0)),
    passWrongly: percent(1 - shareBelow(Float64Array.from(all).sort(), 0)),
    equalErrorOfAllPairs: percent(equalError(right, all).error),
    ...Object.fromEntries(PARTS.map((part, index) => [part, byPart[index]!.figures])),
  };
}

async function writeModel(language: SyllabicLanguage, lines: Partial<Record<Ears, Lines>>, sources: ByEars<string>) {
  const files = modelFiles(values.models, language);
  const { syllables } = loadLanguageModel(files.languageModel);
  const bases = new Set(
    syllables.flatMap((syllable) => (/^[a-zü]+[1-6]$/.test(syllable) ? [syllable.slice(0, -1)] : [])),
  );
  const path = join(dirname(files.acoustic), 'pronunciation.json');
  const before = JSON.parse(await readFile(path, 'utf8')) as { pooled: object; syllables: string[] };
  const figuresBy = (ears: Ears) =>
    Object.fromEntries(Object.entries(sources).map(([name, odds]) => [name, figures(odds[ears], lines[ears]!)]));
  const model = {
    ...before,
    ...(lines.alone === undefined ? {} : { ...lines.alone, figures: figuresBy('alone') }),
    // The weights and the relief come from training/pronunciation/pool.
    pooled: {
      ...before.pooled,
      ...(lines.pooled === undefined ? {} : { ...lines.pooled, figures: figuresBy('pooled') }),
    },
    syllables: [...bases].sort(),
  };
  await writeFile(path, `${JSON.stringify(model)}\n`);
  print(`${language}: ${JSON.stringify({ ...model, syllables: model.syllables.length }, null, 1)}`);
}

type Measured = ByEars<keyof typeof SOURCES>;

async function measureAll(): Promise<Measured> {
  const kept = values.odds === undefined ? null : await readFile(values.odds, 'utf8').catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Measured;
  const measured = {} as Measured;
  for (const name of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) {
    measured[name] = await measureSource(SOURCES[name], values, fittedEars);
    print(`${SOURCES[name].name}: ${measured[name].pooled.length}`);
  }
  if (values.odds !== undefined) await writeFile(values.odds, JSON.stringify(measured));
  return measured;
}

const { knownVoice, ktAsOthers, unknownVoice, cwAsOthers } = await measureAll();
// Only one real voice is unknown to the models, so it is used for both languages.
const cantonese = [ktAsOthers, unknownVoice];
const mandarin = [unknownVoice, cwAsOthers];
// Converted voices have registers that do not match their timbre, so real ones weigh twice as much.
const tones = [knownVoice, ktAsOthers, unknownVoice];
await writeModel('cantonese', fitLines({ onset: cantonese, rime: cantonese, tone: tones }), { knownVoice, ktAsOthers });
await writeModel('mandarin', fitLines({ onset: mandarin, rime: mandarin, tone: [unknownVoice] }), {
  unknownVoice,
  cwAsOthers,
});
