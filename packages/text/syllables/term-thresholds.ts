/**
 * How similar a term must be to the recognized syllables to replace the text. Shared by the modules
 * that propose terms and those that check them: a more generous corrector would only propose terms
 * that are rejected. Distances are those of `soundDistance`.
 */

/** Alternatives that are less likely than this are ignored. */
export const MIN_PROBABILITY = 0.01;
/**
 * A syllable that is only similar to the term's must be this likely; among many alternatives one is
 * always similar.
 */
export const MIN_SIMILAR_PROBABILITY = 0.1;
/**
 * The greatest distance that counts as full agreement: a coda of another place (-n for -ng),
 * without tone.
 */
export const FULL_DISTANCE = 0.1;
/** The onset or the rime must match; the distance of two syllables that share only the onset. */
export const MAX_DISTANCE = 0.551;
/**
 * The greatest mean distance over the syllables of a term: one of two may have another onset, one
 * of three may share only its onset.
 */
export const MAX_MEAN_DISTANCE = 0.25;
/**
 * The distance for a syllable of the term that was not recognized, or for a character that is not
 * in the term: at most one in three.
 */
export const MISSING_SYLLABLE_DISTANCE = 0.6;
/** The distance for a recognized syllable within the term that matches no character. */
export const EXTRA_SYLLABLE_DISTANCE = 0.3;
