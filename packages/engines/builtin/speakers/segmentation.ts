import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SPEAKER_FRAME_MS } from '@jyutsing/audio/speaker-clustering/frames';
import { joinSamples } from '@jyutsing/audio/join-samples';
import type { OnnxModel } from '#engines/runtime/onnx.ts';

/** Probabilities, 0..1, that the likeliest speaker of a frame speaks, and another one with them. */
export type SpeakersActive = { speech: Float32Array; overlap: Float32Array };

/** Sound that the network sees at once, as in its training … */
const WINDOW_SAMPLES = 5 * RECOGNIZER_SAMPLE_RATE_HZ;
/** … and the largest distance between two such windows. */
const STEP_SAMPLES = WINDOW_SAMPLES / 2;
const SPEAKERS = 3;
/** Samples from a frame of the network to the next, and to the middle of its first frame. */
const FRAME_STEP = 270;
const FIRST_MIDDLE = 495;
const FRAME_SAMPLES = (SPEAKER_FRAME_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
/** Weight of the edges of a window, where the network knows less; its middle has 1. */
const EDGE_WEIGHT = 0.08;
/** Windows of one inference: more are no faster. */
const MAX_BATCH_SIZE = 4;

/**
 * Finds when one and several speakers speak, in frames of 20 ms: frame `i` is the time around
 * `i × 20 ms`. The network (segmentation.onnx) tells up to three speakers of a window apart; its
 * windows overlap by half and are averaged, each frame's speakers in order of their probability.
 */
export async function findActive(network: OnnxModel, samples: Float32Array): Promise<SpeakersActive> {
  const count = Math.floor(samples.length / FRAME_SAMPLES) + 1;
  const speech = new Float32Array(count);
  const overlap = new Float32Array(count);
  const weights = new Float32Array(count);
  const starts = windowStarts(samples.length);
  for (let at = 0; at < starts.length; at += MAX_BATCH_SIZE) {
    const batch = starts.slice(at, at + MAX_BATCH_SIZE);
    const sounds = batch.map((start) => windowAt(samples, start));
    const output = await network.run({ samples: { data: joinSamples(sounds), dims: [batch.length, WINDOW_SAMPLES] } });
    const { data, dims } = output['speakers'] ?? { data: new Float32Array(0), dims: [] };
    const frames = dims[1] ?? 0;
    for (const [index, start] of batch.entries()) {
      const window = data.subarray(index * frames * SPEAKERS, (index + 1) * frames * SPEAKERS);
      const last = Math.min(count - 1, Math.floor((start + WINDOW_SAMPLES) / FRAME_SAMPLES));
      for (let frame = Math.ceil(start / FRAME_SAMPLES); frame <= last; frame += 1) {
        const sample = frame * FRAME_SAMPLES - start;
        const [first, second] = activeAt(window, sample);
        const weight = EDGE_WEIGHT + Math.min(sample, WINDOW_SAMPLES - sample) / STEP_SAMPLES;
        speech[frame]! += weight * first;
        overlap[frame]! += weight * second;
        weights[frame]! += weight;
      }
    }
  }
  const mean = (sums: Float32Array) => sums.map((sum, frame) => sum / weights[frame]!);
  return { speech: mean(speech), overlap: mean(overlap) };
}

/** Lays windows over the sound, evenly; one window for shorter sound. */
function windowStarts(length: number): number[] {
  const spare = Math.max(0, length - WINDOW_SAMPLES);
  const steps = Math.ceil(spare / STEP_SAMPLES);
  return Array.from({ length: steps + 1 }, (_, step) => (steps === 0 ? 0 : Math.round((spare * step) / steps)));
}

/** The sound of a window; silence follows where it ends early. */
function windowAt(samples: Float32Array, start: number): Float32Array {
  const window = new Float32Array(WINDOW_SAMPLES);
  window.set(samples.subarray(start, start + WINDOW_SAMPLES));
  return window;
}

/** The two highest probabilities of speakers at a sample of a window, between its frames. */
function activeAt(window: Float32Array, sample: number): [number, number] {
  const last = window.length / SPEAKERS - 1;
  const position = Math.min(last, Math.max(0, (sample - FIRST_MIDDLE) / FRAME_STEP));
  const before = Math.floor(position);
  const after = Math.min(last, before + 1);
  const share = position - before;
  let [first, second] = [0, 0];
  for (let speaker = 0; speaker < SPEAKERS; speaker += 1) {
    const [from, to] = [window[before * SPEAKERS + speaker]!, window[after * SPEAKERS + speaker]!];
    const value = from + (to - from) * share;
    if (value > first) [first, second] = [value, first];
    else if (value > second) second = value;
  }
  return [first, second];
}
