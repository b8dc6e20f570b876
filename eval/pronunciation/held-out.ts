import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';

// Mirrors training/acoustic/make_recordings.py: data excluded from training of acoustic models and
// scorer.

/** One in ten recordings of the Cantonese training voice, by file name. */
export function isTestRecording(file: string): boolean {
  return firstNumber(basename(file, extname(file))) % 10 === 0;
}

/** One in five learners, by speaker number. */
export function isTestLearner(speaker: string): boolean {
  return firstNumber(speaker) % 5 === 0;
}

/** Mandarin speaker excluded from training. */
export const TEST_SPEAKER_CMN = 'cw';

/** A number of 32 bits from the hash of a text. */
export function firstNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
