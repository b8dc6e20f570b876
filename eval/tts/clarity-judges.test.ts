import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withClarityJudges } from './clarity-judges.ts';

const builtinModelsDir = join(import.meta.dirname, '../../models');
const place = { enginesDir: '', env: { builtinModelsDir, modelsDir: '', settings: {} } };

const failToMeasure = () => Promise.reject(new Error('no speech'));
const isSame = async (folder: string, file: string) =>
  (await readFile(join(folder, file))).equals(await readFile(join(builtinModelsDir, file)));

/** Made-up judges: the real ones are in the history of the repository, which a clone may lack. */
let judgesDir: string;
beforeAll(async () => {
  judgesDir = await mkdtemp(join(tmpdir(), 'clarity-judges-'));
  for (const language of ['yue', 'cmn']) {
    await mkdir(join(judgesDir, language));
    for (const file of ['acoustic.onnx', 'acoustic.json']) await writeFile(join(judgesDir, language, file), language);
  }
});
afterAll(() => rm(judgesDir, { recursive: true }));

it('replaces the Chinese acoustic models alone, for as long as it measures', async () => {
  const measure = async ({ env }: typeof place) => {
    for (const file of ['yue/acoustic.onnx', 'cmn/acoustic.onnx', 'yue/acoustic.json'])
      expect([file, await isSame(env.builtinModelsDir, file)]).toEqual([file, false]);
    for (const file of ['eng/acoustic.onnx', 'yue/language-model.bin', 'language-identifier.json'])
      expect([file, await isSame(env.builtinModelsDir, file)]).toEqual([file, true]);
    expect(await readFile(join(env.builtinModelsDir, 'cmn/acoustic.onnx'), 'utf8')).toBe('cmn');
    return env.builtinModelsDir;
  };
  const folder = await withClarityJudges(place, measure, judgesDir);
  expect(existsSync(folder)).toBe(false);
  await expect(withClarityJudges(place, failToMeasure, judgesDir)).rejects.toThrow('no speech');
});
