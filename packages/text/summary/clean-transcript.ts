import type { Pace } from './pace.ts';

/**
 * Length from which on a repeated line is dropped; shorter ones may be repeated on purpose: no, no,
 * no.
 */
const MIN_REPEATED = 6;
/** Number of characters that are cleaned between pauses, which takes about a millisecond. */
const CLEANED_CHARACTERS = 16_384;

/**
 * Removes what was not spoken: times at the start of lines, sound descriptions ([Music], ♪),
 * speaker marks, control characters, lone surrogates, empty lines and repetitions of the previous
 * line (captions show a line again while the next appears). Line breaks stay. Pauses for other work
 * as `pace` decides.
 */
export async function cleanTranscript(text: string, pace: Pace): Promise<string> {
  const cleaned: string[] = [];
  let before = '';
  let sincePause = 0;
  for (const line of (await plainCharacters(text, pace)).split('\n')) {
    if (sincePause > CLEANED_CHARACTERS) {
      await pace();
      sincePause = 0;
    }
    sincePause += line.length + 1;
    const clean = cleanLine(line);
    if (clean !== '' && (clean.length < MIN_REPEATED || clean !== before)) cleaned.push(clean);
    before = clean;
  }
  return cleaned.join('\n');
}

async function plainCharacters(text: string, pace: Pace): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    await pace();
    const end = endOfPiece(text, start + CLEANED_CHARACTERS);
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

/** Moves a cut after a surrogate pair or a CRLF that it would divide. */
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
