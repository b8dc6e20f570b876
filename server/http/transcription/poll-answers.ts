import { LRUCache } from 'lru-cache';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import type { ServerDeps } from '#http/deps.ts';
import { PollAnswer } from './record-schema.ts';
import { viewRecord } from './record-view.ts';
import type { RenderInTurn } from './rendering-turns.ts';

/** Size of the cache: some hundred hours of transcript. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** The overhead of an entry. */
const ENTRY_BYTES = 300;

type State = Pick<TranscriptionRecord, 'status' | 'createdAtMs' | 'editVersion' | 'accountId'>;
/** `text` is encoded already: Node would encode a string again for each poll. */
type Answer = { state: string; accountId: string; text: Buffer };

export type PollAnswers = {
  /** The JSON body for a record of this account; null when it does not exist or is another's. */
  find(id: string, accountId: string): Promise<Buffer | null>;
  /** Call after deleting a record. Deletions by other processes are noticed by `find`. */
  forget(id: string): void;
};

/**
 * Caches the answers of polls: they change only with the record's status. Existence, owner and
 * status are read at every poll, so a deleted record is gone at once.
 */
export function createPollAnswers(
  { store, config }: Pick<ServerDeps, 'store' | 'config'>,
  inTurn: RenderInTurn,
): PollAnswers {
  const kept = new LRUCache<string, Answer>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ text }) => text.length + ENTRY_BYTES,
  });
  /** Answers that are being made, each once for all polls that wait for it. */
  const rendering = new Map<string, { state: string; answer: Promise<Answer | null> }>();
  const read = async (id: string): Promise<Answer | null> => {
    const record = await store.transcriptions.find(id);
    if (record === null) return null;
    const answer = { success: true as const, transcription: await viewRecord(record, config.cues) };
    const text = encodeAlone(JSON.stringify(config.validateResponses ? PollAnswer.parse(answer) : answer));
    return { state: stateKey(record), accountId: record.accountId, text };
  };
  const render = (id: string, { status, accountId }: State) =>
    // Other polls may wait for the same answer, so none of them can end it. Without a text it is
    // short, and must not wait for long ones.
    status === 'completed' ? inTurn(accountId, new AbortController().signal, () => read(id)) : read(id);
  const start = (id: string, state: State) => {
    const started = { state: stateKey(state), answer: render(id, state) };
    const end = (answer: Answer | null) => {
      // Deleted or changed meanwhile: what was deleted must not stay in memory.
      if (rendering.get(id) !== started) return;
      rendering.delete(id);
      if (answer !== null) kept.set(id, answer);
    };
    rendering.set(id, started);
    started.answer.then(end, () => end(null));
    return started;
  };
  const forget = (id: string) => {
    kept.delete(id);
    rendering.delete(id);
  };
  return {
    async find(id, accountId) {
      const state = await store.transcriptions.findState(id);
      if (state === null) forget(id);
      if (state === null || state.accountId !== accountId) return null;
      const keptAnswer = kept.get(id);
      if (keptAnswer?.state === stateKey(state)) return keptAnswer.text;
      const running = rendering.get(id);
      const { answer } = running?.state === stateKey(state) ? running : start(id, state);
      // The record may have changed or gone since its state was read.
      const made = await answer;
      return made?.accountId === accountId ? made.text : null;
    },
    forget,
  };
}

/**
 * In memory of its own: Node makes small buffers parts of blocks of 8 KiB, and each that is kept
 * keeps the whole block.
 */
export function encodeAlone(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Includes the time of creation, because a deleted id may be used again. */
function stateKey({ status, createdAtMs, editVersion }: State): string {
  return `${status} ${createdAtMs} ${editVersion}`;
}
