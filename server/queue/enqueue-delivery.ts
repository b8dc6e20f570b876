import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { Transaction } from '#store/store.ts';
import type { Queue } from './queue.ts';

/**
 * Enqueues the delivery of a final record to its `callbackUrl`, if it has one. Call it in the
 * transaction that makes the record final, so a crash cannot lose the delivery.
 */
export async function enqueueDelivery(
  transaction: Transaction,
  { id, accountId, callbackUrl }: Pick<TranscriptionRecord, 'id' | 'accountId' | 'callbackUrl'>,
  queue: Pick<Queue, 'enqueue'>,
): Promise<void> {
  if (callbackUrl === null) return;
  await queue.enqueue(transaction, { name: 'deliver', payload: { transcriptionId: id }, accountId });
}
