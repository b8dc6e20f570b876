import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';

/** Extensions of sound and video; files with another one in a folder are left alone. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'wav mp3 m4a flac ogg oga opus webm aac amr aiff aif caf wma mkv mov mp4 m4v m4b ac3 ape au dff dsf gsm mp2 mpc ra rm ' +
    'snd sph tta voc w64 wv avi flv mpg mpeg mxf ts m2ts vob 3gp'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
);

export const isRecordingName = (name: string): boolean =>
  !name.startsWith('.') && EXTENSIONS.has(extname(name).toLowerCase());

/**
 * Puts the recordings of a folder, in the order of their names, in the place of each folder among
 * the sources, and says which folders in it are not read. Throws `invalid_parameter` for a folder
 * without any recording.
 */
export function recordingsOf(sources: readonly string[], say: (sentence: string) => void): string[] {
  return sources.flatMap((source) => {
    if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) return [source];
    const entries = readdirSync(source, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const names = entries
      .filter((entry) => !entry.isDirectory() && isRecordingName(entry.name))
      .map(({ name }) => name)
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    if (names.length > 0) {
      const paths = folders.map(({ name }) => join(source, name)).join(', ');
      if (paths !== '') say(`Folders within a folder are not read; name them too: ${paths}`);
      return names.map((name) => join(source, name));
    }
    throw new AppError(
      'invalid_parameter',
      `The folder ${source} has no sound or video; its own folders are not read.`,
    );
  });
}
