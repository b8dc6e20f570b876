import { readFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { fileRefusal } from './file-refusal.ts';

/**
 * Reads a text in UTF-8, in UTF-16 with its mark, or in Big5, which editors in Hong Kong still
 * write. Throws `invalid_parameter` for a file that cannot be read or is no such text.
 */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((failure: unknown) => {
    throw fileRefusal(path, 'read', failure);
  });
  const text = decoded(bytes);
  if (text !== null && !text.includes('\0')) return text;
  throw new AppError('invalid_parameter', `${path} is no text in UTF-8, UTF-16 or Big5; save it as UTF-8.`);
}

function decoded(bytes: Uint8Array): string | null {
  for (const encoding of encodingsOf(bytes)) {
    try {
      // Leaves out the mark at the beginning.
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Another encoding.
    }
  }
  return null;
}

function encodingsOf([first, second]: Uint8Array): string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  return ['utf-8', 'big5'];
}
