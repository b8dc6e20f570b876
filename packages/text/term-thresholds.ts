/**
 * How near a term must be to what was heard to be written in its place. One measure for those who propose terms and for those who check
 * them: a corrector that is more generous proposes in vain. Distances are those of `soundDistance`.
 */

/** What was heard less likely than this was not heard. */
export const MIN_PROBABILITY = 0.01;
/** What only resembles a syllable of a term must have been likely itself; else among many alternatives something always resembles. */
export const MIN_SIMILAR_PROBABILITY = 0.1;
/** Without tone, a coda of another place (-n for -ng) is the most that still counts as full agreement. */
export const FULL_DISTANCE = 0.1;
/** The onset or the rime is shared; the distance of two syllables that share only the onset. */
export const MAX_DISTANCE = 0.551;
/** On average over the syllables of a term: one of two may begin differently, one of three may be another but for its onset. */
export const MAX_MEAN_DISTANCE = 0.25;
/** Of a syllable of the term that nobody heard, or of a character's that the term has not: one in three is the most. */
export const MISSING_SYLLABLE_DISTANCE = 0.6;
/** Of a syllable that was heard inside the term, and that no character stood for before. */
export const EXTRA_SYLLABLE_DISTANCE = 0.3;
