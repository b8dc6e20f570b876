/** Languages that can be built from recorded syllables. */
export type SyllableLanguage = 'cantonese' | 'mandarin';

/**
 * How an onset is spoken. The voice goes on through open ones: sonorants, glides, and none. The
 * mouth is closed before stops and affricates.
 */
export type Manner = 'open' | 'fricative' | 'plain-stop' | 'aspirated-stop' | 'affricate';

/** A syllable in the parts that decide how it is cut, timed and joined. */
export type SyllableParts = {
  onset: string;
  manner: Manner;
  rime: string;
  tone: number;
  /** Ends in an unreleased stop. */
  isChecked: boolean;
  /** Ends in a nasal. */
  isNasal: boolean;
  /** The vowel is shorter than the nasal after it. */
  hasShortVowel: boolean;
  /** A nasal without a vowel. */
  isSyllabic: boolean;
};

/**
 * The contour of a syllable where it differs from its recording: the beginning of the recorded one,
 * or a line between two heights in semitones from the voice's middle.
 */
export type Contour = { upTo: number } | { from: number; to: number };

/** What the engine knows of a language whose syllables were recorded. */
export type Sounds = {
  /** The language's syllables, and English, which is said with them. */
  language: SyllableLanguage;
  /** Pitch of the recorded speaker's middle register. */
  middleHz: number;
  /** Level of syllables by their tone. */
  toneDb: Readonly<Record<number, number>>;
  /** Level of onsets without voice: those of carefully spoken syllables are too loud. */
  unvoicedGain: number;
  /**
   * Carefully spoken syllables begin and end in silence. Where the voice goes on into the next one,
   * this share of what is more than 3 dB below the loudest place of the rime is made up for.
   */
  liftShare: number;
  /** Before closures and voiceless onsets rimes fade for so long. */
  edgeFadeMs: number;
  /** Ends of phrases fade for so long. */
  finalFadeMs: number;
  /** Words without weight of their own are short. */
  weak: ReadonlySet<string>;
  /** Questions with one of these do not rise. */
  questionParticles: ReadonlySet<string>;
  /** A reading as a label of the voice; null: it is none. */
  normalize(reading: string): string | null;
  /** Throws `engine_failed` for what is not a syllable of the language. */
  partsOf(label: string): SyllableParts;
  /** Milliseconds of an onset in speech (null: as recorded), the closure before it, and a rime. */
  onsetMs(parts: SyllableParts): number | null;
  closureMs(parts: SyllableParts): number;
  rimeMs(parts: SyllableParts): number;
  /** Part of a rime with a nasal that the vowel takes. */
  vowelShare(parts: SyllableParts): number;
  /** Labels to try for one that was not recorded, best first: its onset, rime and tone replaced. */
  near: {
    onsets: Readonly<Record<string, readonly string[]>>;
    rimes: Readonly<Record<string, readonly string[]>>;
    tones: Readonly<Record<number, readonly number[]>>;
    /** Syllables without a tone that lend their contour. */
    carriers(parts: SyllableParts): readonly string[];
  };
  /** The contour of a syllable recorded by itself, between its neighbours; null: as recorded. */
  contour(parts: SyllableParts, before: SyllableParts | null, after: SyllableParts | null): Contour | null;
  /** The nearest syllables to the ARPAbet phones of an English word. */
  englishSyllables(phones: readonly string[]): string[];
};

export const isOpen = ({ manner }: SyllableParts) => manner === 'open';
export const hasClosure = ({ manner }: SyllableParts) => manner !== 'open' && manner !== 'fricative';
