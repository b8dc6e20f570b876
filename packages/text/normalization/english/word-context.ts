/**
 * A word with its neighbours in lower case, empty where there is none. `all` are the words of the
 * phrase, `at` its index.
 */
export type WordContext = {
  word: string;
  /** The word as written, with capitals. */
  written: string;
  before: string;
  beforeThat: string;
  next: string;
  nextButOne: string;
  all: readonly string[];
  at: number;
};

const set = (words: string) => new Set(words.split(' '));

const BEFORE_VERBS = set(
  "to will would can could shall should may might must do did don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't mustn't i we you they " +
    "i'll we'll you'll they'll he'll she'll it'll let's please not never always often usually also who who'll i'd we'd they'd you'd let us help helps helped",
);
const BEFORE_NOUNS = set(
  'a an the this that these those my your his her its our their some any no every each another which what whose of in on with for by at from as new old first ' +
    'second last great good bad big small long short main major minor only same other such more most much many little very world work fresh local organic farm front one two three four five is are was were be',
);

/** Whether a verb in its base form is expected here. */
export function isVerbPlace({ before, beforeThat, next }: WordContext): boolean {
  // "According to record sales", "access to content": "to" as a preposition is too rare to tell
  // apart.
  if (before === 'not') return !/^(?:is|are|was|were|am|be)$/.test(beforeThat);
  if (before === 'you' && beforeThat === 'thank') return false;
  // Let me present it.
  if (/^(?:me|him|her|them)$/.test(before)) return /^(?:let|help|helps|helped|make|makes|made)$/.test(beforeThat);
  return BEFORE_VERBS.has(before) && next !== 'of';
}

/** Whether a noun or an adjective is expected here. */
export function isNounPlace({ before }: WordContext): boolean {
  return BEFORE_NOUNS.has(before) || before.endsWith("'s");
}

/** Whether the previous word is the subject of a sentence in the present tense. */
export const isPersonBefore = ({ before }: WordContext) => /^(?:i|we|you|they|he|she|it|who)$/.test(before);
