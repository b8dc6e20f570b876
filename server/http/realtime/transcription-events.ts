import { randomUUID } from 'node:crypto';
import type { SerializedError } from '@jyutsing/contracts/errors';
import { deserializeError } from '@jyutsing/contracts/errors';
import type { LiveEvent } from '@jyutsing/contracts/live-recognition';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import { logprobsOf } from '#http/openai-transcriptions/views.ts';

/** Ids as OpenAI makes them: a short prefix and random letters. */
export const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 21)}`;

/** An event without its `event_id`. */
export type ServerEvent = { type: string } & Record<string, unknown>;

/** `isCleared`: the client dropped its sound, of which text may still be on the way. */
type Item = { id: string; isCommitted: boolean; isCleared: boolean; sentText: string };

type EventOptions = { withLogprobs: boolean; isBeta: boolean };

/** The names of speakers, as OpenAI gives them. */
const SPEAKERS = 'ABCD';

const TRANSCRIPTION = 'conversation.item.input_audio_transcription';

type EventTranslator = {
  /** Sends what an event of the recognition means to the client. */
  translate(event: LiveEvent): void;
  /** Acknowledges a commit of the client, before anything of its item is recognized. */
  commit(): void;
  /** Sends no text any more of sound that the client dropped. */
  clear(): void;
};

/**
 * Translates the recognition of a session to the events of OpenAI: an item for each segment, its
 * text in deltas that never change, and the whole text when it is final.
 */
export function createEventTranslator(
  send: (event: ServerEvent) => void,
  options: () => EventOptions,
): EventTranslator {
  const items = createItems();
  let previousItem: string | null = null;
  const commit = (item: Item) => {
    if (item.isCommitted) return;
    item.isCommitted = true;
    const place = { previous_item_id: previousItem };
    previousItem = item.id;
    send({ type: 'input_audio_buffer.committed', item_id: item.id, ...place });
    const content = [{ type: 'input_audio', transcript: null }];
    const message = { id: item.id, object: 'realtime.item', type: 'message', role: 'user', content };
    const added = options().isBeta
      ? ['conversation.item.created']
      : ['conversation.item.added', 'conversation.item.done'];
    for (const type of added) send({ type, ...place, item: { ...message, status: 'completed' } });
  };
  const sendDelta = (item: Item, text: string) => {
    // Clients concatenate deltas, so text that differs from what they have must wait for the end.
    if (item.isCleared || !text.startsWith(item.sentText) || text === item.sentText) return;
    const delta = text.slice(item.sentText.length);
    item.sentText = text;
    send({ type: `${TRANSCRIPTION}.delta`, item_id: item.id, content_index: 0, delta });
  };
  const complete = (item: Item, event: Extract<LiveEvent, { type: 'segment-end' }>) => {
    // A pause ended it before the sound was dropped.
    item.isCleared = false;
    commit(item);
    sendDelta(item, event.text);
    const place = { item_id: item.id, content_index: 0 };
    const { text, startMs, endMs, parts = text === '' ? [] : [{ ...event, speaker: null }] } = event;
    for (const part of parts) {
      const times = { start: part.startMs / 1_000, end: part.endMs / 1_000 };
      const speaker = part.speaker === null ? '' : (SPEAKERS[part.speaker] ?? '');
      send({ type: `${TRANSCRIPTION}.segment`, ...place, id: newId('seg'), text: part.text, ...times, speaker });
    }
    send({
      type: `${TRANSCRIPTION}.completed`,
      ...place,
      transcript: text,
      usage: { type: 'duration', seconds: (endMs - startMs) / 1_000 },
      languages: [{ code: LANGUAGE_CODES[event.language] }],
      ...(options().withLogprobs ? { logprobs: logprobsOf(event) } : {}),
    });
  };
  const fail = (item: Item, serialized: SerializedError) => {
    commit(item);
    const { type, code, message } = deserializeError(serialized);
    send({ type: `${TRANSCRIPTION}.failed`, item_id: item.id, content_index: 0, error: { type, code, message } });
  };

  const endSegment = (event: Exclude<LiveEvent, { type: 'speech-start' | 'speech-end' | 'segment-delta' }>) => {
    if (event.type === 'segment-dropped') return items.drop(event.segment);
    // A pause ended the item of this commit before the commit was heard.
    const isLate = event.type === 'segment-end' && event.reason === 'commit' && !items.expects(event.segment);
    if (isLate && event.text === '') return;
    const item = items.end(event.segment);
    if (event.type === 'segment-end') complete(item, event);
    else fail(item, event.error);
  };

  return {
    commit: () => commit(items.takeCommitted()),
    clear: items.clear,
    translate(event) {
      if (event.type === 'speech-start') {
        const { id } = items.begin(event.segment);
        send({ type: 'input_audio_buffer.speech_started', item_id: id, audio_start_ms: event.startMs });
      } else if (event.type === 'speech-end') {
        const item = items.of(event.segment);
        send({ type: 'input_audio_buffer.speech_stopped', item_id: item.id, audio_end_ms: event.endMs });
        commit(item);
        items.close(item);
      } else if (event.type === 'segment-delta') sendDelta(items.of(event.segment), event.stableText);
      else endSegment(event);
    },
  };
}

/** The items of a session, each of a segment, or of a commit whose segment is not heard of yet. */
function createItems() {
  const bySegment = new Map<number, Item>();
  /** Committed by the client, the oldest first. */
  const waiting: Item[] = [];
  /** The item of a segment that has not ended. */
  let open: Item | null = null;
  /** The segment that was dropped is not heard of yet. */
  let isNextCleared = false;

  const of = (segment: number): Item => {
    const existing = bySegment.get(segment);
    if (existing !== undefined) return existing;
    const item = waiting.shift() ?? { ...newItem(), isCleared: isNextCleared };
    bySegment.set(segment, item);
    open = item;
    return item;
  };
  const close = (item: Item) => {
    if (open === item) open = null;
  };
  return {
    of,
    close,
    /** The item of a segment in which speech begins after all that was dropped. */
    begin(segment: number): Item {
      isNextCleared = false;
      return of(segment);
    },
    clear(): void {
      if (open === null) isNextCleared = true;
      else if (!open.isCommitted) open.isCleared = true;
    },
    expects: (segment: number) => bySegment.has(segment) || waiting.length > 0,
    /** The item that a commit of the client ends. */
    takeCommitted(): Item {
      const item = open === null || open.isCleared ? newItem() : open;
      if (item !== open) waiting.push(item);
      open = null;
      return item;
    },
    end(segment: number): Item {
      isNextCleared = false;
      const item = of(segment);
      bySegment.delete(segment);
      close(item);
      return item;
    },
    drop(segment: number): void {
      isNextCleared = false;
      const item = bySegment.get(segment);
      bySegment.delete(segment);
      open = null;
      // The client committed the sound after the dropped one.
      if (item?.isCommitted === true) waiting.unshift({ ...item, isCleared: false });
    },
  };
}

function newItem(): Item {
  return { id: newId('item'), isCommitted: false, isCleared: false, sentText: '' };
}
