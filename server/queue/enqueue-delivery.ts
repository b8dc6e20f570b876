import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { Transaction } from '#store/store.ts';
import type { Queue } from './queue.ts';

/**
 * To be called in the transaction that makes a record final, so that no crash can come between: the record will be sent to its
 * `callbackUrl`. Does nothing when it has none. Of the record only id, account and address are read.
 */
export async function enqueueDelivery(
  transaction: Transaction,
  { id, accountId, callbackUrl }: Pick<TranscriptionRecord, 'id' | 'accountId' | 'callbackUrl'>,
  queue: Pick<Queue, 'enqueue'>,
): Promise<void> {
  if (callbackUrl === null) return;
  await queue.enqueue(transaction, { name: 'deliver', payload: { transcriptionId: id }, accountId });
}
