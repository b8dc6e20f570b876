import { readFileSync } from 'node:fs';
import type { Language } from '@jyutsing/contracts/transcript';
import type { TokenizedPiece } from '#text/normalization/tokens.ts';

/**
 * Runs of Chinese characters that the dictionaries read: after the language, the first code point
 * and the number of each run, in base 36. Kept true by readable-characters.test.ts.
 */
const TABLE = new URL('./readable-characters.txt', import.meta.url);

/** Chinese characters, without the sign that repeats the one before it. */
const HAN = /(?!々)\p{Script=Han}/u;
/** Readings in brackets or with a tone explain the characters before them: 絰(dit6), 絰 dié. */
const EXPLAINED = /^\s*(?:[(（[]\s*[A-Za-zà-ǜ]+[1-6]?(?![A-Za-zà-ǜ\d])|[A-Za-z]+[1-6](?![A-Za-z\d])|[A-Za-z]*[à-ǜ])/u;

let opened: ReadonlyMap<string, Uint8Array> | null = null;

/**
 * Chinese characters of a part that no dictionary of its language reads, without those whose
 * reading follows, also at the beginning of the next part. English has no such limit.
 */
export function unreadableCharacters({ plain, tokens }: TokenizedPiece, language: Language, next = ''): string[] {
  return tokens.flatMap(({ token, at }) => {
    if (token.kind !== 'han') return [];
    const unread = Array.from(token.text).filter((character) => !isReadable(character, language));
    return unread.length > 0 && !EXPLAINED.test(plain.slice(at + token.text.length) + next) ? unread : [];
  });
}

function isReadable(character: string, language: Language): boolean {
  if (!HAN.test(character)) return true;
  opened ??= readTable();
  const readable = opened.get(language);
  return readable === undefined || readable[character.codePointAt(0)!] === 1;
}

function readTable(): Map<string, Uint8Array> {
  const table = new Map<string, Uint8Array>();
  for (const line of readFileSync(TABLE, 'utf8').trimEnd().split('\n')) {
    const [language = '', ...runs] = line.split(' ');
    const readable = new Uint8Array(0x40000);
    for (const run of runs) {
      const [first = 0, count = 1] = run.split('+').map((digits) => Number.parseInt(digits, 36));
      readable.fill(1, first, first + count);
    }
    table.set(language, readable);
  }
  return table;
}
