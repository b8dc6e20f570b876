import { AuthenticationError, ConnectionError, errorOfFamily, JyutsingError } from './errors.ts';
import { EventQueue } from './event-queue.ts';
import type { RequestOptions, Transport } from './http/transport.ts';
import type { Language, Suggested } from './types.ts';

export type ListenOptions = Pick<RequestOptions, 'signal'> & {
  /** The spoken language by name or code. Defaults to `auto`. */
  language?: Suggested<Language | 'auto'> | undefined;
  /** Sample rate of the sound in hertz, 8000 to 96000. Defaults to 16000. */
  sampleRate?: number | undefined;
  /** Number of channels of the sound, 1 to 8, which are mixed to one. Defaults to 1. */
  channels?: number | undefined;
  /** Encoding of the samples. Defaults to `linear16`, signed and little-endian. */
  encoding?: 'linear16' | 'mulaw' | 'alaw' | undefined;
  /** True to receive text that may still change. Defaults to true. */
  interim?: boolean | undefined;
  /** Milliseconds of silence that end an utterance. */
  silence?: number | undefined;
  /** True to tell up to four speakers apart: each final word names its speaker. */
  diarization?: boolean | undefined;
  /** Words that are likely to occur. */
  terms?: readonly string[] | undefined;
  /** A recognition model of `models.list()`. */
  model?: string | undefined;
  /** The WebSocket class, for platforms without one (Node 20): that of the package `ws`. */
  webSocket?: WebSocketClass | undefined;
};

/** An event of a session. Times are seconds from the start of the sound. */
export type LiveEvent =
  | { type: 'speech-start'; time: number }
  /** `isFinal` is false for the text of the open utterance, which replaces the text before. */
  | {
      type: 'text';
      text: string;
      isFinal: boolean;
      start: number;
      end: number;
      words: LiveWord[];
      /** The text by speakers; only of a final text with `diarization`. */
      turns?: LiveTurn[];
    };

/** `speaker` counts from 0, in the order of first speech. */
export type LiveTurn = { speaker: number; text: string };

/** `speaker` counts from 0, in the order of first speech; only with `diarization`. */
export type LiveWord = { text: string; start: number; end: number; confidence: number; speaker?: number };

type WebSocketClass = new (url: string, protocols: string[]) => WebSocketLike;
/**
 * An event of a WebSocket; the events of the package `ws` have only `type` in common with those of
 * browsers.
 */
type SocketEvent = { type?: string; data?: unknown; code?: number; reason?: string };
type WebSocketLike = {
  binaryType: string;
  readonly bufferedAmount: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
};

type Message = {
  type?: string;
  timestamp?: number;
  start?: number;
  duration?: number;
  is_final?: boolean;
  code?: string;
  description?: string;
  channel?: { alternatives?: { transcript: string; words: WireWord[] }[] };
};
type WireWord = { punctuated_word: string; start: number; end: number; confidence: number; speaker?: number };

const PATH = '/v1/listen';

/** Recognizes speech while people speak. Iterate over it for its events; it ends after `close`. */
export class LiveSession implements AsyncIterable<LiveEvent> {
  readonly #socket: WebSocketLike;
  readonly #events = new EventQueue<LiveEvent>();
  #isOver = false;

  constructor(socket: WebSocketLike, signal: AbortSignal | undefined) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', ({ code = 1006, reason = '' }) => {
      this.#isOver = true;
      if (code !== 1000 && code !== 1005) this.#events.fail(closedBy(code, reason));
      this.#events.close();
    });
    signal?.addEventListener('abort', () => {
      this.#events.fail(signal.reason);
      socket.close();
    });
  }

  /**
   * Sends sound in the format of the options. `bufferedBytes` grows when the network is too slow.
   */
  send(sound: Uint8Array | Int16Array): void {
    const { buffer, byteOffset, byteLength } = sound;
    this.#socket.send(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
  }

  /** Number of bytes that were given to `send` and not sent yet. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Ends the open utterance now, without waiting for silence. */
  finalize(): void {
    this.#socket.send(JSON.stringify({ type: 'Finalize' }));
  }

  /** Ends the sound. The remaining events follow, and then the iteration ends. */
  close(): void {
    if (!this.#isOver) this.#socket.send(JSON.stringify({ type: 'CloseStream' }));
  }

  [Symbol.asyncIterator](): AsyncGenerator<LiveEvent, void> {
    return this.#events[Symbol.asyncIterator]();
  }

  /** Closes the connection at once. */
  terminate(): void {
    this.#socket.close();
  }

  /** Closes the session at the end of `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.terminate();
  }

  #receive(message: Message): void {
    if (message.type === 'Error') this.#events.fail(refusalOf(message));
    const event = eventOf(message);
    if (event !== null) this.#events.push(event);
  }
}

/** Opens a connection. Throws the server's refusal, as every other request does. */
export async function openLiveSession(transport: Transport, options: ListenOptions): Promise<LiveSession> {
  const { webSocket = (globalThis as { WebSocket?: WebSocketClass }).WebSocket, signal } = options;
  if (webSocket === undefined) {
    throw new JyutsingError('This platform has no WebSocket; give the class of one to listen({ webSocket }).', {
      code: 'no_web_socket',
    });
  }
  const { apiKey } = transport.settings;
  if (apiKey === undefined) {
    throw new AuthenticationError(
      'Live recognition needs an API key; set the option "apiKey" or the variable JYUTSING_API_KEY.',
      { code: 'missing_api_key' },
    );
  }
  signal?.throwIfAborted();
  const query = queryOf(options);
  // The key is sent as a subprotocol, because browsers cannot send headers.
  const socket = new webSocket(transport.url(PATH, query).replace(/^http/, 'ws'), ['token', apiKey]);
  const session = new LiveSession(socket, signal);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('error', () => resolve(false));
    socket.addEventListener('close', () => resolve(false));
  });
  if (isOpen) return session;
  signal?.throwIfAborted();
  throw await reasonOf(transport, query);
}

function queryOf(options: ListenOptions): Record<string, string | number | boolean | undefined> {
  const {
    language,
    sampleRate = 16_000,
    channels,
    encoding = 'linear16',
    interim = true,
    silence,
    terms,
    model,
    diarization,
  } = options;
  return {
    language,
    sample_rate: sampleRate,
    channels,
    encoding,
    interim_results: interim,
    endpointing: silence,
    vad_events: true,
    diarize: diarization,
    keyterm: terms === undefined || terms.length === 0 ? undefined : terms.join('、'),
    model,
  };
}

/**
 * Finds the reason of a refusal, which a WebSocket does not report, by a plain request to the same
 * address.
 */
async function reasonOf(transport: Transport, query: Record<string, string | number | boolean | undefined>) {
  const failed = new ConnectionError('The live connection could not be opened.', { code: 'connection_failed' });
  try {
    await transport.text({ method: 'GET', path: PATH, query }, { maxRetries: 0 });
    return failed;
  } catch (refusal) {
    // The server answers `invalid_request` to an acceptable request that is not a WebSocket.
    return refusal instanceof JyutsingError && refusal.code !== 'invalid_request' ? refusal : failed;
  }
}

function eventOf(message: Message): LiveEvent | null {
  if (message.type === 'SpeechStarted') return { type: 'speech-start', time: message.timestamp ?? 0 };
  const [best] = message.channel?.alternatives ?? [];
  if (message.type !== 'Results' || best === undefined) return null;
  const { start = 0, duration = 0, is_final: isFinal = false } = message;
  const words = best.words.map(({ punctuated_word: text, ...times }) => ({ text, ...pick(times) }));
  const turns = turnsOf(best.transcript, words);
  const times = { start, end: start + duration };
  return { type: 'text', text: best.transcript, isFinal, ...times, words, ...(turns === null ? {} : { turns }) };
}

/** Cuts a text before the words with which another speaker begins; null without speakers. */
function turnsOf(text: string, words: readonly LiveWord[]): LiveTurn[] | null {
  const turns: { speaker: number; from: number }[] = [];
  let at = 0;
  for (const { text: word, speaker } of words) {
    if (speaker === undefined) return null;
    const found = text.indexOf(word, at);
    if (found >= 0) at = found;
    if (turns.at(-1)?.speaker !== speaker) turns.push({ speaker, from: turns.length === 0 ? 0 : at });
    if (found >= 0) at += word.length;
  }
  if (turns.length === 0) return null;
  return turns.map(({ speaker, from }, index) => ({ speaker, text: text.slice(from, turns[index + 1]?.from).trim() }));
}

const pick = ({ start, end, confidence, speaker }: Omit<WireWord, 'punctuated_word'>) => {
  return { start, end, confidence, ...(speaker === undefined ? {} : { speaker }) };
};

function refusalOf({ code = 'internal_error', description = 'The live recognition failed.' }: Message): JyutsingError {
  const type =
    code === 'quota_exceeded' ? 'quota_error' : code.endsWith('_api_key') ? 'authentication_error' : undefined;
  return errorOfFamily(type ?? 'server_error', description, { code });
}

function closedBy(code: number, reason: string): JyutsingError {
  const message = reason === '' ? 'The live connection broke.' : `The live connection was closed: ${reason}.`;
  return new ConnectionError(message, { code: `websocket_${code}` });
}
