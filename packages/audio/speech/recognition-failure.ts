import type { RecognitionFailure } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** A text as a model wrote it, and the stretch of speech that it belongs to. */
type WrittenSpeech = {
  text: string;
  language: Language;
  speechMs: number;
  /** See `SpeechSegment`. */
  noSpeech: number | undefined;
};

/** Shorter speech may be a breath; without a probability of a voice only longer speech is sure. */
const MIN_SPEECH_MS = 300;
const MIN_UNSURE_SPEECH_MS = 1_000;
/** Up to this mean probability of no voice it is sure that somebody speaks … */
const SURE_SPEECH = 0.4;
/** … and from this one on that there is no speech. */
const SURE_SILENCE = 0.9;
/** A loop is 16 units or more of a phrase that comes four times or more. */
const MIN_LOOP_ROUNDS = 4;
const MIN_LOOP_UNITS = 16;
const MAX_PERIOD = 40;
/**
 * The most syllables that people say within a second, and those more that a short segment may have:
 * cuts lose the edges of a sound.
 */
const MAX_SYLLABLES_PER_SECOND = 12;
const SPARE_SYLLABLES = 3;
/** Letters of a word that take at least the time of a syllable. */
const LETTERS_PER_SYLLABLE = 4;
/** Share of letters in a foreign script that a name or a quotation does not reach. */
const MAX_FOREIGN_SHARE = 0.2;

const UNITS =
  /\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}]|[[\p{L}\p{M}\p{N}'’]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+/gv;
const LETTER = /\p{L}/gu;
/** The scripts in which each language is written: Cantonese and Mandarin contain English words. */
const SCRIPTS: Readonly<Record<Language, RegExp>> = {
  cantonese: /[\p{Script=Han}\p{Script=Latin}\p{Script=Bopomofo}]/gu,
  mandarin: /[\p{Script=Han}\p{Script=Latin}\p{Script=Bopomofo}]/gu,
  english: /\p{Script=Latin}/gu,
};

/**
 * Returns why a text cannot be what was said, so that another model should answer; null for a text
 * that may be right.
 */
export function recognitionFailure({ text, language, speechMs, noSpeech }: WrittenSpeech): RecognitionFailure | null {
  const units = text.toLowerCase().match(UNITS) ?? [];
  if (units.length === 0) return isSurelySpeech(speechMs, noSpeech) ? 'empty' : null;
  if ((noSpeech ?? 0) >= SURE_SILENCE) return 'no_speech';
  if (isLoop(units)) return 'loop';
  if (isTooFast(units, speechMs)) return 'too_fast';
  return foreignShare(text, language) > MAX_FOREIGN_SHARE ? 'wrong_script' : null;
}

function isSurelySpeech(speechMs: number, noSpeech: number | undefined): boolean {
  return noSpeech === undefined
    ? speechMs >= MIN_UNSURE_SPEECH_MS
    : speechMs >= MIN_SPEECH_MS && noSpeech <= SURE_SPEECH;
}

function isLoop(units: readonly string[]): boolean {
  for (let period = 1; period <= Math.min(MAX_PERIOD, units.length / MIN_LOOP_ROUNDS); period += 1) {
    const loopUnits = Math.max(MIN_LOOP_UNITS, MIN_LOOP_ROUNDS * period);
    let length = period;
    for (let at = period; at < units.length && length < loopUnits; at += 1) {
      length = units[at] === units[at - period] ? length + 1 : period;
    }
    if (length >= loopUnits) return true;
  }
  return false;
}

function isTooFast(units: readonly string[], speechMs: number): boolean {
  const syllables = units.reduce((sum, unit) => sum + Math.max(1, unit.length / LETTERS_PER_SYLLABLE), 0);
  return syllables > SPARE_SYLLABLES + (MAX_SYLLABLES_PER_SECOND * speechMs) / 1_000;
}

function foreignShare(text: string, language: Language): number {
  const letters = text.match(LETTER)?.length ?? 0;
  return letters === 0 ? 0 : 1 - (text.match(SCRIPTS[language])?.length ?? 0) / letters;
}
