import { mean, median } from '@jyutsing/numeric/statistics';

/**
 * Least number of syllables of a text by which an unfamiliar voice can be told from a wrong text.
 */
const MIN_SYLLABLES = 3;
/**
 * Largest relief for onset and rime, and for the tone, which is less often mistaken than they are,
 * in nats; for one model that does not know people.
 */
export const MAX_RELIEF: MostRelief = { segments: 4, tone: 2.3 };
/**
 * Largest deduction from onset and rime when the recording does not agree with the text, in nats.
 */
const MAX_DOUBT = 1.5;
/**
 * Mean agreement of the syllables of a text of eight, in nats, from which on the text counts as
 * spoken; by chance it varies with the root of the number of syllables, but the threshold is never
 * lower than for ten. Of 43 recordings of natives all but three have more with their own text, and
 * 1 % with another one.
 */
const SPOKEN_AGREEMENT = 4.2;
const [USUAL_SYLLABLES, MANY_SYLLABLES] = [8, 10];
/** Median fit of the syllables above which the voice is familiar, in nats. */
const FAMILIAR_FIT = -1;
/** Width of both transitions, in nats. */
const WIDTH = 0.5;

/**
 * Nats to add to the log-odds of onset and rime, and of the tone; and the share, 0 to 1, in which a
 * recording counts as fluent speech of its text.
 */
export type Relief = { segments: number; tone: number; fluency: number };
export const NO_RELIEF: Relief = { segments: 0, tone: 0, fluency: 0 };
type MostRelief = Pick<Relief, 'segments' | 'tone'>;
/** The bounds where lines for fluent speech were fitted. */
export const NO_MORE_RELIEF: MostRelief = { segments: 0, tone: 0 };
/** Number of syllables from which on a text is fluent speech. */
const FLUENT_SYLLABLES = 4;

/** Agreement of an attempted syllable of the text with the sound. */
export type SyllableAgreement = {
  /** Log-posterior of the syllable among all syllables of the language, at most 0. */
  fitLogp: number;
  /**
   * Lead of its onset and rime over those of the other syllables of the text, in nats; about 0 for
   * a syllable that was not said, and for sound that is not speech.
   */
  leadLogp: number;
};

/**
 * Computes the relief for a recording that agrees with its text as a whole, but whose voice the
 * acoustic model does not know, so that right sounds give poor evidence; and the deduction for one
 * that does not agree, such as noise. Chosen on 43 recordings of natives (`npm run eval --
 * pronunciation --part natives`).
 */
export function unfamiliarVoiceRelief(
  attempted: readonly SyllableAgreement[],
  expectedSyllables: number,
  most: MostRelief = MAX_RELIEF,
): Relief {
  if (expectedSyllables < MIN_SYLLABLES || attempted.length === 0) return NO_RELIEF;
  const agreement = mean(attempted.map(({ leadLogp }) => leadLogp));
  const fit = median(attempted.map(({ fitLogp }) => fitLogp));
  const neededAgreement = SPOKEN_AGREEMENT * Math.sqrt(USUAL_SYLLABLES / Math.min(MANY_SYLLABLES, expectedSyllables));
  const agrees = sigmoid((agreement - neededAgreement) / WIDTH);
  const unfamiliar = sigmoid((FAMILIAR_FIT - fit) / WIDTH);
  return {
    segments: unfamiliar * (most.segments * agrees - MAX_DOUBT * (1 - agrees)),
    tone: unfamiliar * most.tone * agrees,
    fluency: agrees * Math.min(1, (expectedSyllables - 1) / (FLUENT_SYLLABLES - 1)),
  };
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
