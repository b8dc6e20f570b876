import { join } from 'node:path';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinWords } from '@jyutsing/text/join-words';
import { installedModelDir } from '#engines/runtime/model-files/installed.ts';
import type { Piece } from './pieces.ts';

/** Name of the punctuation package, which is used when it is installed. */
export const PUNCTUATION_PACKAGE = 'ct-transformer-punctuation';

/** Adds punctuation between the pieces of a speech segment; the pieces stay unchanged. */
export type Punctuator = { punctuate(pieces: readonly Piece[], language: Language): Piece[] };

const WIDE_TO_ENGLISH: Readonly<Record<string, string>> = { '，': ',', '。': '.', '？': '?', '、': ',' };
const MARK = /[，。？、！；：,.?!;:]/u;

/**
 * Opens the installed punctuation model; null when none is installed. A damaged model aborts the
 * process, as all native models do.
 */
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
 * Assigns the punctuation of a text to the pieces that it was made of; null when the words differ.
 * Spaces are ignored: the model inserts its own.
 */
export function takeMarks(pieces: readonly Piece[], punctuated: string, language: Language): Piece[] | null {
  const marked: Piece[] = [];
  let remaining = punctuated;
  for (const piece of pieces) {
    remaining = remaining.trimStart();
    // A word may have other spaces inside, but no other letters.
    for (const char of piece.text) {
      if (!remaining.trimStart().startsWith(char)) return null;
      remaining = remaining.trimStart().slice(char.length);
    }
    let after = '';
    for (remaining = remaining.trimStart(); MARK.test(remaining[0] ?? ''); remaining = remaining.slice(1).trimStart())
      after += remaining[0];
    marked.push({ ...piece, after: language === 'english' ? inEnglish(after) : after });
  }
  return remaining.trim() === '' ? marked : null;
}

function inEnglish(marks: string): string {
  return [...marks].map((mark) => WIDE_TO_ENGLISH[mark] ?? mark).join('');
}
