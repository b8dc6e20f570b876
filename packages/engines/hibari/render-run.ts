import { pulseTrain } from './pulse-train.ts';
import { createSpeechRenderer } from './render-speech.ts';
import { BINS, FRAME_SIZE, frameAt, type Spectra, type SpectralFrame } from './spectra.ts';
import type { VoiceShape } from './voice-shape.ts';

/** Level in dB above which a frame has sound, and the frames around the sound that are kept. */
const SOUND_DB = 6;
const FRAMES_BEFORE = 2;
const FRAMES_AFTER = 4;

/** The frames of a run that have sound: from the first to before the last. */
export type Stretch = { from: number; to: number };

/** Finds the sound of a run; the graph has a third of a second of silence on either side. */
export function findSound({ frames, pitchHz }: Spectra): Stretch {
  const count = pitchHz.length;
  const isSound = (at: number) => levelOf(frameAt({ frames }, at)) > SOUND_DB;
  let from = 0;
  let to = count;
  while (from < to && !isSound(from)) from += 1;
  while (to > from && !isSound(to - 1)) to -= 1;
  // A run without any sound keeps all of its frames.
  if (from === to) return { from: 0, to: count };
  return { from: Math.max(0, from - FRAMES_BEFORE), to: Math.min(count, to + FRAMES_AFTER) };
}

function levelOf({ tone, free }: SpectralFrame): number {
  let power = 1e-12;
  for (let bin = 0; bin < BINS; bin += 1) power += Math.exp(2 * tone[bin]!) + Math.exp(2 * free[bin]!);
  return 10 * Math.log10(power);
}

type RunOptions = {
  shape: VoiceShape;
  semitones: number;
  /** Factor by which frames are passed over, or said again when it is below 1. */
  pace: number;
  seed: number;
};

/** Renders a stretch of a run, frame by frame: the sound of each that is complete. */
export function* renderRun(
  { frames, pitchHz }: Spectra,
  { from, to }: Stretch,
  { shape, semitones, pace, seed }: RunOptions,
): Generator<Float32Array<ArrayBuffer>> {
  const count = Math.max(1, Math.round((to - from) / pace));
  const places = Array.from({ length: count }, (_, at) => Math.min(to - 1, from + Math.floor(at * pace)));
  const moved = Float32Array.from(places, (place) => shape.pitchOf(pitchHz[place]!, semitones));
  const renderer = createSpeechRenderer(pulseTrain(moved), seed);
  const copy = new Float32Array(FRAME_SIZE);
  const frame = frameAt({ frames: copy }, 0);
  for (const [at, place] of places.entries()) {
    copy.set(frames.subarray(place * FRAME_SIZE, (place + 1) * FRAME_SIZE));
    shape.shape(frame, pitchHz[place]!, moved[at]!);
    yield renderer.push(frame);
  }
  yield* renderer.end();
}
