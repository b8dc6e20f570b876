import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withClarityJudges } from './clarity-judges.ts';

const builtinModelsDir = join(import.meta.dirname, '../../models');
const place = { enginesDir: '', env: { builtinModelsDir, modelsDir: '', settings: {} } };

const isSame = async (folder: string, file: string) =>
  (await readFile(join(folder, file))).equals(await readFile(join(builtinModelsDir, file)));

it('replaces the Chinese acoustic models alone, for as long as it measures', async () => {
  const judges = await withClarityJudges(place, async ({ env }) => {
    for (const file of ['yue/acoustic.onnx', 'cmn/acoustic.onnx', 'yue/acoustic.json'])
      expect([file, await isSame(env.builtinModelsDir, file)]).toEqual([file, false]);
    for (const file of ['eng/acoustic.onnx', 'yue/language-model.bin', 'language-identifier.json'])
      expect([file, await isSame(env.builtinModelsDir, file)]).toEqual([file, true]);
    return env.builtinModelsDir;
  });
  expect(existsSync(judges)).toBe(false);
  await expect(withClarityJudges(place, () => Promise.reject(new Error('no speech')))).rejects.toThrow('no speech');
});
