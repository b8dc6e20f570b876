import type { StereoChoice } from './phase-judge.ts';

/** Samples of two channels: their mean and half of their difference. */
export type Pair = Record<StereoChoice, Float32Array<ArrayBuffer>>;

/** Memory for so many times the samples that are held, so that they are seldom moved. */
const MEMORY_FACTOR = 3;
/** Memory that is kept for the next queue is at most that of two seconds at 48 kHz. */
const MAX_SPARE_SAMPLES = 300_000;

/** Memory of a queue that was closed: what every recording leaves would wait for the collector. */
let spare: Pair | null = null;

/** Holds samples of two channels, each in one piece, from where they are written until dropped. */
export class PairQueue {
  readonly #usualLength: number;
  #memory = createPair(0);
  #start = 0;
  #end = 0;

  /** `usualLength`: how many samples are held most of the time. */
  constructor(usualLength: number) {
    this.#usualLength = usualLength;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** The memory, in which the held samples begin at `start`, until more are reserved. */
  get memory(): Pair {
    return this.#memory;
  }

  get start(): number {
    return this.#start;
  }

  /** Returns memory for the next samples, of which `add` tells how many were written. */
  reserve(length: number): Pair {
    if (this.#end + length > this.#memory.mean.length) this.#makeRoom(length);
    const end = this.#end;
    const { mean, difference } = this.#memory;
    return { mean: mean.subarray(end, end + length), difference: difference.subarray(end, end + length) };
  }

  add(length: number): void {
    this.#end += length;
  }

  drop(length: number): void {
    this.#start += length;
  }

  /** Gives the memory back; call nothing else afterwards. */
  close(): void {
    const { length } = this.#memory.mean;
    if (length > (spare?.mean.length ?? 0) && length <= MAX_SPARE_SAMPLES) spare = this.#memory;
    this.#memory = createPair(0);
  }

  #makeRoom(length: number): void {
    const needed = Math.max(this.#usualLength, this.length + length);
    const before = this.#memory;
    const isSpacious = before.mean.length >= (needed * MEMORY_FACTOR) / 2;
    if (!isSpacious) this.#memory = takePair(needed * MEMORY_FACTOR);
    for (const channel of ['mean', 'difference'] as const)
      this.#memory[channel].set(before[channel].subarray(this.#start, this.#end));
    [this.#start, this.#end] = [0, this.length];
  }
}

/** Returns memory for at least `length` samples. */
function takePair(length: number): Pair {
  if (spare === null || spare.mean.length < length || spare.mean.length > 2 * length) return createPair(length);
  const taken = spare;
  spare = null;
  return taken;
}

function createPair(length: number): Pair {
  return { mean: new Float32Array(length), difference: new Float32Array(length) };
}
