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

type Item = { id: string; isCommitted: boolean; sentText: string };

type EventOptions = { withLogprobs: boolean; isBeta: boolean };

const TRANSCRIPTION = 'conversation.item.input_audio_transcription';

type EventTranslator = {
  /** Sends what an event of the recognition means to the client. */
  translate(event: LiveEvent): void;
  /** Acknowledges a commit of the client, before anything of its item is recognized. */
  commit(): void;
};

/**
 * Translates the recognition of a session to the events of OpenAI: an item for each segment, its
 * text in deltas that never change, and the whole text when it is final.
 */
export function createEventTranslator(
  send: (event: ServerEvent) => void,
  options: () => EventOptions,
): EventTranslator {
  const items = new Map<number, Item>();
  /** Items that the client committed before their segment is heard of, the oldest first. */
  const waitingItems: Item[] = [];
  /** The item of a segment that has not ended. */
  let openItem: Item | null = null;
  let previousItem: string | null = null;

  const newItem = (): Item => ({ id: newId('item'), isCommitted: false, sentText: '' });
  const itemOf = (segment: number): Item => {
    const existing = items.get(segment);
    if (existing !== undefined) return existing;
    const item = waitingItems.shift() ?? newItem();
    items.set(segment, item);
    openItem = item;
    return item;
  };
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
    if (!text.startsWith(item.sentText) || text === item.sentText) return;
    const delta = text.slice(item.sentText.length);
    item.sentText = text;
    send({ type: `${TRANSCRIPTION}.delta`, item_id: item.id, content_index: 0, delta });
  };
  const complete = (item: Item, event: Extract<LiveEvent, { type: 'segment-end' }>) => {
    commit(item);
    sendDelta(item, event.text);
    const place = { item_id: item.id, content_index: 0 };
    const { text, startMs, endMs } = event;
    if (text !== '') {
      const times = { start: startMs / 1_000, end: endMs / 1_000 };
      send({ type: `${TRANSCRIPTION}.segment`, ...place, id: newId('seg'), text, ...times, speaker: '' });
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

  const drop = (segment: number) => {
    const item = items.get(segment);
    items.delete(segment);
    openItem = null;
    // What the client committed is the sound after the dropped one.
    if (item?.isCommitted === true) waitingItems.unshift(item);
  };
  const endSegment = (event: Exclude<LiveEvent, { type: 'speech-start' | 'speech-end' | 'segment-delta' }>) => {
    if (event.type === 'segment-dropped') return drop(event.segment);
    const isUnannounced = !items.has(event.segment) && waitingItems.length === 0;
    // The item of this commit was ended by a pause before the commit was heard.
    if (event.type === 'segment-end' && event.reason === 'commit' && event.text === '' && isUnannounced) return;
    const item = itemOf(event.segment);
    items.delete(event.segment);
    if (event.type === 'segment-end') complete(item, event);
    else fail(item, event.error);
    if (openItem === item) openItem = null;
  };

  return {
    commit() {
      const item = openItem ?? newItem();
      if (openItem === null) waitingItems.push(item);
      openItem = null;
      commit(item);
    },
    translate(event) {
      if (event.type === 'speech-start') {
        const { id } = itemOf(event.segment);
        send({ type: 'input_audio_buffer.speech_started', item_id: id, audio_start_ms: event.startMs });
      } else if (event.type === 'speech-end') {
        const item = itemOf(event.segment);
        send({ type: 'input_audio_buffer.speech_stopped', item_id: item.id, audio_end_ms: event.endMs });
        commit(item);
        if (openItem === item) openItem = null;
      } else if (event.type === 'segment-delta') sendDelta(itemOf(event.segment), event.stableText);
      else endSegment(event);
    },
  };
}
