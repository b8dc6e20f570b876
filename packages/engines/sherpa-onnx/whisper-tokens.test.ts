import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeBytes, withByteTokens } from './whisper-tokens.ts';

describe('tokens of Whisper', () => {
  it('the encoded token table preserves all bytes and is deleted afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tokens-test-'));
    const bytes = [...Buffer.from('喺香港 hello')].map((byte) => Buffer.from([byte]));
    const lines = bytes.map((byte, index) => `${byte.toString('base64')} ${index}`);
    await writeFile(join(folder, 'tokens.txt'), `${lines.join('\n')}\n`);
    let seenPath = '';
    const tokens = await withByteTokens(join(folder, 'tokens.txt'), async (path) => {
      seenPath = path;
      const table = (await readFile(path, 'utf8')).trim().split('\n');
      return table.map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64').toString('utf8'));
    });
    expect(tokens.join('')).not.toContain('\ufffd');
    expect(decodeBytes(tokens.join(''))).toBe('喺香港 hello');
    expect(existsSync(seenPath)).toBe(false);
    await rm(folder, { recursive: true });
  });

  it('a partial character is dropped', () => {
    expect(decodeBytes('\u01e9\u01a6')).toBe('');
  });
});
