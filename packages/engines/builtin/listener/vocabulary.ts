import { readFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';

/** The tokens of the decoder: pieces of UTF-8, of which one may hold a part of a character only. */
export type Vocabulary = { size: number; bytes(token: number): Uint8Array };

/** Reads vocabulary.txt, a token a line in base64. Throws `engine_unavailable` without it. */
export async function readVocabulary(path: string): Promise<Vocabulary> {
  const lines = await readFile(path, 'latin1').catch((cause: unknown) => {
    throw new AppError('engine_unavailable', 'The vocabulary of the built-in recognizer is missing.', { cause });
  });
  const tokens = lines.trimEnd().split('\n');
  return { size: tokens.length, bytes: (token) => Buffer.from(tokens[token] ?? '', 'base64') };
}

/** Text of tokens in a row: its complete characters, and the bytes of one that is incomplete. */
export type TokenText = { text: string; rest: Uint8Array };

const NO_BYTES = new Uint8Array(0);
const LONGEST_CHARACTER = 4;

/** Decodes bytes up to the last complete character; null: they are no UTF-8. */
export function decodeTokens(before: Uint8Array, bytes: Uint8Array): TokenText | null {
  const all = before.length === 0 ? bytes : Buffer.concat([before, bytes]);
  for (let cut = 0; cut < Math.min(LONGEST_CHARACTER, all.length + 1); cut++) {
    const rest = all.subarray(all.length - cut);
    // The rest may only be the beginning of a character.
    if (cut > 0 && !isBeginning(rest)) continue;
    const text = decodeUtf8(all.subarray(0, all.length - cut));
    if (text !== null) return { text, rest: cut === 0 ? NO_BYTES : rest };
  }
  return null;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns true for the lead byte of a longer character and the bytes that follow it. */
function isBeginning(bytes: Uint8Array): boolean {
  const [lead = 0, ...following] = bytes;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  return bytes.length < length && following.every((byte) => byte >= 0x80 && byte < 0xc0);
}
