import type { components } from '#client/api.ts';
import type { RequestOptions } from '#client/http/transport.ts';
import type { UploadProgress } from '#client/http/upload.ts';
import type { Language, Suggested } from '#client/types.ts';

/** Options of a recognition. */
export type TranscribeOptions = RequestOptions & {
  /** The spoken language by name or code; `auto` detects it. Defaults to `cantonese`. */
  language?: Suggested<Language | 'auto'> | undefined;
  /** True to tell the speakers apart: each segment names its speaker. */
  diarization?: boolean | undefined;
  /**
   * `separate` to recognize each channel for itself, as a speaker: for calls with a person on each.
   * Defaults to `mix`.
   */
  channels?: 'mix' | 'separate' | undefined;
  /** Number of people who speak, when it is known; otherwise the least and the largest number. */
  speakers?: number | undefined;
  minSpeakers?: number | undefined;
  maxSpeakers?: number | undefined;
  /**
   * Distance of two voices, above 0 and at most 2, up to which they are one speaker. Only for
   * sherpa-onnx.
   */
  diarizationThreshold?: number | undefined;
  /** False to leave out commas and full stops. */
  punctuation?: boolean | undefined;
  /** False to keep spoken numbers as words. */
  numerals?: boolean | undefined;
  /** A hint about the topic, names or domain. */
  context?: string | undefined;
  /** False to leave out the correction after recognition, which is faster. */
  fusion?: boolean | undefined;
  /**
   * Ids of the corpora that bias the correction; an empty list uses none. Defaults to the public
   * ones.
   */
  corpora?: readonly string[] | undefined;
  /** True to keep the recording as long as its transcription, for `job.audio()`. */
  keepAudio?: boolean | undefined;
  /** Title of the recording in lists. */
  title?: string | undefined;
  /** A recognition model of `models.list()`. */
  model?: string | undefined;
  /** URL that receives the final record as a signed POST; see `unwrapWebhook`. */
  callbackUrl?: string | undefined;
  /** The name of the file, for batches. */
  fileName?: string | undefined;
  /**
   * Two submissions with the same key within a day are one. Defaults to a new key for each call.
   */
  idempotencyKey?: string | undefined;
  onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
};

type File = components['schemas']['TranscriptionFile'];
type FileSegment = File['segments'][number];
type FileWord = FileSegment['words'][number];
type FileCharacter = FileWord['characters'][number];

/** The language that the options fix; every language when they leave it to the server. */
type LanguageOf<Options> = Options extends { language: infer Named }
  ? Named extends Language
    ? Named
    : Language
  : 'cantonese';

type Character<Of extends Language> = Omit<FileCharacter, 'jyutping' | 'pinyin'> &
  (Of extends 'cantonese' ? { jyutping: string | null } : Of extends 'mandarin' ? { pinyin: string | null } : unknown);

type Word<Of extends Language> = Omit<FileWord, 'characters'> & { characters: Character<Of>[] };

type Segment<Of extends Language, Speaker> = Omit<FileSegment, 'speaker' | 'words'> & {
  speaker: Speaker;
  words: Word<Of>[];
};

/** Type of a speaker: `SPEAKER_<nn>` with diarization or separate channels, null without. */
type SpeakerOf<Options> = Options extends { diarization: true } | { channels: 'separate' }
  ? string
  : Options extends { diarization: false | undefined } | { diarization?: never }
    ? null
    : string | null;

/** The final text, its segments, and their words and characters with times in seconds. */
export type Transcript<Options = TranscribeOptions> = Omit<File, 'language' | 'segments'> & {
  language: LanguageOf<Options>;
  segments: Segment<LanguageOf<Options>, SpeakerOf<Options>>[];
};

/** Returns the fields of the form for these options. */
export function fieldsOf(options: TranscribeOptions): Record<string, string | number | boolean | undefined> {
  const { fusion, corpora } = options;
  return {
    lang: options.language,
    with_diarization: options.diarization,
    channels: options.channels,
    speakers: options.speakers,
    min_speakers: options.minSpeakers,
    max_speakers: options.maxSpeakers,
    diarization_threshold: options.diarizationThreshold,
    with_punctuation: options.punctuation,
    numerals: options.numerals,
    context: options.context,
    skip_fusion: fusion === undefined ? undefined : !fusion,
    corpus_ids: corpora === undefined ? undefined : corpora.length === 0 ? 'none' : corpora.join(','),
    keep_audio: options.keepAudio,
    title: options.title,
    model: options.model,
    callback_url: options.callbackUrl,
  };
}
