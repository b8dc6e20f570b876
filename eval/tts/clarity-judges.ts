import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineLocation } from '../tasks.ts';

/**
 * Acoustic models 0.2.0 of Cantonese and Mandarin (CC BY-SA 4.0, models/yue/README.md). Later ones
 * were trained with sentences in the voices of recorded syllables, and hear these better than they
 * deserve.
 */
const JUDGES = join(import.meta.dirname, 'judges/clarity');

/**
 * Calls `measure` with a folder of models like that of `place`, but with the acoustic models that
 * judge how clear our voices are.
 */
export async function withClarityJudges<Result>(
  place: EngineLocation,
  measure: (place: EngineLocation) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-judges-'));
  try {
    const { builtinModelsDir } = place.env;
    for (const entry of await readdir(builtinModelsDir, { withFileTypes: true })) {
      const [own, judged] = [join(builtinModelsDir, entry.name), join(folder, entry.name)];
      if (!entry.isDirectory()) {
        await symlink(own, judged);
        continue;
      }
      await mkdir(judged);
      const judges: string[] = await readdir(join(JUDGES, entry.name)).catch(() => []);
      for (const file of await readdir(own)) {
        await symlink(join(judges.includes(file) ? join(JUDGES, entry.name) : own, file), join(judged, file));
      }
    }
    return await measure({ ...place, env: { ...place.env, builtinModelsDir: folder } });
  } finally {
    await rm(folder, { recursive: true });
  }
}
