import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { analyzeSpeech } from '#audio/vocoder/analyze-speech.ts';
import { createResynthesizer } from '#audio/vocoder/resynthesize.ts';
import { ENVELOPE_BINS, FRAME_SAMPLES, NOISE_BANDS } from '#audio/vocoder/speech-frames.ts';
import { withinFullScale } from './sample-values.ts';

/** Shifts the pitch of a speech stream at 24 kHz; duration and formants stay. */
type PitchChanger = {
  push(samples: Float32Array): Float32Array[];
  /** Returns the remaining samples: the total length equals that of the input. */
  flush(): Float32Array[];
};

/**
 * Speech is analyzed in blocks of this many frames (2 s), each with a context of CONTEXT_FRAMES
 * before and after it.
 */
const BLOCK_FRAMES = 400;
const CONTEXT_FRAMES = 80;
const CONTEXT_SAMPLES = CONTEXT_FRAMES * FRAME_SAMPLES;
const BLOCK_SAMPLES = BLOCK_FRAMES * FRAME_SAMPLES;

/**
 * Separates speech into source and filter and recombines them at another pitch, because sonic alone
 * would shift the formants too.
 */
export function createPitchChanger(semitones: number): PitchChanger {
  const ratio = 2 ** (semitones / 12);
  const resynthesizer = createResynthesizer({ seed: 1 });
  /** Samples that wait for the next block, from its context on. */
  let waiting = new Float32Array(0);
  let contextFrames = 0;
  let inputSamples = 0;
  let outputSamples = 0;

  const block = (length: number, frameCount: number): Float32Array[] => {
    const frames = analyzeSpeech(waiting.subarray(0, length), SYNTHESIS_SAMPLE_RATE_HZ);
    const pieces: Float32Array[] = [];
    for (let frame = contextFrames; frame < Math.min(frames.count, contextFrames + frameCount); frame += 1) {
      const samples = resynthesizer.push({
        pitchHz: frames.pitchHz[frame]! * ratio,
        envelopeDb: frames.envelopeDb.subarray(frame * ENVELOPE_BINS, (frame + 1) * ENVELOPE_BINS),
        noiseShares: frames.noiseShares.subarray(frame * NOISE_BANDS, (frame + 1) * NOISE_BANDS),
      });
      outputSamples += samples.length;
      pieces.push(samples);
    }
    return pieces;
  };

  return {
    push(samples) {
      inputSamples += samples.length;
      const joined = new Float32Array(waiting.length + samples.length);
      joined.set(waiting);
      joined.set(withinFullScale(samples), waiting.length);
      waiting = joined;
      const pieces: Float32Array[] = [];
      for (;;) {
        const neededSamples = contextFrames * FRAME_SAMPLES + BLOCK_SAMPLES + CONTEXT_SAMPLES;
        if (waiting.length < neededSamples) return pieces;
        pieces.push(...block(neededSamples, BLOCK_FRAMES));
        waiting = waiting.slice(contextFrames * FRAME_SAMPLES + BLOCK_SAMPLES - CONTEXT_SAMPLES);
        contextFrames = CONTEXT_FRAMES;
      }
    },
    flush() {
      const pieces = [...block(waiting.length, Infinity), resynthesizer.flush()];
      const last = pieces.at(-1)!;
      outputSamples += last.length;
      if (outputSamples > inputSamples)
        pieces[pieces.length - 1] = last.subarray(0, Math.max(0, last.length - (outputSamples - inputSamples)));
      return pieces;
    },
  };
}
