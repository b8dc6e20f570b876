import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { computeOf, isBuiltForCuda } from './variables.ts';

describe('the device of pulled models', () => {
  test('is the processor with one thread unless set otherwise', () => {
    expect(computeOf({})).toEqual({ threads: 1, provider: 'cpu' });
    expect(computeOf({ STT_THREADS: '4', MODELS_DEVICE: 'cpu' })).toEqual({ threads: 4, provider: 'cpu' });
  });

  // npm only has builds for processors.
  test.each(['cuda', 'gpu'])('%s is refused where it could not be used', (device) => {
    expect(() => computeOf({ MODELS_DEVICE: device })).toThrow('MODELS_DEVICE');
  });

  test('can be CUDA with a build that has its library', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sherpa-'));
    try {
      expect(isBuiltForCuda(folder)).toBe(false);
      await writeFile(join(folder, 'libonnxruntime_providers_cuda.so'), '');
      expect(isBuiltForCuda(folder)).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(isBuiltForCuda(null)).toBe(false);
  });
});
