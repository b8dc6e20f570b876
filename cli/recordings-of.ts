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

const isRecordingName = (name: string): boolean => !name.startsWith('.') && EXTENSIONS.has(extname(name).toLowerCase());

/**
 * Puts the recordings of a folder, in the order of their names, in the place of each folder among
 * the sources. Throws `invalid_parameter` for a folder without any.
 */
export function recordingsOf(sources: readonly string[]): string[] {
  return sources.flatMap((source) => {
    if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) return [source];
    const names = readdirSync(source, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && isRecordingName(entry.name))
      .map(({ name }) => name)
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    if (names.length > 0) return names.map((name) => join(source, name));
    throw new AppError(
      'invalid_parameter',
      `The folder ${source} has no sound or video; its own folders are not read.`,
    );
  });
}
