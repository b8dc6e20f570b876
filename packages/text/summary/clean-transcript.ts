import type { Pace } from './pace.ts';

/** Shorter lines may be repeated in earnest: no, no, no. */
const LEAST_REPEATED = 6;
/** As much text as is cleaned before others may run: about a millisecond. */
const CLEANED_AT_ONCE = 16_384;

/**
 * A transcript without what nobody said: times at the beginning of lines, sounds in brackets ([Music], ♪), marks of
 * speakers, control characters, lone surrogates. Lines stay lines; empty ones go, and those that repeat the line before
 * (captions show a line again while the next appears). Pauses for other work as the pace says.
 */
export async function cleanTranscript(text: string, pace: Pace): Promise<string> {
  const cleaned: string[] = [];
  let before = '';
  let sincePause = 0;
  for (const line of (await plainCharacters(text, pace)).split('\n')) {
    if (sincePause > CLEANED_AT_ONCE) {
      await pace();
      sincePause = 0;
    }
    sincePause += line.length + 1;
    const clean = cleanLine(line);
    if (clean !== '' && (clean.length < LEAST_REPEATED || clean !== before)) cleaned.push(clean);
    before = clean;
  }
  return cleaned.join('\n');
}

async function plainCharacters(text: string, pace: Pace): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    await pace();
    const end = endOfPiece(text, start + CLEANED_AT_ONCE);
    pieces.push(
      text
        .slice(start, end)
        .toWellFormed()
        .replace(/\uFFFD/g, '')
        .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
        .replace(/\p{Cf}/gu, '')
        .replace(/[^\n\P{Cc}]|\p{Zs}/gu, ' '),
    );
    start = end;
  }
  return pieces.join('');
}

/** Not within a character of two units, nor between the two that end a line. */
function endOfPiece(text: string, end: number): number {
  return /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)/.test(text.slice(end - 1, end + 1)) ? end + 1 : end;
}

function cleanLine(line: string): string {
  if (line.includes('-->')) return '';
  return line
    .replace(/^ *[[(]?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?[\])]?(?= |$|\p{L})/u, ' ')
    .replace(/\[[^\]\n]{0,40}\]|♪|♫|>>+/gu, ' ')
    .replace(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{P}]{61,}/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
