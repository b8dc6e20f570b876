import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mean, median, variance } from '@jyutsing/numeric/statistics';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import type { ToneModelFile } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import { isTestLearner } from '../../../eval/pronunciation/held-out.ts';
import { readSamples } from '../../../eval/sound.ts';

/** Age from which speakers count as adults. */
const GROWN_YEARS = 16;
/** Minimum number of voiced frames of a speaker. */
const MIN_FRAMES = 200;
/** Assumed shares of users. */
const SHARES = { man: 0.4, woman: 0.4, child: 0.2 };
/**
 * Isolated words have higher tones than sentences: by 0.5 semitones for the Cantonese man and 2.6
 * for the Mandarin woman, compared with the medians of male and female learners, with individual
 * variation.
 */
const CITATION = { higher: { man: 0.5, woman: 2.6, child: 2.6 }, deviation: 1 };

type Group = keyof typeof SHARES;

/**
 * Distribution of speakers' registers, from the median pitch of people who read English sentences.
 */
export async function fitRegisters(folder: string): Promise<ToneModelFile['registers']> {
  const [head = '', ...lines] = (await readFile(join(folder, 'eng-learners-train.tsv'), 'utf8')).trim().split(/\r?\n/);
  const columns = head.split('\t');
  const speakers = new Map<string, { group: Group; pitches: number[] }>();
  for (const line of lines) {
    const cells = line.split('\t');
    const cell = (column: string): string => cells[columns.indexOf(column)] ?? '';
    if (isTestLearner(cell('speaker'))) continue;
    const group = Number(cell('age')) < GROWN_YEARS ? 'child' : cell('gender') === 'm' ? 'man' : 'woman';
    const speaker = speakers.get(cell('speaker')) ?? { group, pitches: [] };
    speakers.set(cell('speaker'), speaker);
    const { pitchHz } = trackPitch(await readSamples(join(folder, cell('file'))), RECOGNIZER_SAMPLE_RATE_HZ);
    for (const hz of pitchHz) if (hz > 0) speaker.pitches.push(12 * Math.log2(hz));
  }
  return (['man', 'woman', 'child'] as const).map((group) => {
    const medians = [...speakers.values()]
      .filter((speaker) => speaker.group === group && speaker.pitches.length >= MIN_FRAMES)
      .map(({ pitches }) => median(pitches));
    return {
      share: SHARES[group],
      mean: hundredths(mean(medians) + CITATION.higher[group]),
      deviation: hundredths(Math.sqrt(variance(medians) + CITATION.deviation ** 2)),
    };
  });
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
