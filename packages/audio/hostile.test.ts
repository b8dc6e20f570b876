import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
// This test needs processes: the input may crash its reader.
// oxlint-disable-next-line no-restricted-imports
import { createWorkerPool, type WorkerPool } from '#server/workers/pool/worker-pool.ts';
import { RARE_FORMATS } from '#test/rare-formats.ts';
import { FIXTURE_FORMATS, noise, tones, writeSound } from '#testbed/sound/audio.ts';
import { mutate, randomFrom } from '#testbed/clients/mutated-files.ts';

/** `npm run stress -- fuzz` sends as many as there is time for. */
const FUZZED_FILES_PER_FORMAT = 10;
const FUZZED_FILES_PER_RARE_FORMAT = 3;
const ALLOWED = ['corrupt_audio', 'empty_audio', 'unsupported_audio_format', 'audio_too_long', 'no error'];
let folder = '';
let pool: WorkerPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-test-'));
  pool = openPool();
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

function openPool(): WorkerPool {
  return createWorkerPool({
    entry: new URL('../../test/support/audio-decode-entry.ts', import.meta.url),
    size: 1,
    maxPerKind: 1,
    spare: 1,
    memoryLimitBytes: 2 ** 30,
    startTimeoutMs: 20_000,
    idleTimeoutMs: null,
  });
}

async function last(work: WorkerPool, kind: string, path: string, timeLimitMs = 10_000): Promise<unknown> {
  const limits = { signal: new AbortController().signal, silenceTimeoutMs: timeLimitMs, timeLimitMs };
  let result: unknown = null;
  for await (const event of work.run({ kind, payload: { path } }, limits)) result = event;
  return result;
}

async function outcome(kind: string, path: string): Promise<string> {
  try {
    await last(pool, kind, path);
    return 'no error';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown);
  }
}

/** Decodes damaged copies of a file in all ways, and returns the codes that are not allowed. */
async function unexpectedCodes(original: string, files: number): Promise<{ seed: number; code: string }[]> {
  const bytes = await readFile(original);
  const unexpected: { seed: number; code: string }[] = [];
  for (let seed = 1; seed <= files; seed += 1) {
    const path = `${original}-${seed}`;
    await writeFile(path, mutate(bytes, randomFrom(seed)));
    const codes = [await outcome('probe', path), await outcome('decode', path), await outcome('stream', path)];
    for (const code of codes) if (!ALLOWED.includes(code)) unexpected.push({ seed, code });
    await rm(path);
  }
  return unexpected;
}

describe('damaged containers cause neither crashes, nor hangs, nor unlisted error codes', () => {
  it.each(FIXTURE_FORMATS)('%s', async (format) => {
    const original = join(folder, format);
    await writeSound(original, tones([{ frequencyHz: 440, durationMs: 2_000 }], 16_000), format);
    expect(await unexpectedCodes(original, FUZZED_FILES_PER_FORMAT)).toEqual([]);
  });

  it('all other formats', async () => {
    const unexpected: object[] = [];
    for (const { name, write, sampleRateHz = 48_000 } of RARE_FORMATS) {
      const original = join(folder, 'rare');
      await write(original, tones([{ frequencyHz: 440, durationMs: 500 }], sampleRateHz));
      for (const fault of await unexpectedCodes(original, FUZZED_FILES_PER_RARE_FORMAT)) {
        unexpected.push({ name, ...fault });
      }
    }
    expect(unexpected).toEqual([]);
  });
});

describe('a long recording takes no more memory than a short one', () => {
  it.each(['mp3', 'ogg-opus'] as const)('%s: a quarter of an hour against a minute', async (format) => {
    const minute = join(folder, `minute.${format}`);
    const quarter = join(folder, `quarter.${format}`);
    await writeSound(minute, noise(60_000, 0.2, 24_000), format);
    const bytes = await readFile(minute);
    const file = await open(quarter, 'w');
    for (let i = 0; i < 15; i += 1) await file.write(bytes);
    await file.close();
    const peaks: number[] = [];
    for (const path of [minute, quarter]) {
      const fresh = openPool();
      const result = (await last(fresh, 'decode', path, 50_000)) as { samples: number; maxRssBytes: number };
      expect(result.samples / 16_000).toBeGreaterThan(path === quarter ? 875 : 59);
      peaks.push(result.maxRssBytes);
      await fresh.close();
    }
    // The samples alone would take 58 MB.
    expect((peaks[1] ?? 0) - (peaks[0] ?? 0)).toBeLessThan(30 * 2 ** 20);
  });
});
