import { AppError } from '@jyutsing/contracts/errors';
import { languageOfText } from '@jyutsing/text/language-of-text';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { isSsml } from '@jyutsing/text/ssml/read-ssml';
import { toAnswer } from '#http/errors.ts';
import type { LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient } from '#http/live/live-stream.ts';
import { watchKey } from '#http/watch-key.ts';
import { createRawSound } from '#http/synthesis/raw-sound.ts';
import { speakText, type SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { streamedSoundFor, type SpeakStreamQuery } from './query.ts';

/** While more steps than this wait, the next message is not read; a sentence takes one or two. */
const MAX_WAITING = 1_000;

export type SpeakOptions = {
  speed?: number | undefined;
  /** Learns the characters charged; also of a text that was stopped while it was spoken. */
  onCharged?(characters: number): void;
  /** A `Warning` said why the text was not spoken. */
  onRefused?(): void;
};

export type SpeechQueue = {
  /** Speaks a text after those before it; what cannot be spoken is a `Warning`. */
  speak(text: string, options?: SpeakOptions): void;
  /** Stops what is spoken, and forgets what waits. */
  clear(): void;
  /** Calls `action` when everything before was spoken. */
  after(action: () => void): void;
  /** Resolves when more may come. */
  ready(): Promise<void>;
  /** Resolves when everything was spoken. */
  finish(): Promise<void>;
  /** Stops for good. */
  end(): Promise<void>;
};

/** Speaks the texts of one client one after the other, in the order in which they came. */
export function createSpeechQueue(
  deps: SpeakTextDeps,
  { query, caller, confirm }: LiveClient & { query: SpeakStreamQuery },
  { send, sendSound, fail }: Pick<LiveSocket, 'send' | 'sendSound' | 'fail'>,
): SpeechQueue {
  const choice = { name: query.model ?? null, language: null, corpusIds: query.corpus_ids };
  const ended = new AbortController();
  const watch = watchKey(confirm, fail);
  let stopped = new AbortController();
  let work = Promise.resolve();
  let waiting = 0;
  let room = Promise.withResolvers<void>();

  const speakNow = async (text: string, { speed = query.speed, onCharged }: SpeakOptions, signal: AbortSignal) => {
    // Punctuation alone gives no speech.
    if (!isSsml(text) && splitText(text, languageOfText(text)).length === 0) return;
    await confirm();
    const sound = createRawSound(streamedSoundFor(query));
    const forward = async (bytes: Uint8Array) => {
      signal.throwIfAborted();
      if (bytes.length > 0) await sendSound(bytes);
    };
    const spoken = { caller, text, choice, onCharged, ...(speed === undefined ? {} : { speed }) };
    await speakText(deps, spoken, signal, (pcm) => forward(sound.push(pcm)));
    await forward(sound.finish());
  };
  const report = (thrown: unknown) => {
    const { code, status, message } = toAnswer(thrown);
    // The key is no longer valid, or the server has failed.
    if (status === 401 || status >= 500) fail(thrown);
    else send({ type: 'Warning', code, description: message });
  };
  /** Does something after everything before; while much waits, no more is read. */
  const enqueue = (step: () => Promise<void> | void) => {
    waiting += 1;
    work = work
      .then(step)
      .catch(fail)
      .finally(() => {
        waiting -= 1;
        if (waiting <= MAX_WAITING) room.resolve();
      });
  };
  return {
    speak(text, options = {}) {
      const signal = AbortSignal.any([stopped.signal, ended.signal]);
      enqueue(async () => {
        try {
          if (!signal.aborted) await speakNow(text, options, signal);
        } catch (thrown) {
          if (signal.aborted) return;
          options.onRefused?.();
          report(thrown);
        }
      });
    },
    clear() {
      stopped.abort(new AppError('client_closed_request'));
      stopped = new AbortController();
    },
    after: enqueue,
    async ready() {
      if (waiting <= MAX_WAITING) return;
      room = Promise.withResolvers();
      await room.promise;
    },
    finish: () => work,
    async end() {
      clearInterval(watch);
      ended.abort(new AppError('client_closed_request'));
      await work;
    },
  };
}
