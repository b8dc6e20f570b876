import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { NewJob } from './queue.ts';

/** The work of a record, for the class of its models. */
export function transcriptionJob({
  id,
  accountId,
  plan,
}: Pick<TranscriptionRecord, 'id' | 'accountId' | 'plan'>): NewJob<'transcribe'> {
  return { name: 'transcribe', payload: { transcriptionId: id }, accountId, plan };
}
