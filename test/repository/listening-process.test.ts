import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FFMPEG_MODULES } from '../../oxlint.config.ts';
import { exportsOf, readSourceFiles, staticImportsOf } from '../../scripts/source-files.ts';

const files = new Map(readSourceFiles(['packages', 'server']).map((file) => [file.path, file]));

/** The shortest chain of static imports from a file to FFmpeg; null when there is none. */
function wayToFfmpeg(start: string): string[] | null {
  const ways = new Map([[start, [start]]]);
  // A map yields the entries that are added while it is read.
  for (const [path, way] of ways) {
    const file = files.get(path);
    if (file === undefined) continue;
    const { files: imported, packages } = staticImportsOf(file);
    const library = packages.find((name) => name.startsWith('node-av'));
    if (library !== undefined) return [...way, library];
    for (const next of imported) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return null;
}

it('no static import leads from the process that listens to FFmpeg', () => {
  expect(wayToFfmpeg('server/main.ts')).toBeNull();
  // The walk finds the decoder where it is used, and reads the wiring and the tasks.
  expect(wayToFfmpeg('packages/audio/decode.ts')).toContainEqual(expect.stringMatching(/^node-av/));
  const wiring = staticImportsOf(files.get('server/service.ts')!).files;
  expect(wiring).toEqual(expect.arrayContaining(['server/jobs/transcribe.ts', 'server/workers/tasks/transcribe.ts']));
});

it('the linter knows every module of packages/audio that loads FFmpeg', () => {
  const loading = Object.entries(exportsOf('audio')).flatMap(([name, path]) =>
    wayToFfmpeg(join('packages/audio', path)) === null ? [] : [name.slice(2)],
  );
  expect(loading.sort()).toEqual([...FFMPEG_MODULES, 'encoding/speech-encoder'].sort());
});
