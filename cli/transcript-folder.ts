import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { replaceFile } from '@jyutsing/system/replace-file';
import { fileRefusal } from './file-refusal.ts';
import { prepareFile, prepareFolder } from './output-place.ts';

/** A folder of transcripts that knows what they were made from. */
export type TranscriptFolder = {
  placeFor(source: string, extension: string): Promise<Place>;
};

type Place = {
  /** The file is there, made with the same settings from a recording that has not changed. */
  isDone: boolean;
  /** Throws `invalid_parameter` when that is not possible. */
  write(content: string | Uint8Array): Promise<void>;
};

const LIST = '.jyutsing-transcripts.json';

/**
 * Opens or creates the folder. `settings`: whatever else decides about the content of its files.
 * Throws `invalid_parameter` when it cannot be written.
 */
export async function openTranscriptFolder(path: string, settings: string): Promise<TranscriptFolder> {
  await prepareFolder(path);
  const list = join(path, LIST);
  /** Origin by the name of the file. */
  const origins = await readOrigins(list);
  /** The source of each file by its name. */
  const taken = new Map<string, string>();
  let saving = Promise.resolve();
  const save = () => (saving = saving.then(() => replaceFile(list, `${JSON.stringify(origins, null, 2)}\n`)));

  return {
    async placeFor(source, extension) {
      const short = `${basename(source, extname(source)) || 'recording'}.${extension}`;
      // a.wav and a.mp3 in one folder become a.txt and a.mp3.txt.
      const isOthers = (taken.get(short) ?? source) !== source;
      const name = isOthers ? `${basename(source)}.${extension}` : short;
      taken.set(name, source);
      const file = join(path, name);
      const origin = createHash('sha256')
        .update(JSON.stringify([source, await stateOf(source), settings]))
        .digest('hex');
      return {
        isDone: origins[name] === origin && existsSync(file),
        async write(content) {
          await write(file, content);
          origins[name] = origin;
          await save();
        },
      };
    },
  };
}

/** In place of a folder, a file that one recording is always written to; throws the same. */
export async function openTranscriptFile(path: string): Promise<TranscriptFolder> {
  await prepareFile(path);
  return { placeFor: () => Promise.resolve({ isDone: false, write: (content) => write(path, content) }) };
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFile(path, content).catch((failure: unknown) => {
    throw fileRefusal(path, 'written', failure);
  });
}

async function readOrigins(path: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Size and time of a file; null for anything else. */
async function stateOf(source: string): Promise<[number, number] | null> {
  const found = await stat(source).catch(() => null);
  return found === null ? null : [found.size, found.mtimeMs];
}
