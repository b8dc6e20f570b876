import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { viewRecording } from './views.ts';

/**
 * The body for the callback of Deepgram's clients: the answer that a waiting client gets, or the
 * failure as Deepgram writes it; null for a record of another interface, or one that is not final.
 */
export function viewCallback(record: TranscriptionRecord): object | null {
  const { deepgramAnswer: parts } = record.options;
  if (parts === undefined) return null;
  if (record.status === 'completed') return viewRecording(record, { ...parts, smart_format: false });
  if (record.status !== 'failed') return null;
  const { code, message } = record.error;
  return { request_id: record.id, err_code: code, err_msg: message };
}
