import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { ServerDeps } from '#http/deps.ts';
import type { RouteContext } from '#http/request-context.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

export const UNKNOWN_RECORD = 'There is no transcription with this id in this account.';

/** The caller's record with the id of the path. Throws `not_found`. */
export async function findRecord(
  { store }: Pick<ServerDeps, 'store'>,
  { caller, id: idInPath }: Pick<RouteContext<unknown>, 'caller' | 'id'>,
): Promise<TranscriptionRecord> {
  const id = transcriptionIdFrom(idInPath, caller.account.id);
  const record = id === null ? null : await store.transcriptions.find(id);
  if (record === null || record.accountId !== caller.account.id) throw new AppError('not_found', UNKNOWN_RECORD);
  return record;
}
