/**
 * A transcript without what nobody said: times at the beginning of lines, sounds in brackets ([Music], ♪), marks of
 * speakers, control characters, lone surrogates. Lines stay lines; empty ones go.
 */
export function cleanTranscript(text: string): string {
  return text
    .toWellFormed()
    .replace(/\uFFFD/g, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00A0\u00AD\u200B-\u200F\u202A-\u202F\u2060-\u206F\uFEFF\u3000]/g, ' ')
    .split('\n')
    .map(cleanLine)
    .filter((line) => line !== '')
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

