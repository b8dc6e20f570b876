import type { LiveEvent, LivePart } from '@jyutsing/contracts/live-recognition';
import type { Word } from '@jyutsing/contracts/transcript';
import type { LiveSocket } from '#http/live/live-connections.ts';
import { openLiveStream, type LiveClient, type LiveSettings, type LiveStreamDeps } from '#http/live/live-stream.ts';
import type { ListenQuery } from './query.ts';
import { watchUtteranceEnd } from './utterance-end.ts';
import { viewWords } from './views.ts';

/** All sound of a client, or one of its channels. */
type Source = {
  client: LiveClient;
  settings: LiveSettings;
  query: ListenQuery;
  requestId: string;
  /** The number of the channel, and of all: 0 of 1 for sound that is mixed. */
  channel: readonly [number: number, count: number];
};

/** The recognition of a channel, whose results are sent with its number. */
export type ListenChannel = {
  /** Takes bytes in the format of the settings. Throws as a live stream does. */
  write(bytes: Uint8Array): Promise<void>;
  /** Applies to the speech that begins from now on. Throws as a live stream does. */
  configure(settings: LiveSettings): void;
  /** Ends the open segment. */
  commit(): Promise<boolean>;
  /** Ends the open segment; resolves after the last message. */
  finish(): Promise<void>;
  /** Seconds of sound until now. */
  seconds(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

const NO_MODEL = { name: 'jyutsing', version: '1', arch: 'jyutsing' };

/** Opens the recognition of a channel. */
export function openListenChannel(
  deps: LiveStreamDeps,
  { client, settings, query, requestId, channel }: Source,
  { send, fail }: Pick<LiveSocket, 'send' | 'fail'>,
): ListenChannel {
  const starts = new Map<number, number>();
  const utterance = watchUtteranceEnd(query.utterance_end_ms ?? Infinity, (lastWordEndMs) =>
    send({ type: 'UtteranceEnd', channel, last_word_end: lastWordEndMs / 1_000 }),
  );
  const stream = openLiveStream(deps, client, settings, { onEvent, onFailure: fail });

  function sendResults(result: Result): void {
    const { startMs, endMs, text, words, confidence, parts, ...state } = result;
    send({
      type: 'Results',
      channel_index: channel,
      start: startMs / 1_000,
      duration: Math.max(0, endMs - startMs) / 1_000,
      ...state,
      channel: {
        alternatives: [{ transcript: text, confidence: confidence ?? 0, words: viewParts(text, words, parts) }],
      },
      metadata: { request_id: requestId, model_info: NO_MODEL, model_uuid: requestId },
    });
  }
  function onEvent(event: LiveEvent): void {
    const { segment } = event;
    if (event.type === 'speech-start') {
      starts.set(segment, event.startMs);
      utterance.speechStarted(event.startMs);
      if (query.vad_events) send({ type: 'SpeechStarted', channel, timestamp: event.startMs / 1_000 });
    } else if (event.type === 'segment-delta') {
      const times = { startMs: starts.get(segment) ?? 0, endMs: stream.seconds() * 1_000 };
      const open = { is_final: false, speech_final: false, from_finalize: false, words: [], confidence: null };
      if (query.interim_results) sendResults({ ...times, ...open, text: event.text });
    } else if (event.type === 'segment-end') {
      const isOver = event.reason === 'silence';
      sendResults({
        ...pick(event),
        is_final: true,
        speech_final: isOver && query.endpointing !== false,
        from_finalize: event.reason === 'commit',
      });
      const next = [...starts].find(([other]) => other > segment)?.[1] ?? null;
      if (event.text !== '') utterance.speechEnded(event.words.at(-1)?.endMs ?? event.endMs, next);
    } else if (event.type === 'segment-failed') {
      send({ type: 'Error', code: event.error.code, description: event.error.message });
    }
    if (event.type.startsWith('segment-') && event.type !== 'segment-delta') starts.delete(segment);
    utterance.heard(stream.seconds() * 1_000);
  }

  return {
    async write(bytes) {
      await stream.write(bytes);
      utterance.heard(stream.seconds() * 1_000);
    },
    configure: stream.configure,
    commit: stream.commit,
    async finish() {
      await stream.end();
      if (query.utterance_end_ms !== undefined) utterance.finish();
    },
    seconds: stream.seconds,
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}

type Result = {
  startMs: number;
  endMs: number;
  text: string;
  words: readonly Word[];
  confidence: number | null;
  parts?: readonly LivePart[] | undefined;
  is_final: boolean;
  speech_final: boolean;
  from_finalize: boolean;
};

function pick({ startMs, endMs, text, words, confidence, parts }: Extract<LiveEvent, { type: 'segment-end' }>) {
  return { startMs, endMs, text, words, confidence, parts };
}

/** The words with their speakers, where these are told apart. */
function viewParts(text: string, words: readonly Word[], parts: readonly LivePart[] | undefined) {
  if (parts === undefined) return viewWords(text, words);
  return parts.flatMap((part) => viewWords(part.text, part.words).map((word) => ({ ...word, speaker: part.speaker })));
}
