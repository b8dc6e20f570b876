import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';

/** Largest event in samples, a quarter of a second: the limit of the contract. */
const MAX_EVENT_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ / 4;

/** Cuts sound into events of synthesizers; clips it to full scale, and NaN becomes silence. */
export function* audioEvents(sound: Float32Array): Generator<Extract<SynthesisEvent, { type: 'audio' }>> {
  for (let at = 0; at < sound.length; at += MAX_EVENT_SAMPLES) {
    yield { type: 'audio', samples: clipped(sound.subarray(at, at + MAX_EVENT_SAMPLES)) };
  }
}

function clipped(samples: Float32Array): Float32Array<ArrayBuffer> {
  return samples.map((sample) => (sample >= -1 && sample <= 1 ? sample : sample > 1 ? 1 : sample < -1 ? -1 : 0));
}
