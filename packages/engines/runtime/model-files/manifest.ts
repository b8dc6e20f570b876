import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { installedModelDir, MANIFEST_FILE } from './installed.ts';

const Manifest = z.object({
  format: z.literal(1),
  name: z.string(),
  /** URL in the catalogue, even when a mirror was used. */
  url: z.string(),
  /** SHA-256 of the download; of a folder, that of the list of its files (`listDigest`). */
  sha256: z.string(),
  installedAt: z.string(),
  files: z.array(z.object({ path: z.string(), sizeBytes: z.number(), sha256: z.string() })),
});

/** All files of an installed package with size in bytes and SHA-256. */
type ModelManifest = z.infer<typeof Manifest>;
export type ManifestFile = ModelManifest['files'][number];

/** Reads the manifest of a package's folder; null when it is missing or invalid. */
export async function readManifest(folder: string): Promise<ModelManifest | null> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Writes the manifest and flushes it to disk. */
export async function writeManifest(folder: string, manifest: ModelManifest): Promise<void> {
  const file = await open(join(folder, MANIFEST_FILE), 'w');
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Lists the names of all installed packages, including those that are no longer in a catalogue. */
export function installedNames(modelsDir: string): string[] {
  try {
    return readdirSync(modelsDir)
      .filter((name) => installedModelDir(modelsDir, name) !== null)
      .sort();
  } catch {
    return [];
  }
}

type FileProblem = { path: string; problem: 'missing' | 'damaged' };

/** Finds missing files and wrong sizes without reading contents. */
export async function findMissingFiles(folder: string, manifest: ModelManifest): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const { path, sizeBytes } of manifest.files) {
    const size = await stat(join(folder, path)).then(
      (stats) => (stats.isFile() ? stats.size : null),
      () => null,
    );
    if (size === null) problems.push({ path, problem: 'missing' });
    else if (size !== sizeBytes) problems.push({ path, problem: 'damaged' });
  }
  return problems;
}

/**
 * Verifies every file of an installed package; empty when all are intact. Throws `not_found` when
 * it is not installed.
 */
export async function verifyModel(modelsDir: string, name: string, signal: AbortSignal): Promise<FileProblem[]> {
  const folder = installedModelDir(modelsDir, name);
  if (folder === null) throw new AppError('not_found', `${name} is not installed.`);
  const manifest = await readManifest(folder);
  if (manifest === null) return [{ path: MANIFEST_FILE, problem: 'damaged' }];
  const problems = await findMissingFiles(folder, manifest);
  for (const file of manifest.files) {
    if (problems.some(({ path }) => path === file.path)) continue;
    const actualSha256 = await sha256OfFile(join(folder, file.path), signal).catch(() => {
      signal.throwIfAborted();
      // An unreadable file counts as damaged.
      return null;
    });
    if (actualSha256 !== file.sha256) problems.push({ path: file.path, problem: 'damaged' });
  }
  return problems;
}

/** Computes the SHA-256 of a file in hexadecimal, read as a stream. */
export async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
