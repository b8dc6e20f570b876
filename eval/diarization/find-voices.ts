import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { firstNumber } from '../pronunciation/held-out.ts';

/**
 * Split of speakers: speaker models are trained on `training`, thresholds are tuned on
 * `development`, and results are reported on `held-out` speakers, which are used for nothing else.
 */
export const SPEAKER_GROUPS = ['held-out', 'development', 'training'] as const;
export type SpeakerGroup = (typeof SPEAKER_GROUPS)[number];

/** One speaker with all their recordings; `table` is the TSV that lists them. */
export type Voice = { table: string; speaker: string; paths: string[] };

/**
 * Table whose speakers are partly excluded from training; must match training/speakers/people.py.
 */
const DEVELOPMENT_TABLE = 'eng-learners-train';

/** Assigns a speaker to a group by hashing the name, so that no list has to be kept. */
function groupOf(table: string, speaker: string): SpeakerGroup {
  if (firstNumber(`${table}/${speaker}`) % 7 === 0) return 'held-out';
  return table === DEVELOPMENT_TABLE && firstNumber(speaker) % 5 === 0 ? 'development' : 'training';
}

/** Speakers of one group in all TSV tables with columns `file` and `speaker`, sorted by name. */
export async function findVoices(folders: readonly string[], group: SpeakerGroup): Promise<Voice[]> {
  const voices = new Map<string, Voice>();
  for (const path of await filesIn(folders, '.tsv')) {
    const table = basename(path, '.tsv');
    const [header = '', ...lines] = (await readFile(path, 'utf8')).split(/\r?\n/);
    const columns = header.split('\t').map((name) => name.trim().toLowerCase());
    const [file, speaker] = [columns.indexOf('file'), columns.indexOf('speaker')];
    if (file < 0 || speaker < 0) continue;
    for (const line of lines) {
      const cells = line.split('\t');
      const name = cells[speaker]?.trim() ?? '';
      if (name === '' || groupOf(table, name) !== group) continue;
      const key = `${table}/${name}`;
      const voice = voices.get(key) ?? { table, speaker: name, paths: [] };
      voice.paths.push(resolve(dirname(path), cells[file] ?? ''));
      voices.set(key, voice);
    }
  }
  return [...voices.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, voice]) => voice);
}

/** Recordings with an RTTM file of the same name beside them, in the folders or one level below. */
export async function findAnnotated(folders: readonly string[]): Promise<{ path: string; rttmPath: string }[]> {
  const found: { path: string; rttmPath: string }[] = [];
  for (const rttmPath of await filesIn(folders, '.rttm')) {
    const name = basename(rttmPath, '.rttm');
    const beside = (await readdir(dirname(rttmPath))).find(
      (file) => /^(?!.*\.rttm$)/.test(file) && stem(file) === name,
    );
    if (beside !== undefined) found.push({ path: join(dirname(rttmPath), beside), rttmPath });
  }
  return found;
}

async function filesIn(folders: readonly string[], ending: string): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isFile() && entry.name.endsWith(ending)) paths.push(join(folder, entry.name));
      if (!entry.isDirectory()) continue;
      const inside = await readdir(join(folder, entry.name));
      paths.push(...inside.filter((name) => name.endsWith(ending)).map((name) => join(folder, entry.name, name)));
    }
  }
  return paths.sort();
}

function stem(file: string): string {
  return file.slice(0, file.lastIndexOf('.'));
}
