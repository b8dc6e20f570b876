/** Files that speech can be made into. `ogg` is Ogg Vorbis, `opus` Ogg Opus, `pcm` raw s16le without a header. */
export const SPEECH_FORMATS = ['wav', 'mp3', 'ogg', 'flac', 'opus', 'aac', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

export type FinishCall = {
  /** Raw mono floats, little endian, at `SYNTHESIS_SAMPLE_RATE_HZ`. */
  inputPath: string;
  outputPath: string;
  format: SpeechFormat;
  /** Of the file; Opus always has 48 kHz. */
  sampleRateHz: number;
  /** 1 leaves the rate of speaking as it is, 2 halves the duration; pitch and formants stay. */
  tempo: number;
  /** Pitch moves, duration and formants stay. */
  pitchSemitones: number;
  /** Loudness to −16 LUFS (EBU R 128), peaks held below −1 dBTP. */
  enhance: boolean;
};

export type FinishedSpeech = { durationMs: number; sizeBytes: number };
