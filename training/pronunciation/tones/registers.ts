import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measurePitchCourse } from '#engines/builtin/pronunciation/tones/measure-contour.ts';
import type { ToneModelFile } from '#engines/builtin/pronunciation/tones/tone-model.ts';
import { measureTimbre, type TimbreModel } from '#engines/builtin/pronunciation/tones/voice-timbre.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '#contracts/recognizer.ts';
import { readSamples } from '../../evaluate/sound.ts';
import { fitTimbre, type TimbreExample } from './fit-timbre.ts';
import { medianOf } from './shapes.ts';

/** From this age on a boy is counted among the men; women and children speak at nearly the same height. */
const MAN_FROM_YEARS = 16;
/** Fewer voiced frames of a speaker than this tell no median. */
const LEAST_FRAMES = 200;
/**
 * Tones of words said alone lie higher than sentences that are read: by 0.5 semitones for the Cantonese man and 2.6 for the Mandarin woman
 * against the medians of the learners' men and women. People differ in it.
 */
const CITATION = { man: 0.5, other: 2.6, mean: 1.5, deviation: 1.5 };
/** Who practises: as many women as men, and children. */
const SHARES = { man: 0.4, other: 0.6 };
/** Frames this far from the speaker's median are more likely mismeasured than said. */
const LIKELY_SEMITONES = 8;
/** By the log loss of the Cantonese and the Mandarin syllables that were held out. */
const TIMBRE_WEIGHT = 1;

type Speaker = {
  group: keyof typeof SHARES | null;
  pitches: number[];
  recordings: { features: Float64Array; pitch: number }[][];
};

export type Registers = { registers: ToneModelFile['registers']; timbre: TimbreModel };

/** The registers that speakers have, from the median pitch of people who read English sentences, and how they sound. */
export async function fitRegisters(folder: string): Promise<Registers> {
  const speakers = [...(await hearSpeakers(folder)).values()].filter(({ pitches }) => pitches.length >= LEAST_FRAMES);
  let recording = 0;
  const examples: TimbreExample[] = speakers.flatMap(({ pitches, recordings }) => {
    const register = medianOf(pitches);
    return recordings.flatMap((frames) => {
      recording += 1;
      const likely = frames.filter(({ pitch }) => Math.abs(pitch - register) < LIKELY_SEMITONES);
      return likely.map((frame) => ({ ...frame, register, recording }));
    });
  });
  const registers = (['man', 'other'] as const).map((group) => {
    const medians = speakers.filter((speaker) => speaker.group === group).map(({ pitches }) => medianOf(pitches));
    const mean = medians.reduce((sum, value) => sum + value, 0) / medians.length;
    const variance = medians.reduce((sum, value) => sum + (value - mean) ** 2, 0) / medians.length;
    return {
      share: SHARES[group],
      mean: hundredths(mean + CITATION[group]),
      deviation: hundredths(Math.sqrt(variance + CITATION.deviation ** 2)),
    };
  });
  return { registers, timbre: fitTimbre(examples, CITATION.mean, TIMBRE_WEIGHT) };
}

async function hearSpeakers(folder: string): Promise<Map<string, Speaker>> {
  const speakers = new Map<string, Speaker>();
  for (const set of ['eng-learners-train', 'eng-speakers']) {
    const [head = '', ...lines] = (await readFile(join(folder, `${set}.tsv`), 'utf8')).trim().split(/\r?\n/);
    const columns = head.split('\t');
    for (const line of lines) {
      const cells = line.split('\t');
      const cell = (column: string): string => cells[columns.indexOf(column)] ?? '';
      if (isHeldOut(cell('speaker'))) continue;
      const isMan = cell('gender') === 'm' && Number(cell('age')) >= MAN_FROM_YEARS;
      const name = `${set} ${cell('speaker')}`;
      const group = cell('gender') === '' ? null : isMan ? 'man' : 'other';
      const speaker = speakers.get(name) ?? { group, pitches: [], recordings: [] };
      speakers.set(name, speaker);
      const samples = await readSamples(join(folder, cell('file')));
      const course = measurePitchCourse(samples, RECOGNIZER_SAMPLE_RATE_HZ);
      for (const hz of course.pitchHz) if (hz > 0) speaker.pitches.push(semitonesOf(hz));
      const frames = measureTimbre(samples, RECOGNIZER_SAMPLE_RATE_HZ, course);
      speaker.recordings.push(frames.map(({ features, pitchHz }) => ({ features, pitch: semitonesOf(pitchHz) })));
    }
  }
  return speakers;
}

/** One speaker in five, as a function of the name; the same as in training/acoustic/make_recordings.py. */
function isHeldOut(speaker: string): boolean {
  return createHash('sha256').update(speaker).digest().readUInt32BE(0) % 5 === 0;
}

const semitonesOf = (hz: number): number => 12 * Math.log2(hz);
const hundredths = (value: number): number => Math.round(value * 100) / 100;
