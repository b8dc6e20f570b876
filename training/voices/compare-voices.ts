import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { openSpeakerModels } from '#packages/engines/builtin/speakers/models.ts';

/** Typical window length in training of the speaker model. */
const WINDOW_SAMPLES = 1.6 * RECOGNIZER_SAMPLE_RATE_HZ;
const STEP_SAMPLES = WINDOW_SAMPLES / 2;

/**
 * Similarity of voices according to the built-in speaker model: mean cosine between windows of two
 * sounds (for one sound: between its different windows), as a table in the order of the sounds
 * (mono floats at 24 kHz).
 */
export async function compareVoices(modelsDir: string, sounds: readonly Float32Array[]): Promise<number[][]> {
  const models = await openSpeakerModels(modelsDir, false);
  try {
    const vectors: Float32Array[][] = [];
    for (const sound of sounds) vectors.push(await models.voices(windowsOf(sound)));
    return vectors.map((one, i) => vectors.map((other, k) => meanCosine(one, other, i === k)));
  } finally {
    await models.close();
  }
}

function windowsOf(sound: Float32Array): Float32Array[] {
  const samples = resample(sound, SYNTHESIS_SAMPLE_RATE_HZ, RECOGNIZER_SAMPLE_RATE_HZ);
  const count = Math.max(1, Math.floor((samples.length - WINDOW_SAMPLES) / STEP_SAMPLES) + 1);
  return Array.from({ length: count }, (_, i) => {
    const window = new Float32Array(WINDOW_SAMPLES);
    window.set(samples.subarray(i * STEP_SAMPLES, i * STEP_SAMPLES + WINDOW_SAMPLES));
    return window;
  });
}

/** Excludes overlapping windows of one sound. */
function meanCosine(one: readonly Float32Array[], other: readonly Float32Array[], isSame: boolean): number {
  let sum = 0;
  let count = 0;
  for (const [i, a] of one.entries()) {
    for (const [k, b] of other.entries()) {
      if (isSame && Math.abs(i - k) < 2) continue;
      sum += a.reduce((total, value, at) => total + value * (b[at] ?? 0), 0);
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}
