import type { components } from '#client/api.ts';
import type { RequestOptions } from '#client/http/transport.ts';
import type { UploadProgress } from '#client/http/upload.ts';
import type { Language, Suggested } from '#client/types.ts';

/** What is to be recognized, and how. */
export type TranscribeOptions = RequestOptions & {
  /** The spoken language by name or code; `auto` detects it. Absent: `cantonese`. */
  language?: Suggested<Language | 'auto'> | undefined;
  /** Tells the speakers apart: each segment names its speaker. */
  diarization?: boolean | undefined;
  /** How many people speak, when it is known; otherwise the fewest and the most. */
  speakers?: number | undefined;
  minSpeakers?: number | undefined;
  maxSpeakers?: number | undefined;
  /**
   * Distance of two voices, above 0 and at most 2, up to which they are one speaker. Only for
   * sherpa-onnx.
   */
  diarizationThreshold?: number | undefined;
  /** False: without commas and full stops. */
  punctuation?: boolean | undefined;
  /** False: spoken numbers stay words. */
  numerals?: boolean | undefined;
  /** A hint about the topic, names or domain. */
  context?: string | undefined;
  /** False: no correction after recognition, which is faster. */
  fusion?: boolean | undefined;
  /** Ids of the corpora that bias the correction; empty: none. Absent: the default public ones. */
  corpora?: readonly string[] | undefined;
  /** Keeps the recording as long as its transcription, for `job.audio()`. */
  keepAudio?: boolean | undefined;
  /** What the recording is called in lists. */
  title?: string | undefined;
  /** A recognition model of `models.list()`. */
  model?: string | undefined;
  /** Receives the final record as a signed POST; see `unwrapWebhook`. */
  callbackUrl?: string | undefined;
  /** The name of the file, for batches. */
  fileName?: string | undefined;
  /** Two submissions with the same key within a day are one. Absent: a new one for each call. */
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

/** `SPEAKER_<nn>` with diarization; null where it was not asked for. */
type SpeakerOf<Options> = Options extends { diarization: true }
  ? string
  : Options extends { diarization: false | undefined } | { diarization?: never }
    ? null
    : string | null;

/** The final text, its segments, and their words and characters with times in seconds. */
export type Transcript<Options = TranscribeOptions> = Omit<File, 'language' | 'segments'> & {
  language: LanguageOf<Options>;
  segments: Segment<LanguageOf<Options>, SpeakerOf<Options>>[];
};

/** The fields of the form that the options stand for. */
export function fieldsOf(options: TranscribeOptions): Record<string, string | number | boolean | undefined> {
  const { fusion, corpora } = options;
  return {
    lang: options.language,
    with_diarization: options.diarization,
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
