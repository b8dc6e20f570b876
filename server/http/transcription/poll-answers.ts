import { LRUCache } from 'lru-cache';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { HttpServices } from '#http/services.ts';
import { viewRecord } from './record-view.ts';
import { PollAnswer } from './record-schema.ts';

/** Answers kept for the next poll: some hundred hours of transcript. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** JavaScript's characters beyond Latin, and what an entry costs beside its text. */
const BYTES_PER_CHARACTER = 2;
const ENTRY_BYTES = 300;

export type PollAnswers = {
  /** The body of the answer for a record of this account, as JSON; null when there is no such record or it is another's. */
  find(id: string, accountId: string): Promise<string | null>;
  /** For a record that was deleted here; of one that went elsewhere the text is forgotten when it is asked for. */
  forget(id: string): void;
};

/**
 * What a poll shows changes with the record's status alone, so each state is rendered once and its text kept. Whether the record
 * is there, whose it is and how it stands is read at every poll: a deleted one is gone at once, its text as well.
 */
export function createPollAnswers({ store, config }: Pick<HttpServices, 'store' | 'config'>): PollAnswers {
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
      if (known?.state === nameOf(state)) return known.text;
      // Between the two reads it may have gone on, or gone.
      const record = await store.transcriptions.find(id);
      if (record === null || record.accountId !== accountId) return null;
      const text = render(record);
      kept.set(id, { state: nameOf(record), text });
      return text;
    },
    forget: (id) => void kept.delete(id),
  };
}

/** The time of creation, because an id that was deleted may be used again. */
function nameOf({ status, createdAtMs }: Pick<TranscriptionRecord, 'status' | 'createdAtMs'>): string {
  return `${status} ${createdAtMs}`;
}
