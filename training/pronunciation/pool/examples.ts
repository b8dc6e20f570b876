import { join } from 'node:path';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { openListener } from '#packages/engines/builtin/listener/listener.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { align } from '#packages/engines/builtin/pronunciation/align.ts';
import {
  evidenceWindow,
  modelToneLogp,
  soundingFrames,
} from '#packages/engines/builtin/pronunciation/attempt-frames.ts';
import { hearAttempt } from '#packages/engines/builtin/pronunciation/hear-attempt.ts';
import { openSyllableTools } from '#packages/engines/builtin/pronunciation/open-syllable-tools.ts';
import { segmentFit } from '#packages/engines/builtin/pronunciation/part-evidence.ts';
import { createEvidenceScorer } from '#packages/engines/builtin/pronunciation/pooled-evidence.ts';
import { joinDoubles, type SegmentEvidence } from '#packages/engines/builtin/pronunciation/segment-evidence.ts';
import type { Reading, SyllableSounds } from '#packages/engines/builtin/pronunciation/syllable-sounds.ts';
import { createToneJudge } from '#packages/engines/builtin/pronunciation/tones/create-tone-judge.ts';
import type { AcousticAnalysis, ToneJudge } from '#packages/engines/builtin/pronunciation/types.ts';
import { analyzeRecording } from '../../../eval/pronunciation/analyze-recording.ts';
import { isTestRecording, TEST_SPEAKER_CMN } from '../../../eval/pronunciation/held-out.ts';
import { readTable } from '../../../eval/pronunciation/tables.ts';
import { spread } from '../../../eval/run.ts';

/** A spoken syllable with the evidence of each model and of its contour. */
export type Example = {
  /** Number of the recording; of the sentences each has another speaker. */
  speaker: number;
  reading: Reading;
  sounds: SyllableSounds;
  first: SegmentEvidence;
  further: SegmentEvidence;
  contourLogp: readonly number[];
  modelLogp: readonly number[];
};

/**
 * Least share of a text that must be found, and median log-posterior of its syllables to the first
 * model: recordings that hold half of their text, or another language, teach nothing.
 */
const LEAST_FOUND = 0.85;
const LEAST_FIT = -6;

type Item = { path: string; text: string };
type Place = { sets: string; models: string; limit: number };

/** Syllables of sentences, which only Cantonese has, and alone, held out of all training. */
export async function collectExamples(language: SyllabicLanguage, { sets, models, limit }: Place) {
  const read = async (name: string, column: string, isKept: (row: Readonly<Record<string, string>>) => boolean) => {
    const table = await readTable([sets], name);
    const rows = spread(table?.rows.filter(isKept) ?? [], limit);
    return rows.map((row): Item => ({ path: join(table!.folder, row['file'] ?? ''), text: row[column] ?? '' }));
  };
  const isCantonese = language === 'cantonese';
  const sentences = isCantonese ? await read('yue-sentences-dev', 'text', () => true) : [];
  const alone = isCantonese
    ? await read('yue-syllables-kt', 'jyutping', ({ file = '' }) => isTestRecording(file))
    : await read(
        'cmn-words',
        'pinyin',
        (row) => row['speaker'] === TEST_SPEAKER_CMN && /[1-4]$/.test(row['pinyin'] ?? ''),
      );
  const collect = await openCollector(language, models);
  return { fluent: await collect(sentences), alone: await collect(alone) };
}

async function openCollector(language: SyllabicLanguage, modelsDir: string) {
  const acoustic = await openAcousticModel(modelFiles(modelsDir, language));
  const listener = await openListener(modelsDir);
  const { sounds } = await openSyllableTools(modelsDir, language, listener.labels[language], acoustic.labels);
  const judgeTones = createToneJudge(language, modelsDir, {
    alone: { contour: 1, models: 0 },
    fluent: { contour: 1, models: 0 },
  });
  const scorer = {
    analyze: (samples: Float32Array) => hearAttempt(samples, language, { acoustic, listener }),
    assess: () => {
      throw new TypeError('examples are not assessed');
    },
    close: async () => {},
  };
  return async (items: readonly Item[]): Promise<Example[]> => {
    const all: Example[] = [];
    for (const [speaker, { path, text }] of items.entries()) {
      const analysis = await analyzeRecording(scorer, path);
      if ('refused' in analysis || analysis.further === undefined) continue;
      all.push(...examplesOf(analysis, await readingsOf(text, language, sounds), { speaker, sounds, judgeTones }));
    }
    return all;
  };
}

async function readingsOf(text: string, language: SyllabicLanguage, sounds: SyllableSounds): Promise<Reading[][]> {
  if (/^\S*[1-6]$/.test(text)) return sounds.read(text) === null ? [] : [[sounds.read(text)!]];
  const { units } = await readTarget(text, language);
  return units.flatMap((unit) =>
    unit.kind === 'syllable' ? [unit.readings.flatMap((written) => sounds.read(written) ?? [])] : [],
  );
}

function examplesOf(
  analysis: AcousticAnalysis,
  units: readonly Reading[][],
  { speaker, sounds, judgeTones }: { speaker: number; sounds: SyllableSounds; judgeTones: ToneJudge },
): Example[] {
  const attempts = align(analysis.posteriors, analysis.labels, units);
  const indexes = attempts.flatMap(({ unit }, index) => (unit === null ? [] : [index]));
  if (indexes.length < LEAST_FOUND * units.length) return [];
  const evidenceOf = {
    first: createEvidenceScorer(null),
    further: createEvidenceScorer({ first: 0, further: 1 }),
  };
  const copy = (kind: keyof typeof evidenceOf, index: number): SegmentEvidence => {
    const segments = evidenceOf[kind](analysis, evidenceWindow(attempts, index, analysis));
    joinDoubles(segments, sounds.doubles);
    return { ...segments, logp: segments.logp.slice() };
  };
  const questions = indexes.map((index) => {
    const readings = units[attempts[index]!.unit!]!;
    return {
      expected: readings.map(({ tone }) => tone),
      rime: sounds.rimeName(readings[0]!.rime),
      ...soundingFrames(attempts, index, analysis),
      modelLogp: modelToneLogp(attempts[index]!, analysis),
    };
  });
  const { answers } = judgeTones(questions, analysis);
  const examples = indexes.map((index, at): Example & { fit: number } => {
    const first = copy('first', index);
    const fitOf = segmentFit(first, sounds);
    const tones = answers[at]!.logp;
    const readings = units[attempts[index]!.unit!]!;
    const fits = readings.map((reading) => fitOf(reading) + (tones[reading.tone - 1] ?? 0));
    const reading = readings[fits.indexOf(Math.max(...fits))]!;
    const { modelLogp } = questions[at]!;
    return {
      speaker,
      reading,
      sounds,
      first,
      further: copy('further', index),
      contourLogp: tones,
      modelLogp,
      fit: fitOf(reading),
    };
  });
  const sorted = examples.map(({ fit }) => fit).sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? -Infinity) < LEAST_FIT ? [] : examples;
}
