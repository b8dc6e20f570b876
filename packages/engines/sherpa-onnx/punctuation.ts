import { join } from 'node:path';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinWords } from '@jyutsing/text/join-words';
import { installedModelDir } from '#engines/runtime/model-files/installed.ts';
import type { Piece } from './pieces.ts';

/** The package of the catalogue that is used where it was pulled. */
export const PUNCTUATION_PACKAGE = 'ct-transformer-punctuation';

/** Puts marks between the pieces of a stretch of speech; the pieces stay as they are. */
export type Punctuator = { punctuate(pieces: readonly Piece[], language: Language): Piece[] };

const WIDE_TO_ENGLISH: Readonly<Record<string, string>> = { '，': ',', '。': '.', '？': '?', '、': ',' };
const MARK = /[，。？、！；：,.?!;:]/u;

/** The pulled punctuation model, or null where there is none. A damaged one aborts the process, as every native model does. */
export async function openPunctuator(modelsDir: string, threads: number): Promise<Punctuator | null> {
  const folder = installedModelDir(modelsDir, PUNCTUATION_PACKAGE);
  if (folder === null) return null;
  const { default: sherpa } = await import('sherpa-onnx-node');
  const native = new sherpa.OfflinePunctuation({
    model: { ctTransformer: join(folder, 'model.int8.onnx'), numThreads: threads, provider: 'cpu', debug: 0 },
  });
  return {
    punctuate(pieces, language) {
      if (pieces.length === 0) return [];
      return takeMarks(pieces, native.addPunct(joinWords(pieces.map(({ text }) => text))), language) ?? [...pieces];
    },
  };
}

/**
 * The marks of a punctuated text, hung on the pieces it was made of; null when the text is not theirs any more. Spaces do not count:
 * the model sets its own.
 */
export function takeMarks(pieces: readonly Piece[], punctuated: string, language: Language): Piece[] | null {
  const marked: Piece[] = [];
  let rest = punctuated;
  for (const piece of pieces) {
    rest = rest.trimStart();
    // A word may come back with other spaces inside, never with other letters.
    for (const char of piece.text) {
      if (!rest.trimStart().startsWith(char)) return null;
      rest = rest.trimStart().slice(char.length);
    }
    let after = '';
    for (rest = rest.trimStart(); MARK.test(rest[0] ?? ''); rest = rest.slice(1).trimStart()) after += rest[0];
    marked.push({ ...piece, after: language === 'english' ? inEnglish(after) : after });
  }
  return rest.trim() === '' ? marked : null;
}

function inEnglish(marks: string): string {
  return [...marks].map((mark) => WIDE_TO_ENGLISH[mark] ?? mark).join('');
}
