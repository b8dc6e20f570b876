/**
 * What the acoustic model's output columns mean. Symbol columns are, in this order: the CTC blank (0), every onset,
 * every rime (without tone; syllabic `m` and `ng` are rimes, so the same letter may stand in both lists). Tone columns
 * are tones 1 to 6. A syllable without an onset has no onset symbol.
 */
export interface AcousticLabels {
  /** Length of one frame. */
  frameMs: number;
  /** Onsets in column order, the first one in column 1. */
  onsets: readonly string[];
  /** Rimes in column order, the first one in column 1 + onsets.length. */
  rimes: readonly string[];
}

/** Output of the acoustic model for one utterance: natural logarithms, row-major, one row a frame. */
export interface Posteriors {
  frameCount: number;
  /** frameCount × (1 + onsets + rimes), log-softmax over each row. */
  symbolLogp: Float32Array;
  /** frameCount × 6, log-softmax over each row. */
  toneLogp: Float32Array;
}

/** One character of the transcript. Times count from the first frame. */
export interface DecodedCharacter {
  /** One Hong Kong Traditional character. */
  char: string;
  /** The reading it was recognised by, for example `hoeng1`. */
  jyutping: string;
  startMs: number;
  endMs: number;
  /** Estimated probability that the character is right, 0 to 1. */
  confidence: number;
}

/** One syllable as it was heard, before any word or sentence was considered. */
export interface DecodedSyllable {
  jyutping: string;
  /** Empty for the zero onset. */
  onset: string;
  rime: string;
  /** 1 to 6. */
  tone: number;
  startMs: number;
  endMs: number;
  /** Posterior probability of onset, rime and tone together, 0 to 1. */
  confidence: number;
  /** Posterior probability of the tone alone, 0 to 1. */
  toneConfidence: number;
}
