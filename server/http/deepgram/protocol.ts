import { AppError } from '@jyutsing/contracts/errors';
import type { LiveEvent } from '@jyutsing/contracts/live-recognition';
import type { Word } from '@jyutsing/contracts/transcript';
import { modelNamed } from '#http/known-model.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import { openLiveStream, type LiveClient } from '#http/live/live-stream.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import { withFixedSession } from '#http/realtime/session.ts';
import { settingsOf, type ListenQuery } from './query.ts';
import { watchUtteranceEnd } from './utterance-end.ts';
import { viewWord } from './views.ts';

type Client = LiveClient & { query: ListenQuery; requestId: string };

const CHANNEL = [0, 1];
/** Longer texts are not parsed: they could take a hundred times their size in memory. */
const MAX_CONTROL_BYTES = 4_096;
const UNKNOWN_MESSAGE =
  'Unknown message; send {"type": "KeepAlive"}, "Finalize" or "CloseStream", of at most 4,096 bytes.';
const NO_MODEL = { name: 'jyutsing', version: '1', arch: 'jyutsing' };

/** Deepgram's messages: audio comes in binary, control messages and results are JSON. */
export function createListenProtocol(deps: RealtimeDeps, client: Client, connection: LiveSocket): LiveProtocol {
  const { query, requestId } = client;
  const { send } = connection;
  const starts = new Map<number, number>();
  const utterance = watchUtteranceEnd(query.utterance_end_ms ?? Infinity, (lastWordEndMs) =>
    send({ type: 'UtteranceEnd', channel: CHANNEL, last_word_end: lastWordEndMs / 1_000 }),
  );
  const knownModel = (name: string) => modelNamed(deps.models, 'recognizer', name).name;
  const settings = withFixedSession(settingsOf(query, knownModel), client.caller.fixedSession, knownModel);
  const stream = openLiveStream(deps, client, settings, { onEvent, onFailure: connection.fail });

  function sendResults(result: Result): void {
    const { startMs, endMs, text, words, confidence, ...state } = result;
    send({
      type: 'Results',
      channel_index: CHANNEL,
      start: startMs / 1_000,
      duration: Math.max(0, endMs - startMs) / 1_000,
      ...state,
      channel: {
        alternatives: [{ transcript: text, confidence: confidence ?? 0, words: words.map((word) => viewWord(word)) }],
      },
      metadata: { request_id: requestId, model_info: NO_MODEL, model_uuid: requestId },
    });
  }
  function onEvent(event: LiveEvent): void {
    const { segment } = event;
    if (event.type === 'speech-start') {
      starts.set(segment, event.startMs);
      utterance.speechStarted(event.startMs);
      if (query.vad_events) send({ type: 'SpeechStarted', channel: CHANNEL, timestamp: event.startMs / 1_000 });
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
    async receive(message, isBinary) {
      if (isBinary) {
        await stream.write(message);
        return utterance.heard(stream.seconds() * 1_000);
      }
      const type = controlTypeOf(message);
      if (type === 'Finalize') await stream.commit();
      else if (type === 'CloseStream') connection.close();
      else if (type !== 'KeepAlive') throw new AppError('invalid_request', UNKNOWN_MESSAGE);
    },
    async finish() {
      await stream.end();
      if (query.utterance_end_ms !== undefined) utterance.finish();
      const created = new Date().toISOString();
      const length = { duration: stream.seconds(), channels: query.channels };
      send({ type: 'Metadata', transaction_key: 'deprecated', request_id: requestId, sha256: '', created, ...length });
    },
    refuse: ({ code, message }) => send({ type: 'Error', code, description: message }),
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}

type Result = {
  startMs: number;
  endMs: number;
  text: string;
  words: readonly Word[];
  confidence: number | null;
  is_final: boolean;
  speech_final: boolean;
  from_finalize: boolean;
};

function pick({ startMs, endMs, text, words, confidence }: Extract<LiveEvent, { type: 'segment-end' }>) {
  return { startMs, endMs, text, words, confidence };
}

function controlTypeOf(message: Buffer): unknown {
  if (message.length > MAX_CONTROL_BYTES) return null;
  try {
    return (JSON.parse(message.toString('utf8')) as { type?: unknown } | null)?.type;
  } catch {
    return null;
  }
}
