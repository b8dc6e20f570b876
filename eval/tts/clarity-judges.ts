import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringKeptFile } from '../../scripts/kept-files.ts';
import type { EngineLocation } from '../tasks.ts';

/**
 * Acoustic models 0.2.0 of Cantonese and Mandarin (CC BY-SA 4.0, models/yue/README.md). Later ones
 * were trained with sentences in the voices of recorded syllables, and hear these better than they
 * deserve.
 */
const JUDGES = join(import.meta.dirname, 'judges/clarity');

/** Brings the networks of the judges, which the tree does not have, and returns their folder. */
export async function bringClarityJudges(): Promise<string> {
  for (const language of ['yue', 'cmn']) await bringKeptFile(`eval/tts/judges/clarity/${language}/acoustic.onnx`);
  return JUDGES;
}

/**
 * Calls `measure` with a folder of models like that of `place`, but with the acoustic models that
 * judge how clear our voices are, or those of `judgesDir`.
 */
export async function withClarityJudges<Result>(
  place: EngineLocation,
  measure: (place: EngineLocation) => Promise<Result>,
  judgesDir?: string,
): Promise<Result> {
  const judgesFolder = judgesDir ?? (await bringClarityJudges());
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-judges-'));
  try {
    const { builtinModelsDir } = place.env;
    for (const entry of await readdir(builtinModelsDir, { withFileTypes: true })) {
      const [shipped, judging] = [join(builtinModelsDir, entry.name), join(folder, entry.name)];
      if (!entry.isDirectory()) {
        await symlink(shipped, judging);
        continue;
      }
      await mkdir(judging);
      const judges: string[] = await readdir(join(judgesFolder, entry.name)).catch(() => []);
      for (const file of await readdir(shipped)) {
        await symlink(
          join(judges.includes(file) ? join(judgesFolder, entry.name) : shipped, file),
          join(judging, file),
        );
      }
    }
    return await measure({ ...place, env: { ...place.env, builtinModelsDir: folder } });
  } finally {
    await rm(folder, { recursive: true });
  }
}
