import type { Plan } from '@jyutsing/contracts/accounts';
import { audioTooLong } from '@jyutsing/audio/audio-too-long';
import { plainWavDurationMs } from '@jyutsing/audio/wav';
import { AppError } from '@jyutsing/contracts/errors';
import { isKeptRecording, type TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { ServerDeps } from '#http/deps.ts';
import type { Transaction } from '#store/store.ts';
import { probe } from '#workers/tasks/probe.ts';
import type { Submission } from './new-record.ts';

/** Throws `storage_exceeded` when a recording to keep is more than the plan allows. */
export async function checkKeptAudio(
  transaction: Transaction,
  { accountId, blobKey, sizeBytes }: TranscriptionRecord,
  { keptAudioMb }: Plan,
): Promise<void> {
  if (keptAudioMb === null || !isKeptRecording(blobKey)) return;
  const keptBytes = await transaction.transcriptions.keptBytesLocked(accountId);
  if (keptBytes + sizeBytes > keptAudioMb * 1e6) {
    throw new AppError(
      'storage_exceeded',
      'The plan keeps no more recordings; delete some, or send this one without "keep_audio".',
    );
  }
}

/** 0 when the file does not declare its duration; it is known after decoding. */
export async function declaredDurationMs(
  { file, caller }: Submission,
  { workers, config }: Pick<ServerDeps, 'workers' | 'config'>,
): Promise<number> {
  const { path } = file;
  const probed = async () => (await workers.run(probe, { path }, caller.account.id)).declaredDurationMs;
  const durationMs = (await plainWavDurationMs(path)) ?? (await probed()) ?? 0;
  if (durationMs > config.maxDurationMs) {
    throw audioTooLong(config.maxDurationMs);
  }
  return durationMs;
}
