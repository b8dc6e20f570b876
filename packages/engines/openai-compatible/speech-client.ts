import type { Response } from 'undici';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { SPEECH_SERVER, statusFailure } from './failures.ts';
import { withNetworkErrors, send } from './post.ts';
import { createSoundReader } from './sound-bytes.ts';
import type { SpeechSettings } from './speech-settings.ts';
import { knownRefusals, refusalIn, rememberRefusals, speechBody, type Refusal } from './speech-protocols.ts';

/**
 * A chunk of audio at the server's rate. `tempo` is the remaining change of speed; 1 when the
 * server applied it.
 */
export type ServerSound = { samples: Float32Array<ArrayBuffer>; sampleRateHz: number; tempo: number };

/**
 * Largest part of an error message that is read, in bytes; a longer message repeats the request.
 */
const MAX_REFUSAL_BYTES = 64 * 1_024;
/** Slowest accepted speed relative to real time; slower servers time out. */
const LEAST_SPEED = 0.1;

/**
 * Synthesizes one text and yields its audio as it arrives, retrying in another form when the server
 * refuses a field. Audio is read no faster than it is pulled, so the network slows the server down.
 * Throws as described in `failures.ts` and `sound-bytes.ts`, or the signal's reason at once.
 * Returning early closes the connection.
 */
export async function* speakText(
  settings: SpeechSettings,
  text: string,
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<ServerSound> {
  signal.throwIfAborted();
  const connection = openConnection(settings, signal);
  try {
    const { response, isAtSpeed } = await ask(settings, text, request, connection);
    const tempo = isAtSpeed ? 1 : request.speed;
    const reader = createSoundReader(response.headers.get('content-type'), settings.sampleRateHz);
    for await (const bytes of connection.read(response)) {
      const samples = reader.push(bytes);
      if (samples.length === 0) continue;
      connection.addAudio(samples.length / reader.sampleRateHz());
      yield { samples, sampleRateHz: reader.sampleRateHz(), tempo };
      signal.throwIfAborted();
    }
    const samples = reader.end();
    if (samples.length > 0) yield { samples, sampleRateHz: reader.sampleRateHz(), tempo };
  } finally {
    connection.close();
  }
}

/** Requests the audio; returns the response, and whether it has the requested speed. */
async function ask(
  settings: SpeechSettings,
  text: string,
  request: SynthesisRequest,
  connection: Connection,
): Promise<{ response: Response; isAtSpeed: boolean }> {
  const refused = new Set<Refusal>(knownRefusals(settings));
  for (;;) {
    const body = speechBody(settings, text, request, refused);
    const response = await connection.post(JSON.stringify(body));
    if (response.status === 200) {
      // Learn only from successes.
      rememberRefusals(settings, refused);
      return { response, isAtSpeed: request.speed === 1 || 'speed' in body };
    }
    const { status } = response;
    const failure =
      status === 413 && 'ref_audio' in body
        ? sampleFailure()
        : statusFailure(SPEECH_SERVER, status, response.headers.get('retry-after'));
    if (status !== 400 && status !== 422) {
      // Cancel the unread body; otherwise the connection would stay open.
      await response.body?.cancel();
      throw failure;
    }
    const answer = await connection.readText(response);
    const refusal = refusalIn(answer, body);
    if (refusal === 'sample') throw sampleFailure();
    if (refusal === null || refused.has(refusal))
      throw modelFailure(settings, answer) ?? voiceFailure(settings, answer) ?? failure;
    refused.add(refusal);
  }
}

function sampleFailure(): AppError {
  return new AppError('engine_failed', 'The speech server cannot use the sample of this voice; try another voice.');
}

function modelFailure({ model }: SpeechSettings, answer: string): AppError | null {
  if (model !== null || !/model/i.test(answer)) return null;
  return new AppError(
    'engine_unavailable',
    'The speech server needs the name of a model; the operator of this service must set TTS_MODEL.',
  );
}

function voiceFailure({ voice }: SpeechSettings, answer: string): AppError | null {
  if (!/voice|speaker/i.test(answer)) return null;
  const advice = voice === null ? 'must set' : 'must check';
  return new AppError(
    'engine_unavailable',
    `The speech server refused the voice; the operator of this service ${advice} TTS_VOICE.`,
  );
}

/** A connection to the server with its timeouts. */
type Connection = {
  post(body: string): Promise<Response>;
  read(response: Response): AsyncGenerator<Uint8Array>;
  readText(response: Response): Promise<string>;
  /** Extends the time limit by the received audio. */
  addAudio(seconds: number): void;
  close(): void;
};

/**
 * Opens a connection that only counts the time spent waiting for the server: it allows the timeout
 * of the settings for every chunk, and in total that timeout plus ten seconds for each second of
 * audio.
 */
function openConnection({ baseUrl, apiKey, timeoutMs }: SpeechSettings, signal: AbortSignal): Connection {
  const closing = new AbortController();
  const stop = AbortSignal.any([signal, closing.signal]);
  let waitedMs = 0;
  let allowedMs = timeoutMs;
  let hasTimedOut = false;

  const wait = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const startMs = performance.now();
    const timer = setTimeout(
      () => {
        hasTimedOut = true;
        closing.abort();
      },
      Math.max(0, Math.min(timeoutMs, allowedMs - waitedMs)),
    );
    try {
      return await withNetworkErrors(SPEECH_SERVER, { signal, hasTimedOut: () => hasTimedOut }, work);
    } finally {
      clearTimeout(timer);
      waitedMs += performance.now() - startMs;
    }
  };
  async function* read(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    for (;;) {
      const { done, value } = await wait(() => reader.read());
      if (done) return;
      yield value;
    }
  }
  return {
    post: (body) => wait(() => send(`${baseUrl}/audio/speech`, body, { apiKey, accept: '*/*' }, stop)),
    read,
    async readText(response) {
      const decoder = new TextDecoder();
      let text = '';
      let sizeBytes = 0;
      for await (const bytes of read(response)) {
        text += decoder.decode(bytes, { stream: true });
        sizeBytes += bytes.byteLength;
        if (sizeBytes > MAX_REFUSAL_BYTES) {
          await response.body?.cancel().catch(() => {});
          break;
        }
      }
      return text;
    },
    addAudio: (seconds) => void (allowedMs += (seconds * 1_000) / LEAST_SPEED),
    close: () => closing.abort(),
  };
}
