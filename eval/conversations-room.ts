import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';

/** A sparse impulse response: the direct sound, then reflections that fade. */
export type Room = { delays: number[]; gains: number[] };

const REFLECTIONS_PER_SECOND = 600;

/**
 * A room by velvet noise: one reflection of random sign in each of equal stretches of time, fading by 60 dB over its reverberation
 * time (Karjalainen and Järveläinen 2007). Sparse, so that minutes of sound go through it in a second.
 */
export function makeRoom(random: () => number): Room {
  const reverberationSeconds = 0.15 + 0.35 * random();
  const wetGain = 0.05 + 0.1 * random();
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

/** Adds a sound, as it is heard in a room, to `target` from sample `at` on. */
export function addInRoom(target: Float32Array, sound: Float32Array, at: number, gain: number, room: Room): void {
  for (const [index, delay] of room.delays.entries()) {
    const factor = gain * room.gains[index]!;
    const from = at + delay;
    const length = Math.min(sound.length, target.length - from);
    for (let i = 0; i < length; i += 1) target[from + i]! += sound[i]! * factor;
  }
}

/** Adds noise that falls towards high frequencies, as rooms and microphones have it, at a level in dB of full scale. */
export function addNoise(target: Float32Array, levelDb: number, random: () => number): void {
  const gain = 10 ** (levelDb / 20);
  // A one-pole low pass of white noise of unit power; the last factor brings it back to unit power.
  const pole = 0.6 + 0.35 * random();
  const unit = Math.sqrt(12) * Math.sqrt(1 - pole * pole);
  let state = 0;
  for (let i = 0; i < target.length; i += 1) {
    state = pole * state + (random() - 0.5);
    target[i]! += gain * unit * state;
  }
}
