import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installedModelDir, MANIFEST_FILE } from './installed.ts';

/**
 * Returns the digest of a package's download, null when it is not installed. It is cached by the
 * modification time of the manifest, because every request needs it.
 */
export function installedDigest(modelsDir: string, name: string): string | null {
  const folder = installedModelDir(modelsDir, name);
  if (folder === null) return null;
  const path = join(folder, MANIFEST_FILE);
  try {
    const { mtimeMs } = statSync(path);
    const cached = digests.get(path);
    if (cached?.mtimeMs === mtimeMs) return cached.digest;
    const text = readFileSync(path, 'utf8');
    const sha256 = /"sha256":\s*"([0-9a-f]{64})"/i.exec(text)?.[1] ?? createHash('sha256').update(text).digest('hex');
    const digest = sha256.slice(0, 12);
    digests.set(path, { mtimeMs, digest });
    return digest;
  } catch {
    // The package was removed in the meantime.
    return null;
  }
}
const digests = new Map<string, { mtimeMs: number; digest: string }>();
