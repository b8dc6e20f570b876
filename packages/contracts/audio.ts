/**
 * A chunk of mono audio. `samples` are floats in −1..1; `startMs` counts from the start of the
 * recording.
 */
export type PcmChunk = {
  samples: Float32Array;
  sampleRateHz: number;
  startMs: number;
};

/**
 * The accepted upload containers, detected by content and never by file name. `m4a` is every file
 * of the MP4 family (m4a, mp4, mov, 3gp), `webm` every Matroska file; of a video the sound is used.
 */
export type AudioContainer =
  | 'wav'
  | 'w64'
  | 'mp3'
  | 'm4a'
  | 'flac'
  | 'ogg'
  | 'webm'
  | 'aac'
  | 'amr'
  | 'aiff'
  | 'caf'
  | 'wma';

/** For messages and documentation. */
export const ACCEPTED_AUDIO =
  'wav, mp3, m4a, flac, ogg, webm, aac, amr, aiff, caf, wma, or the sound of an mp4, mov or mkv video';

/**
 * The properties of a recording that its headers state. `declaredDurationMs` is null when neither
 * header nor packets state it.
 */
export type AudioInfo = {
  container: AudioContainer;
  codec: string;
  sampleRateHz: number;
  channels: number;
  declaredDurationMs: number | null;
  sizeBytes: number;
};
