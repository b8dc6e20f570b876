import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { drawBetween } from '#packages/numeric/random.ts';

/** Sparse impulse response: direct sound followed by decaying reflections. */
export type Room = { delays: number[]; gains: number[] };

/** Seconds in which an echo falls by 60 dB, and its gain at first: the least and the most. */
export type RoomRange = { reverberationSeconds: readonly [number, number]; wetGain: readonly [number, number] };

/** The direct sound is about 8 dB above the echo. */
export const NEAR_ROOM: RoomRange = { reverberationSeconds: [0.15, 0.5], wetGain: [0.05, 0.15] };
/** The echo is about as loud as the direct sound. */
export const FAR_ROOM: RoomRange = { reverberationSeconds: [0.3, 0.8], wetGain: [0.12, 0.35] };

const REFLECTIONS_PER_SECOND = 600;

/**
 * Simulates a room with velvet noise: one reflection of random sign per equal time slot, decaying
 * by 60 dB over the reverberation time (Karjalainen and Järveläinen 2007). Sparse, so minutes of
 * audio take a second.
 */
export function makeRoom(random: () => number, range: RoomRange = NEAR_ROOM): Room {
  const reverberationSeconds = drawBetween(random, range.reverberationSeconds);
  const wetGain = drawBetween(random, range.wetGain);
  const step = RECOGNIZER_SAMPLE_RATE_HZ / REFLECTIONS_PER_SECOND;
  const room: Room = { delays: [0], gains: [1] };
  for (let index = 1; index < reverberationSeconds * REFLECTIONS_PER_SECOND; index += 1) {
    const delay = Math.round((index + random()) * step);
    const decay = 10 ** ((-3 * delay) / RECOGNIZER_SAMPLE_RATE_HZ / reverberationSeconds);
    room.delays.push(delay);
    room.gains.push((random() < 0.5 ? -1 : 1) * decay * wetGain);
  }
  return room;
}

/** Adds `sound`, convolved with the room response, to `target` from sample `at` on. */
export function addInRoom(target: Float32Array, sound: Float32Array, at: number, gain: number, room: Room): void {
  for (const [index, delay] of room.delays.entries()) {
    const factor = gain * room.gains[index]!;
    const from = at + delay;
    const length = Math.min(sound.length, target.length - from);
    for (let i = 0; i < length; i += 1) target[from + i]! += sound[i]! * factor;
  }
}

/** Adds low-passed noise, typical of rooms and microphones, at a level in dB of full scale. */
export function addNoise(target: Float32Array, levelDb: number, random: () => number): void {
  const gain = 10 ** (levelDb / 20);
  // One-pole low pass of white noise; the last factor restores unit power.
  const pole = 0.6 + 0.35 * random();
  const unit = Math.sqrt(12) * Math.sqrt(1 - pole * pole);
  let state = 0;
  for (let i = 0; i < target.length; i += 1) {
    state = pole * state + (random() - 0.5);
    target[i]! += gain * unit * state;
  }
}
