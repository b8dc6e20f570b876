import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { samplesOfWav } from '@jyutsing/audio/wav';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { OnnxModel } from '#engines/runtime/onnx.ts';
import type { Bundle, Codes } from './bundle.ts';
import { encodeSound } from './codec.ts';
import { doubleRate } from './double-rate.ts';

/**
 * Seconds of a sample that are used: time and memory of the encoder grow with their square (3 s of
 * computing and 0.4 GB for 5 s, 9 s and 1.1 GB for 10 s), and every piece reads them again.
 */
const LONGEST_SECONDS = 6;
/** The cut is made at the quietest place of the last seconds before, so that no word is halved. */
const CUT_WITHIN_SECONDS = 1.5;
/** Length of a quiet place in samples, 40 ms. */
const QUIET = 0.04 * SYNTHESIS_SAMPLE_RATE_HZ;
/** A voice is 1,200 small numbers. */
const KEPT_VOICES = 256;

/**
 * Returns a function that gives the codes of a voice's sample. They are kept by the digest of the
 * sample; the encoder is open only while there are voices to encode. A voice without a sample is
 * the default one of the bundle.
 */
export function createVoiceCodes(
  bundle: Bundle,
  openEncoder: () => Promise<OnnxModel>,
): (reference: SynthesisVoice['reference']) => Promise<Codes> {
  const kept = new LRUCache<string, Promise<Codes>>({ max: KEPT_VOICES });
  const encode = async (wav: Uint8Array): Promise<Codes> => {
    const sound = doubleRate(cutToLength(samplesOfWav(wav)));
    const codes = sound.length < bundle.frameSamples ? [] : await encodeAlone(sound);
    if (codes.length > 0) return codes;
    throw new AppError(
      'unsuitable_sample',
      'The sample of this voice is too short to be spoken like: give it 3 to 15 seconds of speech.',
    );
  };
  // Two encoders at a time could need more memory than the machine has.
  let turn: Promise<unknown> = Promise.resolve();
  const encodeAlone = (sound: Float32Array): Promise<Codes> => {
    const encoded = turn.then(async () => {
      const encoder = await openEncoder();
      try {
        return await encodeSound(bundle, encoder, sound);
      } finally {
        await encoder.close();
      }
    });
    turn = encoded.catch(() => {});
    return encoded;
  };
  return (reference) => {
    if (reference === null) return Promise.resolve(bundle.defaultVoice);
    const digest = createHash('sha256').update(reference.wav).digest('hex');
    const keptCodes = kept.get(digest);
    if (keptCodes !== undefined) return keptCodes;
    const codes = encode(reference.wav);
    kept.set(digest, codes);
    codes.catch(() => kept.delete(digest));
    return codes;
  };
}

/** The beginning of a sample up to a quiet place; all of a short one. */
function cutToLength(sound: Float32Array): Float32Array {
  const longest = LONGEST_SECONDS * SYNTHESIS_SAMPLE_RATE_HZ;
  if (sound.length <= longest) return sound;
  let [end, least] = [longest, Infinity];
  for (let at = longest - CUT_WITHIN_SECONDS * SYNTHESIS_SAMPLE_RATE_HZ; at + QUIET <= longest; at += QUIET / 2) {
    const energy = sound.subarray(at, at + QUIET).reduce((sum, sample) => sum + sample * sample, 0);
    if (energy < least) [end, least] = [at + QUIET / 2, energy];
  }
  return sound.subarray(0, end);
}
