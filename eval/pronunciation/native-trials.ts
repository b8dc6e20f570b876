import { join } from 'node:path';
import type { PronunciationTarget, TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { createRandom } from '#packages/numeric/random.ts';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { errorRate, type ErrorRate } from '../score.ts';
import { analyzeRecording } from './analyze-recording.ts';
import { spreadOf, type Spread } from './learner-figures.ts';
import { otherTexts } from './other-texts.ts';
import { readTable } from './tables.ts';

/** A native's reading of a text. */
export type NativeRecording = { path: string; text: string };
/** The same with the syllables of the text. */
export type NativeSpeech = NativeRecording & { units: Units };

/** Recordings of natives by what they have in common. */
export type NativeSet = { name: string; language: SyllabicLanguage; recordings: readonly NativeSpeech[] };

/** How a text differs from what was spoken. */
const NATIVE_TEXTS = [
  'own',
  'one tone exchanged',
  'one syllable exchanged',
  'two syllables exchanged',
  'one syllable more',
  'another',
] as const;
type NativeText = (typeof NATIVE_TEXTS)[number];

/** Scores of one recording by text; `refused`: the code of the error that refused it. */
export type NativeTrial = { text: string; scores: Record<NativeText, number[]>; refused: string | null };

type Units = readonly (TargetSyllable | TargetOther)[];

/** Sentences read by native speakers of Cantonese. */
const SET = 'yue-sentences-dev';
const VARIATIONS = 4;
const OTHERS = 3;
const TONES: Readonly<Record<SyllabicLanguage, number>> = { cantonese: 6, mandarin: 4 };

/** The recordings of natives in the folders, or null. */
export async function findNatives(folders: readonly string[], limit: number): Promise<NativeRecording[] | null> {
  const table = await readTable(folders, SET);
  if (table === null) return null;
  return table.rows.slice(0, limit).map(({ file = '', text = '' }) => ({ path: join(table.folder, file), text }));
}

/** Recordings in Cantonese with the syllables of their texts. */
export async function nativeSet(recordings: readonly NativeRecording[]): Promise<NativeSet> {
  const read = recordings.map(async (recording) => ({ ...recording, units: await readUnits(recording.text) }));
  return {
    name: 'sentences by native speakers of Cantonese',
    language: 'cantonese',
    recordings: await Promise.all(read),
  };
}

/**
 * Scores each recording with its text, with four small variations of three kinds, and with three
 * other texts.
 */
export async function runNativeTrials(
  { language, recordings }: NativeSet,
  scorer: Scorer,
  onProgress: (count: number) => void,
): Promise<NativeTrial[]> {
  const random = createRandom(7);
  const later = createRandom(8);
  const texts = recordings.map(({ text }) => text);
  const targets = recordings.map(({ units }) => units);
  const syllables = targets.flat().filter((unit) => unit.kind === 'syllable');
  const otherIndexes = otherTexts(texts, OTHERS);
  const trials: NativeTrial[] = [];
  for (const [index, { path, text }] of recordings.entries()) {
    const analysis = await analyzeRecording(scorer, path);
    const ownUnits = targets[index]!;
    const score = (units: Units) => {
      if ('refused' in analysis) return 0;
      return scorer.assess(analysis, { language, units } satisfies PronunciationTarget).score;
    };
    const varied = (vary: (units: Units) => Units) => Array.from({ length: VARIATIONS }, () => score(vary(ownUnits)));
    const scores: NativeTrial['scores'] = {
      own: [score(ownUnits)],
      'one tone exchanged': varied((units) => exchangeTone(units, TONES[language], random)),
      'one syllable exchanged': varied((units) => exchangeSyllable(units, syllables, random)),
      'one syllable more': varied((units) => insertSyllable(units, syllables, random)),
      'two syllables exchanged': [],
      another: otherIndexes[index]!.map((other) => score(targets[other]!)),
    };
    const twice = (units: Units) => exchangeSyllable(exchangeSyllable(units, syllables, later), syllables, later);
    scores['two syllables exchanged'] = varied(twice);
    trials.push({ text, scores, refused: 'refused' in analysis ? analysis.refused : null });
    onProgress(index + 1);
  }
  return trials;
}

async function readUnits(text: string): Promise<Units> {
  const target = await readTarget(text, 'cantonese');
  return target.language === 'english' ? [] : target.units;
}

const pick = <Item>(list: readonly Item[], random: () => number): Item => list[Math.floor(random() * list.length)]!;
const base = (reading: string): string => reading.slice(0, -1);

/** Replaces the readings of one syllable. */
function replaceOne(units: Units, random: () => number, replace: (unit: TargetSyllable) => string): Units {
  const chosen = pick(
    units.filter((unit) => unit.kind === 'syllable'),
    random,
  );
  return units.map((unit) => (unit === chosen ? { ...chosen, readings: [replace(chosen)] } : unit));
}

/** A tone that no accepted reading of the syllable has. */
function exchangeTone(units: Units, count: number, random: () => number): Units {
  return replaceOne(units, random, ({ readings }) => {
    const tones = Array.from({ length: count }, (_, tone) => String(tone + 1));
    return (
      base(readings[0]!) +
      pick(
        tones.filter((tone) => !readings.some((reading) => reading.endsWith(tone))),
        random,
      )
    );
  });
}

/** A syllable with another onset or rime than every accepted reading. */
function exchangeSyllable(units: Units, syllables: readonly TargetSyllable[], random: () => number): Units {
  return replaceOne(units, random, ({ readings }) => {
    const different = syllables.filter((other) =>
      readings.every((reading) => base(reading) !== base(other.readings[0]!)),
    );
    return pick(different, random).readings[0]!;
  });
}

function insertSyllable(units: Units, syllables: readonly TargetSyllable[], random: () => number): Units {
  const place = Math.floor(random() * (units.length + 1));
  return [...units.slice(0, place), pick(syllables, random), ...units.slice(place)];
}

export type NativeFigures = { text: NativeText; passed: ErrorRate; highest: number } & Spread;

/** Share that passes and spread of the scores, by text; intervals are by recording. */
export function nativeFigures(language: SyllabicLanguage, trials: readonly NativeTrial[]): NativeFigures[] {
  return NATIVE_TEXTS.map((text) => {
    const lists = trials.map(({ scores }) => scores[text]);
    const passed = lists.map((list) => ({
      errors: list.filter((score) => score >= PASS_MARKS[language]).length,
      length: list.length,
      speaker: null,
    }));
    return { text, passed: errorRate(passed), highest: Math.max(...lists.flat()), ...spreadOf(lists.flat()) };
  });
}
