import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
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
  const made = await readList(list);
  /** The entries of this command: another one may write to the list too. */
  const entries: List = {};
  /** The source of each file by its name. */
  const taken = new Map<string, string>();
  let saving = Promise.resolve();
  const save = () =>
    (saving = saving.then(async () => {
      const all = { ...(await readList(list)), ...entries };
      await replaceFile(list, `${JSON.stringify(all, null, 2)}\n`);
    }));

  return {
    async placeFor(source, extension) {
      const from = nameOf(source, path);
      const short = `${basename(source, extname(source)) || 'recording'}.${extension}`;
      // a.wav and a.mp3 in one folder become a.txt and a.mp3.txt.
      const long = `${basename(source)}.${extension}`;
      const ownerOf = (name: string) => taken.get(name) ?? made[name]?.from ?? from;
      const name = [short, long].find((file) => made[file]?.from === from) ?? (ownerOf(short) === from ? short : long);
      taken.set(name, from);
      const file = join(path, name);
      const state = createHash('sha256')
        .update(JSON.stringify([await stateOf(source), settings]))
        .digest('hex');
      return {
        isDone: made[name]?.from === from && made[name].state === state && existsSync(file),
        async write(content) {
          await write(file, content);
          made[name] = entries[name] = { from, state };
          await save();
        },
      };
    },
  };
}

/** The source of each file by its name, with a digest of its state and the settings then. */
type List = Record<string, { from: string; state: string }>;

/** The same in whichever folder a command runs. */
function nameOf(source: string, folder: string): string {
  return /^https?:/i.test(source) ? source : relative(resolve(folder), resolve(source));
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

async function readList(path: string): Promise<List> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as List;
  } catch {
    return {};
  }
}

/** Size and time of a file; null for anything else. */
async function stateOf(source: string): Promise<[number, number] | null> {
  const found = await stat(source).catch(() => null);
  return found === null ? null : [found.size, found.mtimeMs];
}
