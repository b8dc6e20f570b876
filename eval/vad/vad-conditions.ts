import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { FITTED_KINDS, makeNotSpeech, MUSIC_KINDS, UNSEEN_KINDS } from '#testbed/sound/not-speech.ts';
import { addInRoom, makeRoom } from '../diarization/room.ts';
import { speechStretches, type Stretch } from '../diarization/speech-stretches.ts';
import { createRandom } from '#packages/numeric/random.ts';

/** A recording and when somebody speaks in it. */
export type Annotated = { samples: Float32Array; speech: readonly Stretch[] };

/** Silence around each clean recording: a detector needs some background to compare with. */
const AROUND_MS = 2_000;
const PER_MS = RECOGNIZER_SAMPLE_RATE_HZ / 1_000;
/** A quiet speaker, and one across a room. */
const QUIET_DB = -30;
const FAR_DB = -20;
const SNRS_DB = [20, 10, 5, 0];
const NOT_SPEECH_MS = 8_000;
const NOT_SPEECH_GAIN = 0.3;
const SEEDS = [1, 2];

const isMusic = (kind: string) => MUSIC_KINDS.includes(kind);

export type Condition = { name: string; make: () => Iterable<Annotated> };

/**
 * Clean recordings as they are, quiet, and across a room with noise; then music and noises alone.
 * The same ones in every run.
 */
export function vadConditions(clean: readonly Float32Array[]): Condition[] {
  const padded = clean.map(pad);
  const spoken: Condition[] = [
    { name: 'sentences', make: () => padded },
    { name: `sentences at ${QUIET_DB} dB`, make: () => padded.map((one) => scaled(one, QUIET_DB)) },
    ...SNRS_DB.map((snrDb) => ({
      name: `across a room, noise ${snrDb} dB below`,
      make: () => {
        const random = createRandom(1);
        return padded.map((one) => far(one, snrDb, random));
      },
    })),
  ];
  const kinds = [...Object.keys(FITTED_KINDS), ...Object.keys(UNSEEN_KINDS)];
  return [
    ...(clean.length === 0 ? [] : spoken),
    { name: 'music', make: () => notSpeech(kinds.filter(isMusic)) },
    { name: 'other sounds', make: () => notSpeech(kinds.filter((kind) => !isMusic(kind))) },
  ];
}

function pad(sound: Float32Array): Annotated {
  const samples = new Float32Array(sound.length + 2 * AROUND_MS * PER_MS);
  samples.set(sound, AROUND_MS * PER_MS);
  const speech = speechStretches(sound).map(({ startMs, endMs }) => ({
    startMs: startMs + AROUND_MS,
    endMs: endMs + AROUND_MS,
  }));
  return { samples, speech };
}

function scaled({ samples, speech }: Annotated, gainDb: number): Annotated {
  return { samples: samples.map((value) => value * 10 ** (gainDb / 20)), speech };
}

function far({ samples, speech }: Annotated, snrDb: number, random: () => number): Annotated {
  const mixed = new Float32Array(samples.length);
  addInRoom(mixed, samples, 0, 10 ** (FAR_DB / 20), makeRoom(random));
  const noise = pinkNoise(mixed.length, random);
  const gain = rms(mixed, speech) / rms(noise, [{ startMs: 0, endMs: noise.length / PER_MS }]) / 10 ** (snrDb / 20);
  for (let i = 0; i < mixed.length; i += 1) mixed[i]! += gain * noise[i]!;
  return { samples: mixed, speech };
}

/** Makes roughly pink noise: three one-pole filters of white noise. */
function pinkNoise(length: number, random: () => number): Float32Array {
  const noise = new Float32Array(length);
  let [low, middle, high] = [0, 0, 0];
  for (let i = 0; i < length; i += 1) {
    const white = random() - 0.5;
    low = 0.997 * low + 0.03 * white;
    middle = 0.96 * middle + 0.1 * white;
    high = 0.6 * high + 0.3 * white;
    noise[i] = low + middle + high + 0.05 * white;
  }
  return noise;
}

function rms(samples: Float32Array, stretches: readonly Stretch[]): number {
  let [sum, count] = [0, 0];
  for (const { startMs, endMs } of stretches) {
    for (let i = Math.round(startMs * PER_MS); i < Math.min(samples.length, endMs * PER_MS); i += 1) {
      sum += samples[i]! ** 2;
      count += 1;
    }
  }
  return Math.sqrt(sum / Math.max(1, count));
}

function* notSpeech(kinds: readonly string[]): Generator<Annotated> {
  for (const kind of kinds) {
    for (const seed of SEEDS) {
      const samples = makeNotSpeech(kind, seed, NOT_SPEECH_MS).map((value) => value * NOT_SPEECH_GAIN);
      yield { samples, speech: [] };
    }
  }
}
