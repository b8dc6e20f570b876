import { AppError } from '@jyutsing/contracts/errors';

/** The refusal of a recording that is longer than a limit in milliseconds, which it names. */
export function audioTooLong(limitMs: number): AppError {
  const minutes = limitMs / 60_000;
  const limit =
    minutes >= 1 ? `${String(Math.floor(minutes))} minutes` : `${String(Math.round(limitMs / 1_000))} seconds`;
  return new AppError('audio_too_long', `The recording is longer than this service accepts, which is ${limit}.`);
}
