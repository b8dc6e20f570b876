import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { Transaction } from '#store/store.ts';
import type { Queue } from './queue.ts';

/** Enqueues the work of a record for the class of its models, in the transaction that writes it. */
export async function enqueueTranscription(
  transaction: Transaction,
  { id, accountId, plan }: Pick<TranscriptionRecord, 'id' | 'accountId' | 'plan'>,
  queue: Pick<Queue, 'enqueue'>,
): Promise<void> {
  await queue.enqueue(transaction, { name: 'transcribe', payload: { transcriptionId: id }, accountId, plan });
}
