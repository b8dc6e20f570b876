import { writeFile } from 'node:fs/promises';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { SEVERAL_VOICES_FROM } from '@jyutsing/audio/voice/several-voices';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { loadEngines } from '@jyutsing/engines/registry';
import { findVoices, type SpeakerGroup, type Voice } from '../diarization/find-voices.ts';
import { startProgress } from '../progress.ts';
import { asTable, percent } from '../report.ts';
import type { EvaluationOptions } from '../run.ts';
import { createRandom } from '#packages/numeric/random.ts';
import { asChunks, readSamples } from '../sound.ts';

/** Options of `eval voices`. */
export type VoicesOptions = Pick<EvaluationOptions, 'locations' | 'place' | 'jsonPath' | 'format'> & {
  group: SpeakerGroup;
  /** The number of samples of one person, and as many of two. */
  samples: number;
};

type Judged = { people: 1 | 2; seconds: number; secondPersonSeconds: number; evidence: number };

/** Bounds of the length of a sample in seconds; a second person has at least this share of it. */
const LENGTHS = { from: 3, to: 30 } as const;
const LEAST_SHARE = 0.2;
const PAUSE = new Float32Array(0.3 * RECOGNIZER_SAMPLE_RATE_HZ);
const SECONDS_CLASSES = [
  [3, 8],
  [8, 15],
  [15, 31],
] as const;

/**
 * Measures how many samples of one person, and of two that speak one after the other, count as
 * those of several people. Throws `invalid_parameter` without recordings, `engine_unavailable`
 * without a diarizer that can tell.
 */
export async function runVoices(options: VoicesOptions): Promise<number> {
  const voices = await findVoices(options.locations.folders, options.group);
  if (voices.length < 2) throw new AppError('invalid_parameter', 'Two speakers are needed; see --sets.');
  const judge = await openJudge(options);
  const random = createRandom(1);
  const any = () => voices[Math.floor(random() * voices.length)]!;
  const judged: Judged[] = [];
  const progress = startProgress('voices', options.samples);
  for (let made = 0; made < options.samples; made += 1) {
    const seconds = LENGTHS.from + random() * (LENGTHS.to - LENGTHS.from);
    const voice = any();
    const one = await speechOf(voice, seconds, random);
    const share = LEAST_SHARE + random() * (1 - 2 * LEAST_SHARE);
    let other = any();
    while (other === voice) other = any();
    const first = await speechOf(voice, seconds * share, random);
    const second = await speechOf(other, seconds * (1 - share), random);
    judged.push({ people: 1, seconds: lengthOf(one), secondPersonSeconds: 0, evidence: await judge(one) });
    const both = joinSamples([first, PAUSE, second]);
    const secondPersonSeconds = Math.min(lengthOf(first), lengthOf(second));
    judged.push({ people: 2, seconds: lengthOf(both), secondPersonSeconds, evidence: await judge(both) });
    progress.done(made + 1);
  }
  progress.finish(`${judged.length} samples`);
  if (options.jsonPath !== null) await writeFile(options.jsonPath, JSON.stringify(judged, null, 2));
  console.log(report(judged, options));
  return 0;
}

async function openJudge({ place }: VoicesOptions): Promise<(samples: Float32Array) => Promise<number>> {
  const registry = await loadEngines(place);
  for (const ref of registry.selectAll('diarizer')) {
    const diarizer = await registry.open(ref);
    const { evidenceOfSecondVoice } = diarizer;
    if (evidenceOfSecondVoice === undefined) continue;
    return (samples) => evidenceOfSecondVoice.call(diarizer, asChunks(samples), new AbortController().signal);
  }
  throw new AppError('engine_unavailable', 'No diarizer can tell whether a sample has two voices.');
}

/** Recordings of one person after each other, with pauses, cut to a length. */
async function speechOf({ paths }: Voice, seconds: number, random: () => number): Promise<Float32Array> {
  const most = Math.round(seconds * RECOGNIZER_SAMPLE_RATE_HZ);
  const from = Math.floor(random() * paths.length);
  const pieces: Float32Array[] = [];
  let length = 0;
  for (let index = 0; index < paths.length && length < most; index += 1) {
    const piece = await readSamples(paths[(from + index) % paths.length]!);
    pieces.push(piece, PAUSE);
    length += piece.length + PAUSE.length;
  }
  return joinSamples(pieces).slice(0, most);
}

function lengthOf(samples: Float32Array): number {
  return samples.length / RECOGNIZER_SAMPLE_RATE_HZ;
}

function report(judged: readonly Judged[], { format }: VoicesOptions): string {
  const lines = SECONDS_CLASSES.flatMap(([from, to]) =>
    ([1, 2] as const).map((people) => {
      const ofLength = judged.filter(
        (sample) => sample.people === people && sample.seconds >= from && sample.seconds < to,
      );
      const refused = ofLength.filter(({ evidence }) => evidence >= SEVERAL_VOICES_FROM).length;
      const highest = Math.max(...ofLength.map(({ evidence }) => evidence));
      const share = ofLength.length === 0 ? null : refused / ofLength.length;
      const range = `${from} to ${Math.min(to, LENGTHS.to)} s`;
      return [range, String(people), String(ofLength.length), String(refused), percent(share), highest.toFixed(1)];
    }),
  );
  return asTable(['length', 'people', 'samples', 'refused', 'share', 'highest evidence'], lines, format);
}
