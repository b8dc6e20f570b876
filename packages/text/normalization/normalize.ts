import type { PhraseEnding, SpokenPhrase, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { Language } from '@jyutsing/contracts/transcript';
import { verbalizeCantonese } from './cantonese/verbalize-cantonese.ts';
import { isPicture, meaningOfMarks } from './phrase-endings.ts';
import { verbalizeEnglish } from './english/verbalize-english.ts';
import type { PlacedToken, Token, TokenizedPiece, TokenKind, VerbalizedWord, VerbalizeToken } from './tokens.ts';
import { languageOfTokens } from './language-of-tokens.ts';
import { verbalizeMandarin } from './mandarin/verbalize-mandarin.ts';
import { letterByName } from './letters-by-name.ts';
import { FILLER, withoutFillers } from '#text/script/keep-positions.ts';
import { joinPhrases } from './join-phrases.ts';

const VERBALIZE: Readonly<Record<Language, VerbalizeToken>> = {
  cantonese: verbalizeCantonese,
  mandarin: verbalizeMandarin,
  english: verbalizeEnglish,
};
/** Particles at the end of a clause that make it a question without a question mark: 係咩, 好嗎. */
const QUESTION_ENDING = /[咩嗎吗]$/u;
/** The text around a token in UTF-16 units, as far as its words depend on it. */
const CONTEXT_LENGTH = 40;
/** A space with this many characters on both sides separates clauses, like a comma in chats. */
const CLAUSE = /\p{Script=Han}{3}$/u;
const NEXT_CLAUSE = /^\p{Script=Han}{3}/u;
/** Kinds of tokens between which a space is a pause: 凍檸茶 x2 $44. */
const NUMERIC: ReadonlySet<TokenKind> = new Set([
  'number',
  'money',
  'percent',
  'quantity',
  'time',
  'duration',
  'ratio',
  'fraction',
  'score',
  'range',
  'temperature',
  'phone',
] as const);
const DAYS = /(?:星期|[禮礼]拜|[週周至到及])[一二三四五六日天]$/u;

/**
 * Converts a piece to the words that are spoken: numbers, dates, money and signs in words, acronyms
 * letter by letter. Their readings are empty (`AddReadings` fills them in), and their `written`
 * parts occur in the piece in the same order. Null if nothing in the piece can be spoken.
 */
export function normalize(
  { text, plain, tokens, endsSentence }: TokenizedPiece,
  language: Language,
): SpokenPiece | null {
  const draft: Draft = { done: [], words: [] };
  const shown = tokens.map(({ token }) => {
    const visible = withoutFillers(token.text).text;
    return visible === token.text ? token : { ...token, text: visible };
  });
  const languageAt = languageOfTokens(shown, language);
  const withoutFiller = plain.includes(FILLER) ? (part: string) => withoutFillers(part).text : (part: string) => part;
  tokens.forEach((placed, index) => {
    const { at } = placed;
    const token = shown[index] ?? placed.token;
    const end = at + placed.token.text.length;
    if (isPauseBefore(plain, tokens[index - 1], placed)) endPhrase(draft, 'comma');
    if (token.kind === 'mark') {
      endPhrase(draft, meaningOfMarks(token.text).ending);
      return;
    }
    if (isPicture(token)) endPhrase(draft, 'comma');
    const context = {
      before: withoutFiller(plain.slice(Math.max(0, at - CONTEXT_LENGTH), at)),
      after: withoutFiller(plain.slice(end, end + CONTEXT_LENGTH)),
    };
    const spoken = languageAt(index);
    const words =
      token.kind === 'given'
        ? [wordOf(token)]
        : (letterByName(token, context, spoken) ?? VERBALIZE[spoken](token, context));
    addWords(draft, placed, withOriginalText(words, text.slice(at, end), placed.token.text));
  });
  finish(draft, plain, endsSentence);
  const phrases = draft.done;
  if (phrases.length === 0) return null;
  return { phrases, spokenForm: joinPhrases(phrases, language), endsSentence };
}

/** A piece under construction: its finished phrases, and the words of the current one. */
type Draft = { done: SpokenPhrase[]; words: SpokenWord[] };

/**
 * Ends the current phrase. Between phrases, a stronger mark replaces the ending of the previous
 * phrase.
 */
function endPhrase(draft: Draft, ending: PhraseEnding): void {
  const { done, words } = draft;
  if (words.length > 0) {
    if (ending === 'none') return;
    const asks = ending === 'statement' && QUESTION_ENDING.test(words.at(-1)?.spokenForm ?? '');
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

/**
 * Ends a piece, at the end of a sentence without a mark or within a phrase that continues in the
 * next piece.
 */
function finish(draft: Draft, text: string, endsSentence: boolean): void {
  if (draft.words.length === 0) {
    // The intonation falls after a bracket or an emoji at the end, because nothing follows. After a
    // colon something follows.
    const isOpen = draft.done.at(-1)?.ending === 'comma';
    if (endsSentence && isOpen && !/[：:，,、；;][\s\u2060」』”"]*$/u.test(text)) endPhrase(draft, 'statement');
    return;
  }
  if (endsSentence) endPhrase(draft, 'statement');
  else draft.done.push({ words: draft.words, ending: 'none' });
}

/** Adds words to the current phrase. The groups of a telephone number are separate phrases. */
function addWords(draft: Draft, { token, style }: PlacedToken, words: readonly VerbalizedWord[]): void {
  const reading = token.kind === 'syllables' ? token.syllables : token.kind === 'given' ? token.reading : [];
  words.forEach((word, index) => {
    if (token.kind === 'phone' && index > 0) endPhrase(draft, 'comma');
    draft.words.push({ ...word, reading, ...(style === undefined ? {} : { style }) });
  });
}

function wordOf({ text, language, spokenForm }: Extract<Token, { kind: 'given' }>): VerbalizedWord {
  return { written: text, language, spokenForm };
}

function isPauseBefore(text: string, before: PlacedToken | undefined, { token, at }: PlacedToken): boolean {
  if (before === undefined) return false;
  // A slash separates two telephone numbers: 2388-1234 / 9123-4567.
  if (token.kind === 'phone' && before.token.text === '/') return true;
  const between = text.slice(before.at + before.token.text.length, at);
  if (/[\n\r]/.test(between)) return true;
  if (!/\s/.test(between)) return false;
  // Items of a list: 一、洗手 二、戴口罩.
  if (LABEL.test(token.text) && text.startsWith('、', at + token.text.length)) return true;
  if (NUMERIC.has(token.kind)) {
    if (NUMERIC.has(before.token.kind) || isCodeOfDigits(before.token)) return true;
    return (token.kind === 'time' || token.kind === 'range') && DAYS.test(before.token.text);
  }
  if (before.token.kind !== 'han' || token.kind !== 'han') return false;
  return CLAUSE.test(before.token.text) && NEXT_CLAUSE.test(token.text);
}

const LABEL = /^[一二三四五六七八九十]{1,3}$/u;

/** AB123, but not PolyU. */
function isCodeOfDigits(token: Token): boolean {
  return token.kind === 'code' && token.parts.some(({ kind }) => kind === 'digits');
}

/**
 * Replaces `written`, which is a part of the plain text of a token without its fillers, by the
 * original text, which may have full-width or mathematical digits.
 */
function withOriginalText(words: readonly VerbalizedWord[], original: string, plain: string): VerbalizedWord[] {
  const { text, filledAt } = withoutFillers(plain);
  let from = 0;
  return words.map((word) => {
    const at = text.indexOf(word.written, from);
    if (at < 0) return word;
    from = at + word.written.length;
    return { ...word, written: original.slice(filledAt(at), filledAt(from)) };
  });
}
