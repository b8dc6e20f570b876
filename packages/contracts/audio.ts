/**
 * A chunk of mono audio. `samples` are floats in −1..1; `startMs` counts from the start of the
 * recording.
 */
export type PcmChunk = {
  samples: Float32Array;
  sampleRateHz: number;
  startMs: number;
};

/** The accepted upload containers, detected by content and never by file name. */
const AUDIO_CONTAINERS = ['wav', 'mp3', 'm4a', 'flac', 'ogg'] as const;
export type AudioContainer = (typeof AUDIO_CONTAINERS)[number];

/**
 * What is known of a recording before decoding. `declaredDurationMs` is null when neither header
 * nor packets state it.
 */
export type AudioInfo = {
  container: AudioContainer;
  codec: string;
  sampleRateHz: number;
  channels: number;
  declaredDurationMs: number | null;
  sizeBytes: number;
};
