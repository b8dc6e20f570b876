import { readFile } from 'node:fs/promises';
import { toHongKong, toSimplified } from '@jyutsing/text/script/convert-script';

/** Largest number of hotwords: more slow the search down and increase false alarms. */
const MAX_HOTWORDS = 100;
const MIN_HOTWORD_CHARACTERS = 2;
const MAX_HOTWORD_CHARACTERS = 12;
/** Longest prompt in characters: a longer one reduces the space for audio. */
const MAX_PROMPT_CHARACTERS = 200;

/** Reads the symbols of a model's tokens.txt: `symbol number` per line. */
export async function readSymbols(path: string): Promise<ReadonlySet<string>> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return new Set(
    lines.map((line) => line.slice(0, Math.max(0, line.lastIndexOf(' ')))).filter((symbol) => symbol !== ''),
  );
}

/**
 * Converts a free-form context to hotwords: its runs of Chinese characters in the model's tokens,
 * in the library's format ("香 港/灣 仔"). Only known tokens pass: the library interprets ":", "#" and
 * "@" as commands, and an invalid number after them aborts the process. Null when nothing is
 * usable.
 */
export function hotwordsOf(context: string | null, symbols: ReadonlySet<string>): string | null {
  if (context === null) return null;
  const hotwordOf = (phrase: string) => {
    for (const form of [phrase, toHongKong(phrase), toSimplified(phrase)]) {
      const characters = [...form];
      if (characters.every((character) => symbols.has(character))) return [characters.join(' ')];
    }
    return [];
  };
  // Remove marks first: the time of normalization grows with the square of a run of them.
  const plain = context.replaceAll(/\p{M}+/gu, '').normalize('NFKC');
  const phrases = plain.match(/\p{Script=Han}+/gu) ?? [];
  const usable = phrases.filter((phrase) => {
    const { length } = [...phrase];
    return length >= MIN_HOTWORD_CHARACTERS && length <= MAX_HOTWORD_CHARACTERS;
  });
  const hotwords = [...new Set(usable.flatMap(hotwordOf))].slice(0, MAX_HOTWORDS);
  return hotwords.length === 0 ? null : hotwords.join('/');
}

/**
 * Converts a free-form context to the words of a prompt: one line of limited length, without
 * control tokens.
 */
export function promptOf(context: string | null): string | null {
  const words = (context ?? '').replaceAll(/[<>|\p{C}\p{Z}]+/gu, ' ').trim();
  const prompt = [...words].slice(0, MAX_PROMPT_CHARACTERS).join('');
  return prompt === '' ? null : prompt;
}
