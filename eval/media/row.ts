import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorCode } from '@jyutsing/contracts/errors';
import type { Sound } from '#testbed/sound/audio.ts';
import { speakAt } from '#testbed/sound/timed-sentences.ts';
import { ffmpeg } from './programs.ts';

/** The folder of the files and, in it, the sound that they hold. */
export type Kit = {
  folder: string;
  /** Three sentences as mono WAV of 16 bits at 48 kHz. */
  master: string;
};

/** The sentences of the sound with the times at which they begin. */
export const SENTENCES = [
  { text: '巴士站喺對面馬路。', startMs: 400 },
  { text: '小朋友喺操場度踢波。', startMs: 3_400 },
  { text: '佢彈鋼琴彈得好叻。', startMs: 6_600 },
] as const;
export const DURATION_MS = 9_500;

/** A sentence by its number, and the time at which it must be found. */
export type Heard = readonly [sentence: number, startMs: number];

/**
 * The sound that a file must give; all that is left out is as in the sound of which it was made.
 */
export type Whole = {
  heard?: readonly Heard[] | 'as the second implementation';
  /** The time at which the last sound ends; null: what the second implementation finds. */
  durationMs?: number | null;
  /** The sound that is charged: the duration without silence that only the time line has. */
  chargedMs?: number;
  isCutOff?: boolean;
  /** The second implementation; a reason, when none reads the file as its format says. */
  reference?: 'ffmpeg' | 'ffmpeg with its own start' | 'sox' | { wrong: string };
  /** How far times may be from those of the original where there is no second implementation. */
  toleranceMs?: number;
  /** A refusal that says this is right as well. */
  orSays?: RegExp;
  /** True for what the recognizer hears too. */
  isTranscribed?: true;
};

/** The sound that is right, with all that was left out. */
export type Right = { heard: readonly Heard[]; durationMs: number; chargedMs: number; isCutOff: boolean };

/** A refusal with one of these codes, and what its message says. */
export type Refused = { codes: readonly ErrorCode[]; says: RegExp };

export type Expected = Whole | Refused;

/** One file of the matrix. */
export type Row = {
  /** The container, or the family of devices. */
  kind: string;
  what: string;
  /** The ending of the name that is given to the file; it must not matter. */
  ending: string;
  make(kit: Kit, path: string): Promise<unknown>;
  expected: Expected;
};

/** The times of all sentences, each later by so much. */
export function later(byMs: number): Heard[] {
  return SENTENCES.map(({ startMs }, sentence) => [sentence, startMs + byMs]);
}

/** The sound begins 3 s after the picture or the start of the file. */
export const LATE: Whole = {
  heard: later(3_000),
  durationMs: DURATION_MS + 3_000,
  chargedMs: DURATION_MS,
};

/** All from 3 s on is 4 s later. */
export const PAUSED: Whole = {
  heard: later(0).map(([sentence, startMs]) => [sentence, startMs > 3_000 ? startMs + 4_000 : startMs]),
  durationMs: DURATION_MS + 4_000,
  chargedMs: DURATION_MS,
};

/**
 * The file ends in the middle, in the pause before the last sentence. Another program may leave out
 * the last part of a frame, or leave in the beginning of the encoder.
 */
export const CUT: Whole = { heard: later(0).slice(0, 2), durationMs: null, isCutOff: true };

/** The file that ffmpeg makes of the sound with these arguments, separated by spaces. */
export function encode(args: string): Row['make'] {
  return ({ master }, path) => ffmpeg('-i', master, ...args.split(' '), path);
}

/**
 * The file that ffmpeg makes of the sound and a picture, with these arguments for the output;
 * `before` comes before the input of the sound.
 */
export function film(args: string, before = ''): Row['make'] {
  const picture = `-f lavfi -i color=c=gray:size=64x64:rate=10:duration=${DURATION_MS / 1_000 + 4}`;
  return ({ master }, path) =>
    ffmpeg(...words(`${picture} ${before} -i`), master, ...words(`-map 0:v -map 1:a ${args}`), path);
}

/**
 * The file of a recorder that was paused for 4 s after the first sentence, or of a line that was
 * interrupted: its later packets have later times. `muxing` are arguments for the last step.
 */
export function paused(ending: string, encoding: string, muxing = ''): Row['make'] {
  return async (kit, path) => {
    const whole = await onTheWay(kit, `whole.${ending}`, encode(encoding));
    const shift = 'setts=ts=TS+gte(TS*TB\\,3)*4/TB';
    await ffmpeg('-i', whole, '-c', 'copy', '-bsf:a', shift, ...words(muxing), path);
  };
}

export function words(args: string): string[] {
  return args.split(' ').filter((word) => word !== '');
}

/** Changes the bytes of the file that `make` makes. */
export function patched(make: Row['make'], change: (bytes: Buffer) => Buffer): Row['make'] {
  return async (kit, path) => {
    await make(kit, path);
    await writeFile(path, change(await readFile(path)));
  };
}

/** Makes a file on the way, and returns its path. */
export async function onTheWay(kit: Kit, name: string, make: Row['make']): Promise<string> {
  const path = join(kit.folder, `part-${name}`);
  await make(kit, path);
  return path;
}

/** The beginning of the file, up to a share of its bytes. */
export function cutAt(share: number): (bytes: Buffer) => Buffer {
  return (bytes) => bytes.subarray(0, Math.floor(bytes.length * share));
}

/** The sound of the files as samples. */
export function originalSound(sampleRateHz: number): Promise<Sound> {
  return speakAt(SENTENCES, DURATION_MS, sampleRateHz);
}
