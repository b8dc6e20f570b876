import type { ErrorCode } from '@jyutsing/contracts/errors';

/** Where a request arrives. `config` is what youtubei.js asks for at its start, `sorry` and `consent` are pages on the way. */
export type Place =
  'player' | 'captions' | 'watch' | 'sound' | 'transcript' | 'config' | 'sorry' | 'consent' | 'redirect-loop' | 'other';

/** What happens to an answer on its way. `usual`: nothing; the others are what clients of the platform meet. */
export const REACTIONS = [
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

/** What the platform says of a video instead of playing it. */
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

/** A track of captions. */
export type Track = {
  /** As the platform shows it: `English`, `English (auto-generated)`. Null: the answer has no name. */
  name: string | null;
  /** Null: the answer has no code. */
  languageCode: string | null;
  /** Made by the platform's speech recognition: rolling captions, no punctuation where the language has words. */
  isAutomatic: boolean;
  /** What is said, a sentence each. A function where that takes work; it is called when it is asked for. */
  sentences: readonly string[] | (() => readonly string[]);
  /** What its uploader calls it beside the language: a part of the link. */
  label?: string;
  /** Where its captions are fetched instead of from the platform; `{other}` is the address of the other server. */
  link?: string;
  /** How its captions come. */
  reaction?: Reaction;
};

/** What the service shall answer at the end: a summary, or one of its codes. */
export type Expectation = 'success' | ErrorCode;

/** A video of the stand-in. */
export type Video = {
  /** 11 characters. */
  id: string;
  /** What it does, in a sentence. */
  does: string;
  /** What a summary of it ends in, with recognition of sound switched off and the language of the summary served. */
  expects: Expectation;
  /** What it ends in where recognition is on; the same where not said. */
  expectsWithRecognition?: Expectation;
  /** Null: the answer has none. */
  title: string | null;
  /** Null: the answer has no `captions` at all. */
  tracks: readonly Track[] | null;
  /** What its sound says in Cantonese, nothing but silence where that is empty; no sound where not said. */
  says?: string;
  /** The video that the answer says it is about, where that is another one. */
  claimsId?: string;
  /** What the answer says of the sound instead of the truth. */
  soundClaims?: { durationMs?: number; sizeBytes?: number };
  /** Where its sound is fetched instead of from the platform; `{other}` is the address of the other server. */
  soundLink?: string;
  playability?: Playability;
  /** Only these clients (names of the platform) are told so; others are served. Everybody where not said. */
  playabilityFor?: readonly string[];
  /** Only the patience of the one who asks ends it. */
  isEndless?: true;
  reactions?: Partial<Record<Place, Reaction>>;
};

export function sentencesOf(track: Track): readonly string[] {
  return typeof track.sentences === 'function' ? track.sentences() : track.sentences;
}

/** A track made by people. */
export function manual(name: string, languageCode: string, sentences: Track['sentences']): Track {
  return { name, languageCode, isAutomatic: false, sentences };
}

/** A track made by recognition; the platform marks its name. */
export function automatic(name: string, languageCode: string, sentences: Track['sentences']): Track {
  return { name: `${name} (auto-generated)`, languageCode, isAutomatic: true, sentences };
}

/** Marks videos whose answers nobody can wait for. */
export function patience(reaction: Reaction): { isEndless?: true } {
  return ['never', 'stalls', 'drip'].includes(reaction) ? { isEndless: true } : {};
}
