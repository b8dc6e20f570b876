import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/**
 * One forbidden line in one file of the tree; `allowed` lines are planted beside them as a control.
 */
const FORBIDDEN: readonly [folder: string, line: string][] = [
  ['packages/contracts', `import { a } from '@jyutsing/text/syllables/jyutping';`],
  ['packages/contracts', `import type { A } from '@jyutsing/concurrency/single-flight';`],
  ['packages/concurrency', `import { a } from '@jyutsing/audio/decode';`],
  ['packages/numeric', `import { a } from '@jyutsing/contracts/errors';`],
  ['packages/system', `import { a } from '@jyutsing/contracts/errors';`],
  ['packages/text', `import { a } from '@jyutsing/system/create-file';`],
  ['packages/text', `import type { A } from '@jyutsing/audio/decode';`],
  ['packages/text', `import { a } from '@jyutsing/engines/registry';`],
  ['packages/text', `import { a } from '#server/store/store.ts';`],
  ['packages/text', `import { a } from '#packages/audio/decode.ts';`],
  ['packages/text/summary', `import { a } from '../jyutping.ts';`],
  ['packages/audio', `import { a } from '@jyutsing/text/syllables/jyutping';`],
  ['packages/audio', `export const a = process.env['PATH'];`],
  ['packages/engines', `import { a } from '@jyutsing/server/main';`],
  ['packages/engines/builtin', `import { a } from '#engines/espeak/synthesizer.ts';`],
  ['packages/engines/builtin', `import type { A } from '#engines/registry.ts';`],
  ['packages/engines/builtin', `import { a } from '../registry.ts';`],
  ['packages/engines/builtin', `export const a = process.env['PATH'];`],
  ['packages/engines/youtube', `import { a } from '#engines/openai-compatible/recognizer.ts';`],
  ['packages/engines/youtube', `import { a } from '#testbed/service/service.ts';`],
  ['server/config', `import { a } from '#store/store.ts';`],
  ['server/telemetry', `import { a } from '#http/server.ts';`],
  ['server/certificates', `import { a } from '#store/store.ts';`],
  ['server/models', `import { a } from '#http/server.ts';`],
  ['server/process', `import { a } from '@jyutsing/engines/registry';`],
  ['server/wiring', `import { a } from '#http/server.ts';`],
  ['server/wiring', `import { a } from '#jobs/transcribe.ts';`],
  ['server/features/synthesis', `import { a } from '#http/server.ts';`],
  ['server/features/synthesis', `import { a } from '#store/store.ts';`],
  ['server/features/synthesis', `import type { A } from '#store/store.ts';`],
  ['server/features/synthesis', `import { a } from '#store/migrations/migrate.ts';`],
  ['server/features/synthesis', `import { a } from '#store/repositories/voices.ts';`],
  ['server/features/synthesis', `import { a } from '#queue/queue.ts';`],
  ['server/features/synthesis', `import { a } from '@jyutsing/engines/registry';`],
  ['server/store', `import { a } from '#queue/queue.ts';`],
  ['server/store', `import { a } from '@jyutsing/engines/registry';`],
  ['server/store', `export const a = process.env['DATABASE_URL'];`],
  ['server/queue', `import { a } from '#jobs/transcribe.ts';`],
  ['server/jobs', `import { a } from '#http/server.ts';`],
  ['server/jobs', `import { a } from '@jyutsing/engines/registry';`],
  ['server/mcp', `import { a } from '#http/server.ts';`],
  ['server/mcp', `import { a } from '@jyutsing/contracts/errors';`],
  ['server/http', `import { a } from '#jobs/transcribe.ts';`],
  ['server/http', `import { a } from '@jyutsing/engines/registry';`],
  ['server/http', `import { a } from '#workers/worker-pools.ts';`],
  ['server/http', `import { a } from '#workers/pool/worker-pool.ts';`],
  ['server/http', `import { a } from '#workers/engine-cache.ts';`],
  ['server/http', `import type { A } from '@jyutsing/engines/registry';`],
  ['server/jobs', `import { a } from '#workers/tasks/probe.ts';`],
  ['server/jobs', `import { a } from '@jyutsing/audio/decode';`],
  ['server/http', `import { a } from '@jyutsing/audio/speech/read-speech';`],
  ['server/http', `export const a = () => import('@jyutsing/audio/decode');`],
  ['server', `import { a } from '@jyutsing/audio/probe';`],
  ['server/features/synthesis', `import { a } from '#workers/tasks/probe.ts';`],
  ['console/screens', `import { a } from '@jyutsing/text/syllables/jyutping';`],
  ['console/screens', `import { a } from '#server/store/store.ts';`],
  ['cli', `import { a } from '../eval/score.ts';`],
  ['cli', `import { a } from '#testbed/service/service.ts';`],
  ['testbed/service', `import { a } from '#test/http/start-server.ts';`],
  ['testbed/service', `import { a } from '../../bench/report.ts';`],
  ['bench', `import { a } from '#test/http/start-server.ts';`],
  ['bench/tts', `import { a } from '../../stress/kill.ts';`],
  ['stress', `import { a } from '../eval/score.ts';`],
  ['stress/cluster', `import { a } from '#test/http/start-server.ts';`],
  ['eval/tts', `import { a } from '../../bench/report.ts';`],
  ['eval', `import type { A } from '#test/http/start-server.ts';`],
  ['training/voices', `import { a } from '../../bench/report.ts';`],
  ['training', `import { a } from '#test/http/start-server.ts';`],
  ['scripts', `import { a } from '../eval/score.ts';`],
  ['scripts', `import { a } from '#test/http/start-server.ts';`],
  ['examples', `import { a } from '../cli/run.ts';`],
];

const ALLOWED: readonly [folder: string, line: string][] = [
  ['packages/engines/builtin', `import { a } from '#engines/runtime/onnx.ts';`],
  ['packages/engines/builtin', `import { a } from '@jyutsing/audio/decode';`],
  ['packages/text', `import { a } from '@jyutsing/contracts/errors';`],
  ['server/features/synthesis', `import type { A } from '#store/repositories/voices.ts';`],
  ['server/jobs', `import { a } from '#store/store.ts';`],
  ['server/http', `import { a } from '#features/accounts/plans.ts';`],
  ['server/http', `import { a } from '#workers/tasks/probe.ts';`],
  ['server/http', `import type { A } from '#workers/worker-pools.ts';`],
  ['server/http', `import type { A } from '@jyutsing/audio/decode-stream';`],
  ['server/http', `import { a } from '@jyutsing/audio/wav';`],
  ['server/http', `export const a = () => import('@jyutsing/audio/encoding/speech-encoder');`],
  ['server/config', `export const a = process.env['PORT'];`],
  ['bench/tts', `import { a } from '#testbed/service/service.ts';`],
  ['stress', `import { a } from '../bench/report.ts';`],
  ['eval/tts', `import { a } from '../score.ts';`],
  ['cli', `import { a } from '#server/config/config.ts';`],
];

/** Two files of one package that import each other, once by value and once by type alone. */
const CYCLE = {
  'packages/text/planted-cycle-a.ts': `import { b } from '#text/planted-cycle-b.ts';\nexport const a = (): number => b();\n`,
  'packages/text/planted-cycle-b.ts': `import type { a } from '#text/planted-cycle-a.ts';\nexport const b = (f?: typeof a): number => f?.() ?? 1;\n`,
};

describe('the linter', () => {
  let folder: string;
  let refusals: Map<string, string[]>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jyutsing-lint-'));
    await copySkeleton(folder);
    const planted = [...FORBIDDEN, ...ALLOWED].map(
      ([place, line], index) => [plantedPath(place, index), line] as const,
    );
    for (const [path, line] of [...planted, ...Object.entries(CYCLE)]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), `${line}\n`);
    }
    refusals = await lint(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(FORBIDDEN.map(([place, line], index) => [place, line, plantedPath(place, index)]))(
    'in %s refuses %s',
    (_place, _line, path) => {
      expect(refusals.get(path)).toEqual([expect.stringMatching(/no-restricted-imports|no-process-env/)]);
    },
  );

  it.each(ALLOWED.map(([place, line], index) => [place, line, plantedPath(place, FORBIDDEN.length + index)]))(
    'in %s allows %s',
    (_place, _line, path) => {
      expect(refusals.get(path) ?? []).toEqual([]);
    },
  );

  it.each(Object.keys(CYCLE))('refuses an import cycle through %s, types included', (path) => {
    expect(refusals.get(path)).toEqual([expect.stringContaining('no-cycle')]);
  });
});

function plantedPath(place: string, index: number): string {
  return `${place}/planted-${index}.ts`;
}

/**
 * The linter's configuration computes its table from the folders, so the copy has the same folders,
 * without their files.
 */
async function copySkeleton(to: string): Promise<void> {
  for (const name of ['oxlint.config.ts', 'tsconfig.json', 'package.json']) await cp(join(ROOT, name), join(to, name));
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'));
  for (const parent of ['packages', 'server', 'packages/engines']) {
    for (const entry of await readdir(join(ROOT, parent), { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== 'node_modules') {
        await mkdir(join(to, parent, entry.name), { recursive: true });
      }
    }
  }
}

/** The rules that each file breaks, except the one about unused variables. */
async function lint(root: string): Promise<Map<string, string[]>> {
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const child = spawn(process.execPath, [linter, '--format=json', '.'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  const found = new Map<string, string[]>();
  for (const { code, filename } of diagnostics) {
    if (code.includes('no-unused-vars')) continue;
    found.set(filename, [...(found.get(filename) ?? []), code]);
  }
  return found;
}
