import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ABILITIES } from '@jyutsing/contracts/abilities';
import { FFMPEG_MODULES } from '../../oxlint.config.ts';
import { exportsOf, readSourceFiles, ROOT, staticImportsOf } from '../../scripts/source-files.ts';

const files = new Map(readSourceFiles(['packages', 'server']).map((file) => [file.path, file]));

/** The registry loads these in every process. */
const engines = globSync(`packages/engines/*/{${ABILITIES.join(',')}}.ts`, { cwd: ROOT });

/** The shortest chain of static imports from a file to a library; null when there is none. */
function wayTo(library: string, start: string): string[] | null {
  const ways = new Map([[start, [start]]]);
  // A map yields the entries that are added while it is read.
  for (const [path, way] of ways) {
    const file = files.get(path);
    if (file === undefined) continue;
    const { files: imported, packages } = staticImportsOf(file);
    const found = packages.find((name) => name === library || name.startsWith(`${library}/`));
    if (found !== undefined) return [...way, found];
    for (const next of imported) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return null;
}

it.each([
  ['node-av', 'packages/audio/decode.ts'],
  ['opencc-js', 'packages/text/normalization/mandarin/add-pinyin.ts'],
])('no static import leads from the process that listens to %s', (library, user) => {
  expect(['server/main.ts', ...engines].map((path) => wayTo(library, path)).filter((way) => way !== null)).toEqual([]);
  // The walk finds the library where it is used.
  expect(wayTo(library, user)).not.toBeNull();
});

it('the walk reads the wiring and the tasks', () => {
  const wiring = ['server/service.ts', 'server/wiring/wire-workers.ts'].flatMap(
    (path) => staticImportsOf(files.get(path)!).files,
  );
  expect(wiring).toEqual(expect.arrayContaining(['server/jobs/transcribe.ts', 'server/workers/tasks/transcribe.ts']));
});

it('the linter knows every module of packages/audio that loads FFmpeg', () => {
  const loading = Object.entries(exportsOf('audio')).flatMap(([name, path]) =>
    wayTo('node-av', join('packages/audio', path)) === null ? [] : [name.slice(2)],
  );
  expect(loading.sort()).toEqual([...FFMPEG_MODULES, 'encoding/speech-encoder'].sort());
});
