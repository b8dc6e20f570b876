import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Whisper writes bytes, and a character that is rare in its training (嘅, 喺, 咗) is two or three tokens. sherpa-onnx 1.13.8 drops what is not
 * valid UTF-8 token by token, so such characters would be lost. Here its table of tokens is replaced while the model is loaded: each
 * byte is written as a character of its own from U+0100 on, which passes, and the answer is read back.
 */
const FIRST_STAND_IN = 0x100;
const STAND_INS = /[\u0100-\u01ff]+/gu;

/** Calls `use` with a table of tokens like the one at `tokensPath` (base64 and number a line), in stand-ins; it is gone afterwards. */
export async function withStandInTokens<Value>(
  tokensPath: string,
  use: (standInPath: string) => Promise<Value>,
): Promise<Value> {
  const lines = (await readFile(tokensPath, 'utf8')).split('\n');
  const folder = await mkdtemp(join(tmpdir(), 'whisper-tokens-'));
  try {
    const path = join(folder, 'tokens.txt');
    await writeFile(path, lines.map(toStandIns).join('\n'));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text that stand-ins stand for; half a character is none. */
export function fromStandIns(text: string): string {
  return text.replaceAll(STAND_INS, (standIns) =>
    Buffer.from([...standIns].map((char) => (char.codePointAt(0) ?? 0) - FIRST_STAND_IN))
      .toString('utf8')
      .replaceAll('\ufffd', ''),
  );
}

function toStandIns(line: string): string {
  const [, token, number] = /^(\S+)\s+(\d+)\s*$/.exec(line) ?? [];
  if (token === undefined || number === undefined) return line;
  const standIns = String.fromCodePoint(...[...Buffer.from(token, 'base64')].map((byte) => FIRST_STAND_IN + byte));
  return `${Buffer.from(standIns).toString('base64')} ${number}`;
}
