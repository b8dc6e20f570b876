import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';

// The same rules as training/acoustic/make_recordings.py: what the acoustic models and the scorer never learnt from.

/** One recording in ten of the Cantonese voice that was trained on, as a function of its file name. */
export function isTestRecording(file: string): boolean {
  return firstNumber(basename(file, extname(file))) % 10 === 0;
}

/** One learner in five, as a function of the speaker's number. */
export function isTestLearner(speaker: string): boolean {
  return firstNumber(speaker) % 5 === 0;
}

/** The Mandarin speaker of whom nothing was trained on. */
export const TEST_SPEAKER_CMN = 'cw';

function firstNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
