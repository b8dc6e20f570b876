import type { PhraseEnding, SpokenPhrase, SpokenPiece, SpokenWord, TextPiece } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { verbalizeCantonese } from './cantonese/verbalize-cantonese.ts';
import { isPicture, meaningOfMarks } from './phrase-endings.ts';
import { verbalizeEnglish } from './english/verbalize-english.ts';
import type { Token, TokenKind, VerbalizedWord, VerbalizeToken } from './tokens.ts';
import { languageOfTokens } from './language-of-tokens.ts';
import { verbalizeMandarin } from './mandarin/verbalize-mandarin.ts';
import { plainText } from './plain-text.ts';
import { joinPhrases } from './join-phrases.ts';
import { tokenize, type PlacedToken } from './tokenize.ts';

const VERBALIZE: Readonly<Record<Language, VerbalizeToken>> = {
  cantonese: verbalizeCantonese,
  mandarin: verbalizeMandarin,
  english: verbalizeEnglish,
};
/** Particles that ask without a mark: 係咩, 好嗎. */
const ASKING = /[咩嗎吗]$/u;
/** A space between so many characters on both sides parts clauses: in chats it stands for a comma. */
const CLAUSE = /\p{Script=Han}{3}$/u;
const NEXT_CLAUSE = /^\p{Script=Han}{3}/u;
/** Amounts and the like side by side: 凍檸茶 x2 $44. */
const NUMERIC: ReadonlySet<TokenKind> = new Set([
  'number',
  'money',
  'percent',
  'quantity',
  'time',
  'fraction',
  'score',
  'range',
  'temperature',
  'phone',
] as const);
const DAYS = /(?:星期|[禮礼]拜|[週周至到及])[一二三四五六日天]$/u;

/**
 * The words of a piece as they are said: numbers, dates, money and signs in words, letters one by one; readings are empty (`addReadings`
 * fills them in). `written` of the words stands in the piece in this order. Null where there is nothing to say.
 */
export function normalize(piece: TextPiece, language: Language): SpokenPiece | null {
  const text = plainText(piece.text);
  const tokens = tokenize(text, language);
  const draft: Draft = { done: [], words: [] };
  const verbalizeIn = languageOfTokens(tokens, language);
  tokens.forEach((placed, index) => {
    const { token, at } = placed;
    const end = at + token.text.length;
    if (isPauseBefore(text, tokens[index - 1], placed)) endPhrase(draft, 'comma');
    if (token.kind === 'mark') {
      endPhrase(draft, meaningOfMarks(token.text).ending);
      return;
    }
    if (isPicture(token)) endPhrase(draft, 'comma');
    const context = { before: text.slice(Math.max(0, at - 40), at), after: text.slice(end, end + 40) };
    const words = writtenIn(piece.text.slice(at, end), VERBALIZE[verbalizeIn(index)](token, context));
    addWords(draft, token, words);
  });
  finish(draft, { text, endsSentence: piece.endsSentence });
  const phrases = draft.done;
  if (phrases.length === 0) return null;
  return { phrases, spokenForm: joinPhrases(phrases, language), endsSentence: piece.endsSentence };
}

/** Phrases while they are made: those that are done, and the words of the one that is not. */
type Draft = { done: SpokenPhrase[]; words: SpokenWord[] };

/** Ends the phrase that is being made; where nothing is, a stronger mark still changes how the one before ended. */
function endPhrase(draft: Draft, ending: PhraseEnding): void {
  const { done, words } = draft;
  if (words.length > 0) {
    if (ending === 'none') return;
    const asks = ending === 'statement' && ASKING.test(words.at(-1)?.spokenForm ?? '');
    done.push({ words, ending: asks ? 'question' : ending });
    draft.words = [];
    return;
  }
  const last = done.at(-1);
  if (last !== undefined && STRENGTH[ending] > STRENGTH[last.ending]) done[done.length - 1] = { ...last, ending };
}

const STRENGTH: Readonly<Record<PhraseEnding, number>> = {
  none: 0,
  comma: 1,
  ellipsis: 2,
  statement: 3,
  exclamation: 4,
  question: 5,
};

/** What is left at the end of a piece: the end of a sentence without a mark, or what runs on into the next piece. */
function finish(draft: Draft, { text, endsSentence }: TextPiece): void {
  if (draft.words.length === 0) {
    // A bracket or an emoji at the end: nothing follows, so the voice falls. After a colon something does.
    const isOpen = draft.done.at(-1)?.ending === 'comma';
    if (endsSentence && isOpen && !/[：:，,、；;][\s\u2060」』”"]*$/u.test(text)) endPhrase(draft, 'statement');
    return;
  }
  if (endsSentence) endPhrase(draft, 'statement');
  else draft.done.push({ words: draft.words, ending: 'none' });
}

/** Groups of a telephone number are parted like clauses: that is how one writes them down. */
function addWords(draft: Draft, token: Token, words: readonly VerbalizedWord[]): void {
  words.forEach((word, index) => {
    if (token.kind === 'phone' && index > 0) endPhrase(draft, 'comma');
    draft.words.push({ ...word, reading: [] });
  });
}

function isPauseBefore(text: string, before: PlacedToken | undefined, { token, at }: PlacedToken): boolean {
  if (before === undefined) return false;
  const between = text.slice(before.at + before.token.text.length, at);
  if (/[\n\r]/.test(between)) return true;
  if (!/\s/.test(between)) return false;
  if (NUMERIC.has(token.kind)) {
    if (NUMERIC.has(before.token.kind) || before.token.kind === 'code') return true;
    return (token.kind === 'time' || token.kind === 'range') && DAYS.test(before.token.text);
  }
  if (before.token.kind !== 'han' || token.kind !== 'han') return false;
  return CLAUSE.test(before.token.text) && NEXT_CLAUSE.test(token.text);
}

/** The words with `written` as the text has it, full-width digits too, not as it was read. */
function writtenIn(original: string, words: readonly VerbalizedWord[]): VerbalizedWord[] {
  const plain = plainText(original);
  let from = 0;
  return words.map((word) => {
    const at = plain.indexOf(word.written, from);
    if (at < 0) return word;
    from = at + word.written.length;
    return { ...word, written: original.slice(at, from) };
  });
}
