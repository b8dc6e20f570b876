import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { chooseReadings } from '#text/readings/choose-readings.ts';
import { openJyutpingDictionary } from '#text/readings/jyutping-dictionary.ts';
import { particleOfQuestion } from '#text/readings/rules/question-particle.ts';

/** The sign that stands for a word of another language while its neighbors are read. */
const FOREIGN = '*';

/**
 * Adds jyutping to the Cantonese words of a phrase; words of other languages are unchanged and
 * separate their neighbors. `isQuestion` affects the final particle. A character that no
 * dictionary knows gets no syllable.
 */
export type AddJyutping = (words: readonly SpokenWord[], isQuestion: boolean) => SpokenWord[];

/**
 * Loads the dictionary with our corrections, which takes some tenths of a second and tens of
 * megabytes: keep the result.
 */
export function createAddJyutping(): AddJyutping {
  openJyutpingDictionary();
  return (words, isQuestion) => {
    const text = words.map((word) => (word.language === 'cantonese' ? word.spokenForm : FOREIGN)).join('');
    const syllables = chooseReadings(text).map(({ reading }) => reading);
    if (isQuestion) applyQuestion(text, syllables);
    return shareOut(words, syllables);
  };
}

function applyQuestion(text: string, syllables: (string | null)[]): void {
  const particle = particleOfQuestion(text);
  if (particle !== null) syllables[syllables.length - 1] = particle;
  if (text.endsWith('嗎')) syllables[syllables.length - 1] = 'maa3';
}

function shareOut(words: readonly SpokenWord[], syllables: readonly (string | null)[]): SpokenWord[] {
  let at = 0;
  return words.map((word) => {
    if (word.language !== 'cantonese') {
      at += 1;
      return word;
    }
    const count = Array.from(word.spokenForm).length;
    const reading = syllables.slice(at, at + count).filter((syllable) => syllable !== null);
    at += count;
    return { ...word, reading };
  });
}
