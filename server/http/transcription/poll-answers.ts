import { LRUCache } from 'lru-cache';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { ServerDeps } from '#http/deps.ts';
import { viewRecord } from './record-view.ts';
import { PollAnswer } from './record-schema.ts';

/** Size of the cache: some hundred hours of transcript. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** UTF-16, and the overhead of an entry. */
const BYTES_PER_CHARACTER = 2;
const ENTRY_BYTES = 300;

export type PollAnswers = {
  /** The JSON body for a record of this account; null when it does not exist or is another's. */
  find(id: string, accountId: string): Promise<string | null>;
  /** Call after deleting a record. Deletions by other processes are noticed by `find`. */
  forget(id: string): void;
};

/**
 * Caches the answers of polls: they change only with the record's status. Existence, owner and
 * status are read at every poll, so a deleted record is gone at once.
 */
export function createPollAnswers({ store, config }: Pick<ServerDeps, 'store' | 'config'>): PollAnswers {
  const kept = new LRUCache<string, { state: string; text: string }>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ text }) => text.length * BYTES_PER_CHARACTER + ENTRY_BYTES,
  });
  const render = (record: TranscriptionRecord): string => {
    const answer = { success: true as const, transcription: viewRecord(record, config.cues) };
    return JSON.stringify(config.validateResponses ? PollAnswer.parse(answer) : answer);
  };
  return {
    async find(id, accountId) {
      const state = await store.transcriptions.findState(id);
      if (state === null) kept.delete(id);
      if (state === null || state.accountId !== accountId) return null;
      const known = kept.get(id);
      if (known?.state === stateKey(state)) return known.text;
      // The record may have changed or gone since its state was read.
      const record = await store.transcriptions.find(id);
      if (record === null || record.accountId !== accountId) return null;
      const text = render(record);
      kept.set(id, { state: stateKey(record), text });
      return text;
    },
    forget: (id) => void kept.delete(id),
  };
}

/** Includes the time of creation, because a deleted id may be used again. */
function stateKey({
  status,
  createdAtMs,
  editVersion,
}: Pick<TranscriptionRecord, 'status' | 'createdAtMs' | 'editVersion'>): string {
  return `${status} ${createdAtMs} ${editVersion}`;
}
