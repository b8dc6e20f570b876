import { signal, type Signal } from '@preact/signals';

export type Recorder = {
  /** The sound of the microphone, while it is recorded. */
  readonly stream: MediaStream;
  /** Seconds recorded so far. */
  readonly seconds: Signal<number>;
  /** The loudness of the moment, 0 to 1. */
  readonly level: Signal<number>;
  /** Tells whether samples reached the limit within the last second. */
  readonly isClipped: Signal<boolean>;
  /** Ends the recording and gives it back. */
  stop(): Promise<File>;
  /** Ends the recording without result. */
  discard(): void;
};

const TICK_MS = 60;
const CLIPPED_FROM = 0.985;
const CLIPPED_SHOWN_MS = 1_000;

/**
 * Begins to record the microphone. Throws the DOMException of the browser when it may not, or when
 * there is no microphone.
 */
export async function startRecording(name: string): Promise<Recorder> {
  const stream = await openMicrophone();
  const recorder = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  const meter = watchLevel(stream);
  const startedMs = performance.now();
  const seconds = signal(0);
  const timer = setInterval(() => (seconds.value = (performance.now() - startedMs) / 1_000), TICK_MS);
  recorder.start();
  const end = () => {
    clearInterval(timer);
    meter.close();
    for (const track of stream.getTracks()) track.stop();
  };
  return {
    stream,
    seconds,
    level: meter.level,
    isClipped: meter.isClipped,
    stop() {
      const { promise, resolve } = Promise.withResolvers<File>();
      recorder.addEventListener('stop', () => {
        const type = recorder.mimeType.split(';')[0] ?? 'audio/webm';
        resolve(new File(pieces, `${name}.${type.endsWith('mp4') ? 'm4a' : 'webm'}`, { type }));
      });
      recorder.stop();
      end();
      return promise;
    },
    discard() {
      recorder.stop();
      end();
    },
  };
}

/**
 * Opens the microphone without the changes that browsers make for calls: they damage what is to be
 * recognized.
 */
export function openMicrophone(): Promise<MediaStream> {
  if (navigator.mediaDevices === undefined) {
    // Browsers offer a microphone only to pages of https or of this machine.
    return Promise.reject(new DOMException('No microphone outside a secure page.', 'SecurityError'));
  }
  return navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: true },
  });
}

type LevelMeter = { level: Signal<number>; isClipped: Signal<boolean>; close(): void };

/** Measures a stream until `close`. */
function watchLevel(stream: MediaStream): LevelMeter {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 2_048;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const level = signal(0);
  const isClipped = signal(false);
  let clippedAtMs = -Infinity;
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let peak = 0;
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    if (peak >= CLIPPED_FROM) clippedAtMs = performance.now();
    isClipped.value = performance.now() - clippedAtMs < CLIPPED_SHOWN_MS;
    // The level rises at once and falls slowly, as meters do.
    level.value = Math.max(peak, level.value * 0.85);
  }, TICK_MS);
  return {
    level,
    isClipped,
    close() {
      clearInterval(timer);
      void context.close();
    },
  };
}
