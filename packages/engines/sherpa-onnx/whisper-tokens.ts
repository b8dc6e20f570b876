import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * First character that stands for a byte. Whisper emits bytes, and characters that are rare in its
 * training data (嘅, 喺, 咗) are two or three tokens. sherpa-onnx 1.13.8 drops invalid UTF-8 per
 * token, so these characters would be lost. While the model loads, its token table is replaced by
 * one that encodes each byte as a character from U+0100 on, and the result is decoded.
 */
const FIRST_BYTE_CHARACTER = 0x100;
const BYTE_CHARACTERS = /[\u0100-\u01ff]+/gu;

/**
 * Calls `use` with a temporary token table in that encoding, made from the one at `tokensPath`
 * (base64 and number per line).
 */
export async function withByteTokens<Value>(
  tokensPath: string,
  use: (encodedPath: string) => Promise<Value>,
): Promise<Value> {
  const lines = (await readFile(tokensPath, 'utf8')).split('\n');
  const folder = await mkdtemp(join(tmpdir(), 'whisper-tokens-'));
  try {
    const path = join(folder, 'tokens.txt');
    await writeFile(path, lines.map(encodeLine).join('\n'));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Decodes characters to bytes; a partial character is dropped. */
export function decodeBytes(text: string): string {
  return text.replaceAll(BYTE_CHARACTERS, (encoded) =>
    Buffer.from([...encoded].map((char) => (char.codePointAt(0) ?? 0) - FIRST_BYTE_CHARACTER))
      .toString('utf8')
      .replaceAll('\ufffd', ''),
  );
}

function encodeLine(line: string): string {
  const [, token, number] = /^(\S+)\s+(\d+)\s*$/.exec(line) ?? [];
  if (token === undefined || number === undefined) return line;
  const encoded = String.fromCodePoint(...[...Buffer.from(token, 'base64')].map((byte) => FIRST_BYTE_CHARACTER + byte));
  return `${Buffer.from(encoded).toString('base64')} ${number}`;
}
