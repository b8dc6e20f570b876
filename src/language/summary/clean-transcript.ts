/** Shorter lines may be repeated in earnest: no, no, no. */
const LEAST_REPEATED = 6;

/**
 * A transcript without what nobody said: times at the beginning of lines, sounds in brackets ([Music], ♪), marks of
 * speakers, control characters, lone surrogates. Lines stay lines; empty ones go, and those that repeat the line before
 * (captions show a line again while the next appears).
 */
export function cleanTranscript(text: string): string {
  return text
    .toWellFormed()
    .replace(/\uFFFD/g, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\n\P{Cc}]|\p{Zs}/gu, ' ')
    .split('\n')
    .map(cleanLine)
    .filter((line, index, lines) => line !== '' && (line.length < LEAST_REPEATED || line !== lines[index - 1]))
    .join('\n');
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
