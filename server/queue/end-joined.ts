import type { JoinedRecord } from '#store/repositories/transcriptions.ts';
import type { Transaction } from '#store/store.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { Queue } from './queue.ts';

/**
 * Ends a few of the records that joined a final one, and enqueues their deliveries; returns them.
 * Repeat in transactions of their own until there are none: a single one for hundreds of records
 * would last for seconds, and so would the wait of everything that needs their rows.
 */
export async function endJoined(
  transaction: Transaction,
  id: string,
  queue: Pick<Queue, 'enqueue'>,
): Promise<JoinedRecord[]> {
  const ended = await transaction.transcriptions.endJoined(id);
  for (const record of ended) await enqueueDelivery(transaction, record, queue);
  return ended;
}
