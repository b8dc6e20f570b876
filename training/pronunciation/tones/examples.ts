import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pinyin } from 'pinyin-pro';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { align } from '#packages/engines/builtin/pronunciation/align.ts';
import { modelToneLogp, soundingFrames } from '#packages/engines/builtin/pronunciation/attempt-frames.ts';
import { syllableSounds } from '#packages/engines/builtin/pronunciation/syllable-sounds.ts';
import {
  measureContours,
  measurePitchCourse,
  type Contour,
} from '#packages/engines/builtin/pronunciation/tones/measure-contour.ts';
import type { ToneQuestion } from '#packages/engines/builtin/pronunciation/types.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

/** One recording: the tone questions of its syllables, and their measured contours. */
export type Example = {
  name: string;
  speaker: string;
  /** Excluded from fitting. */
  isHeldOut: boolean;
  questions: ToneQuestion[];
  contours: (Contour | null)[];
};

export type Recording = { path: string; speaker: string; isHeldOut: boolean; readings: string[] };

/** One recording in ten by its file name, as in training/acoustic/make_recordings.py. */
function isHeldOutFile(path: string): boolean {
  const name = basename(path).replace(/\.[^.]*$/, '');
  return createHash('sha256').update(name).digest().readUInt32BE(0) % 10 === 0;
}

/** The speaker excluded from training of the Mandarin acoustic model. */
const HELD_OUT_SPEAKER = 'cw';

/** Recordings of a language in a folder of sets. */
export async function listRecordings(folder: string, language: SyllabicLanguage): Promise<Recording[]> {
  const name = language === 'cantonese' ? 'yue-syllables-kt.tsv' : 'cmn-words.tsv';
  const [head = '', ...lines] = (await readFile(join(folder, name), 'utf8')).trim().split(/\r?\n/);
  const columns = head.split('\t');
  return lines.flatMap((line) => {
    const cells = line.split('\t');
    const cell = (column: string): string => cells[columns.indexOf(column)] ?? '';
    const path = join(folder, cell('file'));
    const speaker = cell('speaker');
    if (language === 'cantonese') {
      return [{ path, speaker, isHeldOut: isHeldOutFile(path), readings: [cell('jyutping')] }];
    }
    const readings = cell('pinyin') === '' ? readText(cell('text')) : cell('pinyin').split(' ');
    return readings.length === 0 ? [] : [{ path, speaker, isHeldOut: speaker === HELD_OUT_SPEAKER, readings }];
  });
}

/** Pinyin as spoken: a third tone before another becomes a second tone. */
function readText(text: string): string[] {
  const syllables = pinyin(text, { toneType: 'num', type: 'array', v: true, nonZh: 'removed' }).map((syllable) =>
    syllable.replace(/0$/, '5'),
  );
  return syllables.map((syllable, at) =>
    syllable.endsWith('3') && syllables[at + 1]?.endsWith('3') === true ? `${syllable.slice(0, -1)}2` : syllable,
  );
}

export type ContourMeasurer = {
  /** Returns null if a syllable cannot be aligned, or is unknown to the model. */
  measure(samples: Float32Array, readings: readonly string[]): Promise<Pick<Example, 'questions' | 'contours'> | null>;
  close(): Promise<void>;
};

/** Opens the analysis of recordings as in the service: acoustic model, alignment, contours. */
export async function openContourMeasurer(modelsDir: string, language: SyllabicLanguage): Promise<ContourMeasurer> {
  const files = modelFiles(modelsDir, language);
  const model = await openAcousticModel({
    acoustic: files.acoustic,
    description: join(dirname(files.acoustic), 'acoustic.json'),
  });
  const sounds = syllableSounds(language, model.labels, []);
  return {
    async measure(samples, readings) {
      const units = readings.map((reading) => sounds.read(reading.replace(/^_/, '')));
      const { posteriors, pitch } = await model.computeWithPitch(samples);
      if (units.includes(null)) return null;
      const readUnits = units.flatMap((unit) => (unit === null ? [] : [unit]));
      const graph = readUnits.map((unit) => [unit]);
      const attempts = align(posteriors, model.labels, graph).filter(
        ({ unit, rimeStart, rimeEnd }) => unit !== null && rimeEnd > rimeStart,
      );
      if (attempts.length !== readUnits.length) return null;
      const analysis = { samples, labels: model.labels, posteriors, pitch };
      const questions = attempts.map((attempt, at) => {
        const { rime, tone } = readUnits[at]!;
        const frames = soundingFrames(attempts, at, analysis);
        return {
          expected: [tone],
          rime: sounds.rimeName(rime),
          ...frames,
          modelLogp: modelToneLogp(attempt, analysis),
        };
      });
      const course = measurePitchCourse(samples, RECOGNIZER_SAMPLE_RATE_HZ);
      return { questions, contours: measureContours(questions, analysis, course) };
    },
    close: () => model.close(),
  };
}
