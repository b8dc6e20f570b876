import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { camPlusPlusFiles, pyannoteFiles, sileroFiles } from '#test/sherpa-onnx/speaker-models.ts';

const entry = join(import.meta.dirname, '../../../test/support/sherpa-onnx/load-models-entry.ts');

it('sherpa-onnx runs the models for voice activity, speaker segmentation and speaker embedding', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-other-'));
  await installTestModel(modelsDir, 'silero-vad', sileroFiles());
  await installTestModel(modelsDir, 'pyannote-segmentation-3.0', pyannoteFiles());
  await installTestModel(modelsDir, 'campplus-speaker', camPlusPlusFiles());
  const { stdout } = await promisify(execFile)(process.execPath, [entry, modelsDir]);
  await rm(modelsDir, { recursive: true });
  const { voices, dimensions, isVector, speakers } = JSON.parse(stdout) as {
    voices: { startMs: number; lengthMs: number }[];
    dimensions: number;
    isVector: boolean;
    speakers: { start: number; end: number; speaker: number }[];
  };
  // A second of silence, 1.08 s of humming, a second of silence.
  expect(voices).toHaveLength(1);
  expect(Math.abs((voices[0]?.startMs ?? 0) - 1_000)).toBeLessThan(300);
  expect(Math.abs((voices[0]?.lengthMs ?? 0) - 1_080)).toBeLessThan(500);
  expect([dimensions, isVector]).toEqual([192, true]);
  expect(speakers).toHaveLength(1);
  expect(speakers[0]?.speaker).toBe(0);
  expect(Math.abs((speakers[0]?.start ?? 0) - 1)).toBeLessThan(0.2);
  expect(Math.abs((speakers[0]?.end ?? 0) - 2.08)).toBeLessThan(0.2);
});
