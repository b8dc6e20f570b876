import { readFile } from 'node:fs/promises';
import { toHongKong, toSimplified } from '@jyutsing/text/script';

/** More than this slows every step of the search down and makes false alarms likelier. */
const MAX_HOTWORDS = 100;
const MIN_HOTWORD_CHARACTERS = 2;
const MAX_HOTWORD_CHARACTERS = 12;
/** A longer prompt takes room from the sound. */
const MAX_PROMPT_CHARACTERS = 200;

/** The symbols of a model's tokens.txt: `symbol number` a line. */
export async function readSymbols(path: string): Promise<ReadonlySet<string>> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return new Set(
    lines.map((line) => line.slice(0, Math.max(0, line.lastIndexOf(' ')))).filter((symbol) => symbol !== ''),
  );
}

/**
 * A free-form context as hotwords: its stretches of Chinese characters, written with the model's own tokens, as the library wants
 * them ("香 港/灣 仔"). Only known tokens pass: the library reads ":", "#" and "@" as commands, and a bad number behind them aborts
 * the process. Null when nothing usable is in it.
 */
export function hotwordsOf(context: string | null, symbols: ReadonlySet<string>): string | null {
  if (context === null) return null;
  const known = (phrase: string) => {
    for (const form of [phrase, toHongKong(phrase), toSimplified(phrase)]) {
      const characters = [...form];
      if (characters.every((character) => symbols.has(character))) return [characters.join(' ')];
    }
    return [];
  };
  const phrases = context.normalize('NFKC').match(/\p{Script=Han}+/gu) ?? [];
  const usable = phrases.filter((phrase) => {
    const { length } = [...phrase];
    return length >= MIN_HOTWORD_CHARACTERS && length <= MAX_HOTWORD_CHARACTERS;
  });
  const hotwords = [...new Set(usable.flatMap(known))].slice(0, MAX_HOTWORDS);
  return hotwords.length === 0 ? null : hotwords.join('/');
}

/** A free-form context as the words of a prompt: one line, no marks that steer a language model, not too long. */
export function promptOf(context: string | null): string | null {
  const words = (context ?? '').replaceAll(/[<>|\p{C}\p{Z}]+/gu, ' ').trim();
  const prompt = [...words].slice(0, MAX_PROMPT_CHARACTERS).join('');
  return prompt === '' ? null : prompt;
}
