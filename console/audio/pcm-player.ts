import { signal, type Signal } from '@preact/signals';
import { loadPart } from '#console/core/session.ts';
import type { PlayerMessage, PlayerReport } from './pcm-player-worklet.ts';
// oxlint-disable-next-line import/default -- the address of a file that Vite makes
import workletUrl from './pcm-player-worklet.ts?worker&url';

export const PCM_RATE_HZ = 24_000;

export type PcmPlayer = {
  /** Seconds of the sound that were heard so far. */
  readonly time: Signal<number>;
  readonly isPaused: Signal<boolean>;
  /** Resolves when everything was heard, or after `close`; rejects when nothing can be played. */
  readonly over: Promise<void>;
  /** Decodes a file into samples of the rate of the player. */
  decode(file: ArrayBuffer): Promise<Float32Array>;
  append(samples: Float32Array): void;
  /** Says that no samples follow. */
  finish(): void;
  togglePause(): void;
  close(): void;
};

/**
 * Plays sound while it still arrives. A click must call this before it awaits anything, or the
 * browser keeps the sound silent.
 */
export function openPcmPlayer(): PcmPlayer {
  const context = new AudioContext({ sampleRate: PCM_RATE_HZ });
  const time = signal(0);
  const isPaused = signal(false);
  const over = Promise.withResolvers<void>();
  const close = () => {
    if (context.state !== 'closed') void context.close();
    over.resolve();
  };
  const ready = loadPart(() => context.audioWorklet.addModule(workletUrl)).then(() => {
    const node = new AudioWorkletNode(context, 'pcm-player', { numberOfInputs: 0, outputChannelCount: [1] });
    node.port.addEventListener('message', ({ data }: MessageEvent<PlayerReport>) => {
      time.value = data.playedSamples / PCM_RATE_HZ;
      if (data.isOver) close();
    });
    node.port.start();
    node.connect(context.destination);
    return node;
  });
  ready.catch((failure: unknown) => over.reject(failure));
  // The rejection counts as handled, because the caller may have failed before it waits for the
  // end.
  over.promise.catch(() => {});
  const send = (message: PlayerMessage) =>
    void ready.then(
      ({ port }) => port.postMessage(message),
      () => {},
    );
  return {
    time,
    isPaused,
    over: over.promise,
    async decode(file) {
      return (await context.decodeAudioData(file)).getChannelData(0).slice();
    },
    append: (samples) => send({ samples }),
    finish: () => send({ isLast: true }),
    togglePause() {
      isPaused.value = !isPaused.value;
      void (isPaused.value ? context.suspend() : context.resume());
    },
    close,
  };
}
