import type { SpokenPhrase, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import type { AddJyutping } from './cantonese/add-jyutping.ts';
import type { AddWordReadings } from './tokens.ts';

/** Adds readings to the words of a normalized piece. */
export type AddReadings = (piece: SpokenPiece) => SpokenPiece;

/**
 * Loads the dictionaries of all three languages and returns a function that adds jyutping, pinyin
 * after sandhi, and phones of ambiguous English words. Takes half a second and a hundred megabytes
 * the first time: keep the result. Words that have a reading keep it. Chinese words that no
 * dictionary knows are dropped, unless no other word is left.
 */
export async function loadAddReadings(): Promise<AddReadings> {
  const [{ createAddJyutping }, { addPinyin }, { addPhones }] = await Promise.all([
    import('./cantonese/add-jyutping.ts'),
    import('./mandarin/add-pinyin.ts'),
    import('./english/add-phones.ts'),
  ]);
  const addJyutping = createAddJyutping();
  return (piece) => {
    const phrases = piece.phrases.map((phrase) => addToPhrase(phrase, { addJyutping, addPinyin, addPhones }));
    const readable = phrases.flatMap(withoutUnreadable);
    return { ...piece, phrases: readable.length > 0 ? readable : phrases };
  };
}

type LanguageReadings = { addJyutping: AddJyutping; addPinyin: AddWordReadings; addPhones: AddWordReadings };

function addToPhrase(phrase: SpokenPhrase, add: LanguageReadings): SpokenPhrase {
  const isRead = phrase.words.map(({ reading }) => reading.length > 0);
  const cantonese = add.addJyutping(phrase.words, phrase.ending === 'question');
  const mandarin = readLanguageRuns(cantonese, 'mandarin', add.addPinyin);
  const words = readLanguageRuns(mandarin, 'english', add.addPhones);
  return {
    ...phrase,
    words: words.map((word, index) => (isRead[index] === true ? (phrase.words[index] ?? word) : word)),
  };
}

/** Passes each run of adjacent words of one language to its function. */
function readLanguageRuns(words: readonly SpokenWord[], language: Language, read: AddWordReadings): SpokenWord[] {
  const done: SpokenWord[] = [];
  let run: SpokenWord[] = [];
  const flush = () => {
    if (run.length > 0) done.push(...read(run));
    run = [];
  };
  for (const word of words) {
    if (word.language === language) run.push(word);
    else {
      flush();
      done.push(word);
    }
  }
  flush();
  return done;
}

function withoutUnreadable(phrase: SpokenPhrase): SpokenPhrase[] {
  const words = phrase.words.filter(({ language, reading }) => language === 'english' || reading.length > 0);
  return words.length > 0 ? [{ ...phrase, words }] : [];
}
