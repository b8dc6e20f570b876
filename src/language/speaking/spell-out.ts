import type { PhraseEnding, SpokenPhrase, SpokenPiece, SpokenWord, TextPiece } from '#contracts/spoken-text.ts';
import type { Language } from '#contracts/transcript.ts';
import { sayCantonese } from './cantonese/say-cantonese.ts';
import { meaningOfMarks } from './endings.ts';
import { sayEnglish } from './english/say-english.ts';
import type { Item, SaidWord, SayItem } from './items.ts';
import { languageOfItems } from './language-of-items.ts';
import { sayMandarin } from './mandarin/say-mandarin.ts';
import { plainText } from './plain-text.ts';
import { joinPhrases } from './join-phrases.ts';
import { tokenise, type PlacedItem } from './tokenise.ts';

const SAY: Readonly<Record<Language, SayItem>> = {
  cantonese: sayCantonese,
  mandarin: sayMandarin,
  english: sayEnglish,
};
/** Particles that ask without a mark: 係咩, 好嗎. */
const ASKING = /[咩嗎吗]$/u;
/** A space between so many characters on both sides parts clauses: in chats it stands for a comma. */
const CLAUSE = /\p{Script=Han}{4}$/u;
const NEXT_CLAUSE = /^\p{Script=Han}{4}/u;

/**
 * The words of a piece as they are said: numbers, dates, money and signs in words, letters one by one; readings are empty (`addReadings`
 * fills them in). `written` of the words stands in the piece in this order. Null where there is nothing to say.
 */
export function spellOut(piece: TextPiece, language: Language): SpokenPiece | null {
  const text = plainText(piece.text);
  const items = tokenise(text, language);
  const phrases = new Phrases();
  const sayIn = languageOfItems(items, language);
  items.forEach((placed, index) => {
    const { item, at } = placed;
    const end = at + item.text.length;
    if (isPauseBefore(text, items[index - 1], placed)) phrases.end('comma');
    if (item.kind === 'mark') {
      phrases.end(meaningOfMarks(item.text).ending);
      return;
    }
    const context = { before: text.slice(Math.max(0, at - 40), at), after: text.slice(end, end + 40) };
    const words = writtenIn(piece.text.slice(at, end), SAY[sayIn(index)](item, context));
    addWords(phrases, item, words);
  });
  phrases.end(lastEnding(phrases, piece.endsSentence));
  if (phrases.done.length === 0) return null;
  return { phrases: phrases.done, said: joinPhrases(phrases.done, language), endsSentence: piece.endsSentence };
}

/** Phrases while they are made. */
class Phrases {
  readonly done: SpokenPhrase[] = [];
  words: SpokenWord[] = [];

  /** Ends the phrase; with nothing in it, a stronger mark may still change how the one before ended. */
  end(ending: PhraseEnding): void {
    if (this.words.length > 0) {
      if (ending === 'none') return;
      this.done.push({ words: this.words, ending: this.asks(ending) ? 'question' : ending });
      this.words = [];
      return;
    }
    const last = this.done.at(-1);
    if (last !== undefined && STRENGTH[ending] > STRENGTH[last.ending]) {
      this.done[this.done.length - 1] = { ...last, ending };
    }
  }

  /** What is left over runs on into the next piece. */
  runOn(): void {
    if (this.words.length > 0) this.done.push({ words: this.words, ending: 'none' });
    this.words = [];
  }

  asks(ending: PhraseEnding): boolean {
    return ending === 'statement' && ASKING.test(this.words.at(-1)?.said ?? '');
  }
}

const STRENGTH: Readonly<Record<PhraseEnding, number>> = {
  none: 0,
  comma: 1,
  ellipsis: 2,
  statement: 3,
  exclamation: 4,
  question: 5,
};

function lastEnding(phrases: Phrases, endsSentence: boolean): PhraseEnding {
  if (!endsSentence) {
    phrases.runOn();
    return 'none';
  }
  return phrases.words.length > 0 ? 'statement' : 'none';
}

/** Groups of a telephone number are parted like clauses: that is how one writes them down. */
function addWords(phrases: Phrases, item: Item, words: readonly SaidWord[]): void {
  words.forEach((word, index) => {
    if (item.kind === 'phone' && index > 0) phrases.end('comma');
    phrases.words.push({ ...word, reading: [] });
  });
}

function isPauseBefore(text: string, before: PlacedItem | undefined, { item, at }: PlacedItem): boolean {
  if (before === undefined) return false;
  const between = text.slice(before.at + before.item.text.length, at);
  if (/[\n\r]/.test(between)) return true;
  if (between === '' || before.item.kind !== 'han' || item.kind !== 'han') return false;
  return CLAUSE.test(before.item.text) && NEXT_CLAUSE.test(item.text);
}

/** The words with `written` as the text has it, full-width digits too, not as it was read. */
function writtenIn(original: string, words: readonly SaidWord[]): SaidWord[] {
  const plain = plainText(original);
  let from = 0;
  return words.map((word) => {
    const at = plain.indexOf(word.written, from);
    if (at < 0) return word;
    from = at + word.written.length;
    return { ...word, written: original.slice(at, from) };
  });
}
