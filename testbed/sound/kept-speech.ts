import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '@jyutsing/system/replace-file';

/** A spoken word with its times. */
export type SpokenWord = { text: string; startMs: number; endMs: number };

/** Synthesized speech: mono samples of 16 bits. */
export type KeptSpeech = { samples: Int16Array; words: SpokenWord[] };

/**
 * Speech of all test processes. Starting the synthesizer takes seconds of processor time, and many
 * files speak the same sentences.
 */
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/test-speech');

/** Other speech after a change of the synthesizer or of the code that calls it. */
const VERSION = ['../../package-lock.json', 'espeak-speech.ts', 'kept-speech.ts'].map((file) =>
  createHash('sha256')
    .update(readFileSync(join(import.meta.dirname, file)))
    .digest('hex'),
);

/** Reads the speech of this request, or makes and keeps it. */
export async function keptSpeech(request: string, make: () => Promise<KeptSpeech>): Promise<KeptSpeech> {
  const name = createHash('sha256')
    .update(JSON.stringify([VERSION, request]))
    .digest('hex');
  const path = join(FOLDER, name);
  const bytes = await readFile(path).catch(() => null);
  if (bytes !== null) return parse(bytes);
  const speech = await make();
  mkdirSync(FOLDER, { recursive: true });
  // Other processes read the same folder.
  await replaceFile(path, serialize(speech));
  return speech;
}

/** The bytes of the samples, the words as JSON, and the length of the samples in 4 bytes. */
function serialize({ samples, words }: KeptSpeech): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(samples.byteLength);
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([sound, Buffer.from(JSON.stringify(words)), length]);
}

function parse(bytes: Buffer): KeptSpeech {
  const length = bytes.readUInt32LE(bytes.length - 4);
  const words = JSON.parse(bytes.toString('utf8', length, bytes.length - 4)) as SpokenWord[];
  return { samples: new Int16Array(new Uint8Array(bytes.subarray(0, length)).buffer), words };
}
