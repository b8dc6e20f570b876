import type { SpokenPhrase, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import type { AddJyutping } from './cantonese/add-jyutping.ts';
import type { AddWordReadings } from './tokens.ts';

/** Fills in the readings of a piece that `spellOut` gave. */
export type AddReadings = (piece: SpokenPiece) => SpokenPiece;

/**
 * Opens the dictionaries of all three languages and gives a reader: jyutping, pinyin with its sandhi, and phones for what an English reader
 * could take for another word. Takes half a second and a hundred megabytes the first time; keep what it gives. Words that already have
 * a reading keep it. A Chinese word whose characters no dictionary knows is left out, unless nothing else is there.
 */
export async function loadAddReadings(): Promise<AddReadings> {
  const [{ createAddJyutping: createCantoneseReader }, { addPinyin: readMandarin }, { addPhones: readEnglish }] =
    await Promise.all([
      import('./cantonese/add-jyutping.ts'),
      import('./mandarin/add-pinyin.ts'),
      import('./english/add-phones.ts'),
    ]);
  const readCantonese = createCantoneseReader();
  return (piece) => {
    const phrases = piece.phrases.map((phrase) => readPhrase(phrase, { readCantonese, readMandarin, readEnglish }));
    const audible = phrases.flatMap(withoutSilent);
    return { ...piece, phrases: audible.length > 0 ? audible : phrases };
  };
}

type Readers = { readCantonese: AddJyutping; readMandarin: AddWordReadings; readEnglish: AddWordReadings };

function readPhrase(phrase: SpokenPhrase, readers: Readers): SpokenPhrase {
  const isRead = phrase.words.map(({ reading }) => reading.length > 0);
  const cantonese = readers.readCantonese(phrase.words, phrase.ending === 'question');
  const mandarin = inRuns(cantonese, 'mandarin', readers.readMandarin);
  const words = inRuns(mandarin, 'english', readers.readEnglish);
  return {
    ...phrase,
    words: words.map((word, index) => (isRead[index] === true ? (phrase.words[index] ?? word) : word)),
  };
}

/** Hands each run of neighbours of one language to its reader. */
function inRuns(words: readonly SpokenWord[], language: Language, read: AddWordReadings): SpokenWord[] {
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

function withoutSilent(phrase: SpokenPhrase): SpokenPhrase[] {
  const words = phrase.words.filter(({ language, reading }) => language === 'english' || reading.length > 0);
  return words.length > 0 ? [{ ...phrase, words }] : [];
}
