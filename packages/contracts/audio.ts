/**
 * A chunk of mono audio. `samples` are floats in −1..1; `startMs` counts from the start of the
 * recording.
 */
export type PcmChunk = {
  samples: Float32Array;
  sampleRateHz: number;
  startMs: number;
  /**
   * How much of the time until now is silence of gaps, which the recorder did not record; absent:
   * none.
   */
  gapMs?: number;
};

/**
 * The accepted upload containers, detected by content and never by file name. `m4a` is every file
 * of the MP4 family (m4a, mp4, mov, 3gp), `webm` every Matroska file, `mp2` MPEG audio of layers I
 * and II; of a video the sound is used.
 */
export type AudioContainer =
  | ('wav' | 'w64' | 'mp3' | 'mp2' | 'm4a' | 'flac' | 'ogg' | 'webm' | 'aac' | 'latm' | 'ac3' | 'dts' | 'amr' | 'aiff')
  | ('caf' | 'wma' | 'au' | 'ircam' | 'voc' | 'sph' | '8svx' | 'gsm' | 'wv' | 'tta' | 'ape' | 'mpc' | 'dsf')
  | ('dff' | 'rm' | 'nut' | 'flv' | 'avi' | 'ts' | 'mpg' | 'mxf');

/** For messages and documentation. */
export const ACCEPTED_AUDIO =
  'wav, mp3, m4a, flac, ogg, webm, aac, ac3, aiff, amr, ape, au, caf, dsf, mp2, mpc, rm, sph, tta, voc, w64, wma, wv, or the sound of an mp4, mov, mkv, avi, flv, mpg, mxf or ts video';

/** One of several sound tracks of a file. */
export type SoundTrack = {
  codec: string;
  channels: number;
  /** As the file states it, mostly by ISO 639-2, in lower case; null when it does not. */
  language: string | null;
  title: string | null;
  /** False for a track that was not decoded. Several that are used were mixed. */
  isUsed: boolean;
};

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
  /** All sound tracks in their order; the properties above are those of the first that is used. */
  tracks: readonly SoundTrack[];
};
