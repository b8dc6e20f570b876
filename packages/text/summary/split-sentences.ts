import { capitalizePronoun, capitalizeStart } from '#text/punctuation/english-capitals.ts';
import { cutUnpunctuated, type Piece } from './cut-unpunctuated.ts';
import type { Lexicon } from './lexicon.ts';
import type { Pace } from './pace.ts';

/** Sentence-final punctuation of all languages, with closing quotes and brackets. */
const SENTENCE_END = /(?:[。！？!?…]+|\.+(?![\p{L}\d]))["'”’」』）)\]]*/gu;
/** Titles and initials, whose full stop ends no sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|st|prof|vs|etc|e\.g|i\.e|\p{Lu})\.$/iu;
const ENDS_WITH_MARK = /[。！？!?….]["'”’」』）)\]]*$/u;
const TRAILING_PAUSE = /[\s,，、;；:：—–-]+$/u;
/**
 * Limits of text without punctuation that is cut at once; longer text is divided at a line break,
 * where a sentence may be split.
 */
const MAX_CUT_LENGTH = { words: 4_000, characters: 1_500 };
const EAST_ASIAN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}、，]';
const INNER_SPACE = new RegExp(`(?<=${EAST_ASIAN}) +(?=${EAST_ASIAN})`, 'gu');

/**
 * Splits a cleaned transcript into sentences, each on one line and with a final mark. By
 * punctuation; longer parts (automatic captions have none) are cut by the language model of
 * boundaries.
 */
export async function splitSentences(text: string, lexicon: Lexicon, pace: Pace): Promise<Piece[]> {
  const sentences: Piece[] = [];
  for (const chunk of chunksByMarks(text)) {
    await pace();
    if (isSentenceSized(chunk, lexicon)) {
      sentences.push({ text: finish(onOneLine(chunk, lexicon), lexicon), endOdds: Infinity });
      continue;
    }
    for (const part of partsOf(chunk, lexicon.spaced ? MAX_CUT_LENGTH.words : MAX_CUT_LENGTH.characters)) {
      await pace();
      for (const { text: piece, endOdds } of cutUnpunctuated(part, lexicon)) {
        sentences.push({ text: finish(piece, lexicon), endOdds });
      }
    }
  }
  return sentences.filter((sentence) => /[\p{L}\d]/u.test(sentence.text));
}

function chunksByMarks(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith('.') && ABBREVIATION.test(text.slice(Math.max(start, end - 8), end))) continue;
    const chunk = text.slice(start, end).trim();
    if (chunk !== '') chunks.push(chunk);
    start = end;
  }
  const rest = text.slice(start).trim();
  return rest === '' ? chunks : [...chunks, rest];
}

/**
 * Whether a text has the size of a sentence; with a mark at its end it may be longer, but not
 * arbitrarily.
 */
function isSentenceSized(chunk: string, { spaced, sentenceLength }: Lexicon): boolean {
  const maxLength = ENDS_WITH_MARK.test(chunk) ? sentenceLength.max * 1.5 : sentenceLength.typical * 1.3;
  if (chunk.length > maxLength * 12) return false;
  return (spaced ? chunk.split(/\s+/).length : Array.from(chunk).length) <= maxLength;
}

/** Latin words are separated by spaces in every language. */
function onOneLine(chunk: string, lexicon: Lexicon): string {
  if (lexicon.spaced) return chunk.replaceAll('\n', ' ');
  return chunk.replace(/(?<=[\p{Script=Latin}\d])\n(?=[\p{Script=Latin}\d])/gu, ' ').replaceAll('\n', '');
}

function partsOf(chunk: string, maxCharacters: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < chunk.length;) {
    let end = Math.min(chunk.length, start + maxCharacters);
    if (end < chunk.length) {
      const part = chunk.slice(start, end + 1);
      const divide = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '));
      if (divide > 0) end = start + divide;
    }
    parts.push(chunk.slice(start, end));
    start = end;
  }
  return parts;
}

function finish(piece: string, lexicon: Lexicon): string {
  let sentence = piece
    .replace(/\s+/gu, ' ')
    .replace(TRAILING_PAUSE, '')
    .replace(/^[\s,，、;；:：)\]]+/u, '');
  // Spaces between Chinese characters are pauses.
  if (!lexicon.spaced) sentence = sentence.replace(INNER_SPACE, lexicon.comma);
  if (sentence === '') return '';
  if (!ENDS_WITH_MARK.test(sentence)) sentence += lexicon.fullStop;
  // English without punctuation lacks capitals too.
  return capitalizePronoun(capitalizeStart(sentence));
}
