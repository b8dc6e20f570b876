import { HZ_PER_BIN } from '#audio/vocoder/speech-frames.ts';
import { predictor, rootsOf } from './linear-prediction.ts';

/** Order of the prediction: two poles for each formant below the top, and a few for the slope. */
const ORDER = 12;
/** Largest bandwidth of a formant; wider poles describe the slope. */
const MAX_BANDWIDTH_HZ = 700;
const MIN_HZ = 180;
/**
 * Upper limit of the search: five formants, whose spacing follows the length of the vocal tract and
 * so, on average, the pitch.
 */
const TOP_HZ_LOW_VOICE = 5_000;
const TOP_HZ_HIGH_VOICE = 6_200;
const LOW_VOICE_HZ = 130;
const HIGH_VOICE_HZ = 300;
/** Ranges of the formants in speech of adults and children. */
const RANGES_HZ = [
  [200, 1_100],
  [600, 3_400],
  [1_500, 4_400],
] as const;

/** Returns the upper frequency of the formant search for a voice with this median pitch. */
export function formantTopHz(pitchMedianHz: number): number {
  const share = Math.min(1, Math.max(0, (pitchMedianHz - LOW_VOICE_HZ) / (HIGH_VOICE_HZ - LOW_VOICE_HZ)));
  return TOP_HZ_LOW_VOICE + share * (TOP_HZ_HIGH_VOICE - TOP_HZ_LOW_VOICE);
}

/** Finds the first three formants (Hz) of one envelope; null when there are fewer. */
type FormantFinder = (envelopeDb: Float32Array, offset: number) => readonly [number, number, number] | null;

/**
 * Finds formants as the narrow poles of linear prediction on the spectral envelope from 0 to
 * `topHz` (selective linear prediction, Makhoul 1975). The envelope has no harmonics, so that high
 * voices do not pull the formants to multiples of their pitch.
 */
export function createFormantFinder(topHz: number): FormantFinder {
  const bins = Math.round(topHz / HZ_PER_BIN);
  const power = new Float64Array(bins + 1);
  const autocorrelation = new Float64Array(ORDER + 1);
  const cosines = Array.from({ length: ORDER + 1 }, (_, lag) =>
    Float64Array.from({ length: bins + 1 }, (_, k) => Math.cos((Math.PI * lag * k) / bins)),
  );
  // Take the first difference as pre-emphasis: the source falls with frequency.
  const emphasis = Float64Array.from({ length: bins + 1 }, (_, k) => 1.02 - Math.cos((Math.PI * k) / bins));
  return (envelopeDb, offset) => {
    for (let k = 0; k <= bins; k += 1) power[k] = 10 ** (envelopeDb[offset + k]! / 10) * emphasis[k]!;
    for (let lag = 0; lag <= ORDER; lag += 1) {
      let sum = 0;
      const row = cosines[lag]!;
      for (let k = 0; k <= bins; k += 1) sum += power[k]! * row[k]!;
      autocorrelation[lag] = sum;
    }
    return assign(polesOf(rootsOf(predictor(autocorrelation, ORDER)), topHz));
  };
}

/** Returns the frequencies of the narrow poles, rising. */
function polesOf(roots: Float64Array, topHz: number): number[] {
  const poles: number[] = [];
  for (let i = 0; i < roots.length; i += 2) {
    const re = roots[i]!;
    const im = roots[i + 1]!;
    if (im <= 0) continue;
    const bandwidthHz = (-Math.log(Math.min(1, Math.hypot(re, im))) * 2 * topHz) / Math.PI;
    const hz = (Math.atan2(im, re) * topHz) / Math.PI;
    if (bandwidthHz < MAX_BANDWIDTH_HZ && hz > MIN_HZ && hz < 0.96 * topHz) poles.push(hz);
  }
  return poles.sort((a, b) => a - b);
}

function assign(poles: readonly number[]): readonly [number, number, number] | null {
  const [first, second, third] = poles;
  if (first === undefined || second === undefined || third === undefined) return null;
  const isSpeech = [first, second, third].every((hz, i) => hz >= RANGES_HZ[i]![0] && hz <= RANGES_HZ[i]![1]);
  return isSpeech ? [first, second, third] : null;
}
