import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { camPlusPlusFiles, pyannoteFiles } from '#test/sherpa-onnx/speaker-models.ts';

const entry = join(import.meta.dirname, '../../../test/support/sherpa-onnx/load-models-entry.ts');

it('sherpa-onnx runs the models for speaker segmentation and speaker embedding', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-other-'));
  await installTestModel(modelsDir, 'pyannote-segmentation-3.0', pyannoteFiles());
  await installTestModel(modelsDir, 'campplus-speaker', camPlusPlusFiles());
  const { stdout } = await promisify(execFile)(process.execPath, [entry, modelsDir]);
  await rm(modelsDir, { recursive: true });
  const { dimensions, isVector, speakers } = JSON.parse(stdout) as {
    dimensions: number;
    isVector: boolean;
    speakers: { start: number; end: number; speaker: number }[];
  };
  // A second of silence, 1.08 s of humming, a second of silence.
  expect([dimensions, isVector]).toEqual([192, true]);
  expect(speakers).toHaveLength(1);
  expect(speakers[0]?.speaker).toBe(0);
  expect(Math.abs((speakers[0]?.start ?? 0) - 1)).toBeLessThan(0.2);
  expect(Math.abs((speakers[0]?.end ?? 0) - 2.08)).toBeLessThan(0.2);
});
