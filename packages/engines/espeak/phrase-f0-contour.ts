import type { PhraseEnding, SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { ProsodySampler } from '#engines/runtime/prosody-sampling.ts';
import type { TimedSyllable } from './timing.ts';
import { contourAt, toneContour, type Contour } from './tone-contours.ts';

/** Effect of the phrase on the F0 of its syllables. */
export type PhraseContour = {
  ending: PhraseEnding;
  /** Estimated number of syllables of the phrase. */
  expectedSyllables: number;
  question: 'rise' | 'slight' | null;
  /** Semitones at the start, and a factor of the distances between tones. */
  level: number;
  range: number;
  /** True if the phrase contains Chinese: tones take precedence then. */
  hasTones: boolean;
};

/**
 * Declination in semitones over a phrase, increasing with its length (Cantonese: J. Vance 1976; A.
 * Li and others, 2004).
 */
const DECLINATION_A_SYLLABLE = 0.22;
const MAX_DECLINATION = 2.2;
/** Semitones by which a later phrase of a sentence starts lower than the first. */
const DOWNSTEP = 0.5;
const MAX_DOWNSTEP = 1.2;
const FINAL_LOWERING = 0.6;
/**
 * Rise in semitones at the end of a question that has no particle (J. K.-Y. Ma, V. Ciocca, T.
 * Whitehill, JASA 120, 2006).
 */
const QUESTION_RISE = 4;
const SLIGHT_RISE = 0.8;

const PARTICLES = /[呀啊吖嗎嘛呢咩㗎嘎啦喇囉咯嘞啩喎啫咋噃吓哈吧吗么啵]$/u;
const QUESTION_WORDS =
  /邊|乜|咩|點|幾|誰|何|什麼|什么|甚麼|哪|怎|谁|几|多少|有冇|未$|(\p{Script=Han})(?:唔|不|没|沒)\1|^(?:wh[aoeiy]|how)/iu;

export function planPhraseContour(phrase: SpokenPhrase, index: number, sampler: ProsodySampler): PhraseContour {
  const text = phrase.words.map(({ written }) => written).join(phrase.words.every(isEnglish) ? ' ' : '');
  const { ending } = phrase;
  const isLively = ending === 'exclamation';
  let question: PhraseContour['question'] = null;
  if (ending === 'question' && !PARTICLES.test(text)) question = QUESTION_WORDS.test(text) ? 'slight' : 'rise';
  return {
    ending,
    expectedSyllables: Math.max(
      1,
      phrase.words.reduce((sum, word) => sum + syllablesOf(word), 0),
    ),
    question,
    level: sampler.normal(0.45) - Math.min(MAX_DOWNSTEP, DOWNSTEP * index) + (isLively ? 0.8 : 0),
    range: Math.exp(sampler.normal(0.07)) * (isLively ? 1.15 : 1),
    hasTones: !phrase.words.every(isEnglish),
  };
}

type Word = SpokenPhrase['words'][number];
const isEnglish = (word: Word) => word.language === 'english';
const syllablesOf = (word: Word) =>
  isEnglish(word) ? Math.max(1, word.spokenForm.match(/[aeiouy]+/gi)?.length ?? 1) : word.reading.length;

/**
 * The pitch target of one syllable in semitones above the middle of the register, and how far its
 * level and pitch are moved as a whole.
 */
export type SyllableAim = { contour: Contour; shift: number; scale: number };

/**
 * Position of a syllable: `number` counts from the start of the phrase; the first syllable has no
 * `previous`.
 */
export type Position = {
  number: number;
  previous: TimedSyllable | null;
  isLast: boolean;
  /** True for the last accent of an English phrase, which carries its tune. */
  isNuclear: boolean;
  isAfterNuclear: boolean;
};

/** Computes the F0 target of a syllable in its phrase. */
export function aimOf(
  syllable: TimedSyllable,
  position: Position,
  phrase: PhraseContour,
  sampler: ProsodySampler,
): SyllableAim {
  const progress = Math.min(1, position.number / Math.max(1, phrase.expectedSyllables - 1));
  const declination = Math.min(MAX_DECLINATION, DECLINATION_A_SYLLABLE * phrase.expectedSyllables);
  let shift = phrase.level + declination * (0.45 - progress) + sampler.normal(0.22);
  const isEnglishTune = syllable.voice === 'en' && !phrase.hasTones;
  let contour: Contour;
  if (syllable.voice !== 'en') {
    const previousTone = position.previous?.voice === syllable.voice ? position.previous.item.tone : 0;
    contour = toneContour(syllable.voice, syllable.item.tone, { previousTone, isLast: position.isLast });
  } else contour = isEnglishTune ? englishContour(syllable, position, phrase) : embeddedContour(syllable, position);
  if (position.isLast && !isEnglishTune) {
    if (phrase.ending === 'statement' || phrase.ending === 'ellipsis') shift -= FINAL_LOWERING;
    if (phrase.question !== null) contour = rising(contour, phrase.question === 'rise' ? QUESTION_RISE : SLIGHT_RISE);
  }
  return { contour, shift, scale: phrase.range };
}

/** Keeps the first half of the tone and raises the rest. */
function rising(contour: Contour, semitones: number): Contour {
  const middle = contourAt(contour, 0.5);
  const end = contourAt(contour, 1);
  const before = contour.filter(([share]) => share < 0.5);
  return [...before, [0.5, middle], [0.95, end + semitones], [1, end + semitones]];
}

/**
 * Returns the contour of English within Chinese in Hong Kong: stressed syllables are high, those
 * before them near tone 3, those after lower.
 */
function embeddedContour({ stress }: TimedSyllable, { isLast }: Position): Contour {
  if (stress === 1)
    return isLast
      ? [
          [0, 3.6],
          [0.5, 3.6],
          [1, -2.5],
        ]
      : [
          [0, 3.4],
          [1, 3],
        ];
  if (stress === 2)
    return [
      [0, 2],
      [1, 1.6],
    ];
  return isLast
    ? [
        [0, -1],
        [1, -3.5],
      ]
    : [
        [0, 0.2],
        [1, -0.4],
      ];
}

/**
 * Returns an English tune in terms of ToBI (J. Pierrehumbert, "The phonology and phonetics of
 * English intonation", 1980): H* on stressed syllables; the last one falls to L-L% (statements), to
 * L-H% (continuation), or is L* and rises to H-H% (yes-no questions).
 */
function englishContour({ stress }: TimedSyllable, position: Position, phrase: PhraseContour): Contour {
  const { isNuclear, isAfterNuclear, isLast } = position;
  const isRising = phrase.question === 'rise';
  const [low, end] = isRising
    ? [2.5, 6]
    : phrase.ending === 'comma' || phrase.ending === 'none'
      ? [-2.2, -0.6]
      : [-4, -5];
  if (isNuclear) {
    if (isRising) return isLast ? points(-1.5, -1.8, end) : points(-1.5, -2, 0.5);
    const peak = phrase.ending === 'exclamation' ? 6.5 : 5.5;
    return isLast ? points(peak - 0.5, peak, end) : points(peak - 0.5, peak, 1.5);
  }
  if (isAfterNuclear) return isLast ? points(low, low, end) : points(low, low, low);
  if (stress === 1) return points(3, 4.2, 3);
  if (stress === 2) return points(1.6, 1.8, 1.2);
  return points(0, -0.4, -0.2);
}

const points = (start: number, middle: number, end: number): Contour => [
  [0, start],
  [0.4, middle],
  [0.95, end],
  [1, end],
];
