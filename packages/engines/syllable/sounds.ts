import type { EngineLoudness } from '#engines/runtime/loudness.ts';

/** Languages that can be built from recorded syllables. */
export type SyllableLanguage = 'cantonese' | 'mandarin';

/**
 * How an onset is spoken. The voice goes on through open ones: sonorants, glides, and a missing
 * onset. The mouth is closed before stops and affricates.
 */
export type Manner = 'open' | 'fricative' | 'plain-stop' | 'aspirated-stop' | 'affricate';

/** A syllable in the parts that decide how it is cut, timed and joined. */
export type SyllableParts = {
  onset: string;
  manner: Manner;
  rime: string;
  tone: number;
  /** True if it ends in an unreleased stop. */
  isChecked: boolean;
  /** True if it ends in a nasal. */
  isNasal: boolean;
  /** True if the vowel is shorter than the nasal after it. */
  hasShortVowel: boolean;
  /** True for a nasal without a vowel. */
  isSyllabic: boolean;
};

/**
 * The contour of a syllable where it differs from its recording: the beginning of the recorded one,
 * or a line between two heights in semitones from the voice's middle.
 */
export type Contour = { upTo: number } | { from: number; to: number };

/** How words of English are spoken with recordings of another language. */
export type EnglishManner = {
  /** Factor of the length of rimes, and that of those with a coda in addition. */
  rimeShare: number;
  codaShare: number;
  /** Factor of the length of closures: a short one before b, d and g hides which it was. */
  closureShare: number;
  /**
   * How much of the recorded length that the language's own words leave out of noisy onsets is
   * spoken: a short t is heard as p, a short f as z.
   */
  noiseShare: number;
  /**
   * Factor of the part of a vowel after a consonant with noise that keeps the recorded speed: it
   * tells which one it was.
   */
  transitionShare: number;
  /** Share of a recorded rime without a coda that is used: its fading end is heard as a nasal. */
  keptShare: number;
  /** Milliseconds of silence after an unreleased stop. */
  stopMs: number;
  /**
   * Milliseconds in which vowels and glides begin: the recorded ones begin at once, which is heard
   * as a stop.
   */
  riseMs: number;
};

/** Sounds and rules of a language whose syllables were recorded. */
export type Sounds = {
  /** The language's syllables, and English, which is said with them. */
  language: SyllableLanguage;
  /** Pitch of the recorded speaker's middle register, in hertz. */
  middleHz: number;
  loudness: EngineLoudness;
  /** Level of syllables by their tone, in dB. */
  toneDb: Readonly<Record<number, number>>;
  /** Gain of voiceless onsets: those of carefully spoken syllables are too loud. */
  unvoicedGain: number;
  /**
   * Share of the missing level that is added: carefully spoken syllables begin and end in silence,
   * so where the voice goes on into the next one, levels more than 3 dB below the loudest place of
   * the rime are raised.
   */
  liftShare: number;
  /** Milliseconds for which rimes fade before closures and voiceless onsets. */
  edgeFadeMs: number;
  /** Milliseconds for which ends of phrases fade. */
  finalFadeMs: number;
  /** How words of English differ, whose syllables are none of the language's own. */
  english: EnglishManner;
  /** Words without stress, which are short. */
  weak: ReadonlySet<string>;
  /** Particles with which questions do not rise. */
  questionParticles: ReadonlySet<string>;
  /** Converts a reading to a label of the voice; null when it is none. */
  normalize(reading: string): string | null;
  /** Splits a syllable. Throws `engine_failed` when it is not a syllable of the language. */
  partsOf(label: string): SyllableParts;
  /**
   * Return the milliseconds of an onset in speech (null to keep the recorded length), of the
   * closure before it, and of a rime.
   */
  onsetMs(parts: SyllableParts): number | null;
  closureMs(parts: SyllableParts): number;
  rimeMs(parts: SyllableParts): number;
  /** Returns the share of a rime with a nasal that the vowel takes. */
  vowelShare(parts: SyllableParts): number;
  /**
   * Labels to try for one that was not recorded, best first: with its onset, rime or tone replaced.
   * Onsets and rimes are near if people take them for the same; others are made of parts.
   */
  near: {
    onsets(onset: string, rime: string): readonly string[];
    rimes: Readonly<Record<string, readonly string[]>>;
    tones: Readonly<Record<number, readonly number[]>>;
    /** Returns the consonants of an onset, of which it is made when it was not recorded. */
    consonants(onset: string): readonly string[];
    /** Returns syllables without a tone of their own that lend their contour. */
    carriers(parts: SyllableParts): readonly string[];
  };
  /**
   * Returns the contour of a separately recorded syllable between its neighbours; null to keep the
   * recorded one.
   */
  contour(parts: SyllableParts, before: SyllableParts | null, after: SyllableParts | null): Contour | null;
  /** Returns the syllables nearest to the ARPAbet phones and the spelling of an English word. */
  englishSyllables(phones: readonly string[], spelling: string): string[];
  /** Returns the syllables of the name of a letter, A to Z; null to use its phones. */
  letterSyllables(letter: string): readonly string[] | null;
};

export const isOpen = ({ manner }: SyllableParts) => manner === 'open';
export const hasClosure = ({ manner }: SyllableParts) => manner !== 'open' && manner !== 'fricative';
