import type { ErrorCode } from '@jyutsing/contracts/errors';

/**
 * Kinds of requests. `config` is the first request of youtubei.js; `sorry` and `consent` are
 * redirect targets.
 */
export type Place =
  | 'player'
  | 'captions'
  | 'watch'
  | 'sound'
  | 'transcript'
  | 'config'
  | 'sorry'
  | 'consent'
  | 'redirect-loop'
  | 'other';

/** Changes to a response; `usual` changes nothing. */
const REACTIONS = [
  'usual',
  'empty',
  'blank',
  'html',
  'truncated',
  'no-json',
  'null',
  'other-json',
  'consent',
  'consent-page',
  'captcha',
  'captcha-redirect',
  'unusual-traffic',
  'too-many-requests',
  'forbidden',
  'not-found',
  'server-error',
  'bad-gateway',
  'overloaded',
  'reset',
  'reset-midway',
  'cut-short',
  'never',
  'stalls',
  'endless',
  'huge-announced',
  'gzip',
  'gzip-broken',
  'gzip-bomb',
  'redirect-loop',
  'redirect-elsewhere',
  'redirect-to-metadata',
  'drip',
] as const;
export type Reaction = (typeof REACTIONS)[number];

/** The reasons for which the platform does not play a video. */
export type Playability =
  | 'ok'
  | 'bot-check'
  | 'private'
  | 'age-restricted'
  | 'unavailable'
  | 'removed'
  | 'region'
  | 'members-only'
  | 'offline'
  | 'please-update';

export type Track = {
  /**
   * A name as on the platform, such as `English` or `English (auto-generated)`; null leaves it out
   * of the response.
   */
  name: string | null;
  /** A language code of null is absent from the response. */
  languageCode: string | null;
  /**
   * Tells whether the speech recognition of the platform made the track: rolling captions, without
   * punctuation where the language has words.
   */
  isAutomatic: boolean;
  /** Spoken sentences. A function if generating them takes long. */
  sentences: readonly string[] | (() => readonly string[]);
  /** The name given by the uploader: a part of the link. */
  label?: string;
  /** Replaces the caption link; `{other}` is the address of the other server. */
  link?: string;
  reaction?: Reaction;
};

/** The expected outcome of a summary: success or an error code. */
export type Expectation = 'success' | ErrorCode;

export type Video = {
  /** 11 characters. */
  id: string;
  /** Description in one sentence. */
  does: string;
  /** Expected outcome without speech recognition, for a supported summary language. */
  expects: Expectation;
  /** Expected outcome with speech recognition; default: the same. */
  expectsWithRecognition?: Expectation;
  /** A title of null is absent from the response. */
  title: string | null;
  /** The response has no `captions` when this is null. */
  tracks: readonly Track[] | null;
  /**
   * Text that its sound says, in Cantonese. Empty text is silence; a video without this has no
   * sound.
   */
  says?: string;
  /** Replaces the ID in the response. */
  claimsId?: string;
  /** Replaces properties of the sound in the response. */
  soundClaims?: { durationMs?: number; sizeBytes?: number };
  /** Replaces the link to the sound; `{other}` is the address of the other server. */
  soundLink?: string;
  playability?: Playability;
  /** The clients to which `playability` applies; default: all. */
  playabilityFor?: readonly string[];
  /** Ends only by a timeout of the client. */
  isEndless?: true;
  reactions?: Partial<Record<Place, Reaction>>;
};

export function sentencesOf(track: Track): readonly string[] {
  return typeof track.sentences === 'function' ? track.sentences() : track.sentences;
}

/** A manual track. */
export function manual(name: string, languageCode: string, sentences: Track['sentences']): Track {
  return { name, languageCode, isAutomatic: false, sentences };
}

/** An automatic track; the platform marks its name. */
export function automatic(name: string, languageCode: string, sentences: Track['sentences']): Track {
  return { name: `${name} (auto-generated)`, languageCode, isAutomatic: true, sentences };
}

/** Marks videos with endless responses. */
export function patience(reaction: Reaction): { isEndless?: true } {
  return ['never', 'stalls', 'drip'].includes(reaction) ? { isEndless: true } : {};
}
