import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { makeNotSpeech, MUSIC_KINDS } from '#testbed/sound/not-speech.ts';
import { SURROUNDINGS } from '#testbed/sound/surroundings.ts';
import { speechStretches } from '../diarization/speech-stretches.ts';
import type { Spoken } from './measure-text.ts';

export type TextCondition = { name: string; make: () => Iterable<Spoken> };

const PER_MS = RECOGNIZER_SAMPLE_RATE_HZ / 1_000;
const SNRS_DB = [20, 10, 5, 0];
/** Root mean square of the noises, in dB of full scale. */
const LEVELS_DB = [-12, -20, -28, -36];
const NOISE_MS = 8_000;
const BETWEEN_MS = 4_000;
/** Seeds of noises that the check of speech was not fitted with. */
const FIRST_SEED = 20_000;
const KINDS = Object.keys(SURROUNDINGS);
/** Kinds of which each sentence meets one: noises, and music without words. */
const BACKGROUNDS = [...new Set([...KINDS, ...MUSIC_KINDS])];

/**
 * Sentences with text as they are, with noise or music under them, and with noise between two of
 * them; then noise alone. The same ones in every run.
 */
export function textConditions(sentences: readonly Spoken[]): TextCondition[] {
  const spoken: TextCondition[] = [
    { name: 'sentences', make: () => sentences },
    ...SNRS_DB.map((snrDb) => ({
      name: `noise ${snrDb} dB below`,
      make: () =>
        sentences.map((sentence, i) =>
          over(sentence, BACKGROUNDS[(i + snrDb) % BACKGROUNDS.length]!, { snrDb, seed: FIRST_SEED + i }),
        ),
    })),
    {
      name: 'noise between two sentences',
      make: () => sentences.slice(1).map((sentence, i) => between(sentences[i]!, sentence, i)),
    },
  ];
  return [...(sentences.length === 0 ? [] : spoken), { name: 'noise alone', make: noises }];
}

function over({ samples, text }: Spoken, kind: string, { snrDb, seed }: { snrDb: number; seed: number }): Spoken {
  const noise = makeNotSpeech(kind, seed, samples.length / PER_MS);
  const gain = (rootMeanSquare(spokenPart(samples)) / rootMeanSquare(noise)) * 10 ** (-snrDb / 20);
  return { samples: samples.map((value, i) => value + gain * (noise[i] ?? 0)), text };
}

const spokenPart = (samples: Float32Array): Float32Array =>
  joinSamples(
    speechStretches(samples).map(({ startMs, endMs }) =>
      samples.subarray(Math.round(startMs * PER_MS), Math.round(endMs * PER_MS)),
    ),
  );

function between(first: Spoken, second: Spoken, i: number): Spoken {
  const noise = atLevel(makeNotSpeech(KINDS[i % KINDS.length]!, FIRST_SEED + i, BETWEEN_MS), -26);
  return { samples: joinSamples([first.samples, noise, second.samples]), text: first.text + second.text };
}

function* noises(): Generator<Spoken> {
  for (const [i, kind] of KINDS.entries()) {
    for (const [j, levelDb] of LEVELS_DB.entries()) {
      const noise = makeNotSpeech(kind, FIRST_SEED + 100 * j + i, NOISE_MS);
      yield { samples: atLevel(noise, levelDb), text: '' };
    }
  }
}

function atLevel(samples: Float32Array, levelDb: number): Float32Array {
  const gain = 10 ** (levelDb / 20) / rootMeanSquare(samples);
  return samples.map((value) => Math.max(-1, Math.min(1, gain * value)));
}
