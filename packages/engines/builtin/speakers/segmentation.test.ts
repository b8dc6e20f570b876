import { expect, it } from 'vitest';
import type { OnnxModel } from '#engines/runtime/onnx.ts';
import { findActive } from './segmentation.ts';

const RATE_HZ = 16_000;
const FRAMES = 293;

/**
 * A network for which the loudness of a sample tells who speaks: speaker 1 from 0.5, speaker 2 also
 * from 1; `windows` are the batches that it was given.
 */
function fakeNetwork(): { network: OnnxModel; windows: number[] } {
  const windows: number[] = [];
  const network = {
    run: async ({ samples }: { samples: { data: Float32Array; dims: readonly number[] } }) => {
      const [count = 0, length = 0] = samples.dims;
      windows.push(count);
      const data = new Float32Array(count * FRAMES * 3);
      for (let frame = 0; frame < count * FRAMES; frame += 1) {
        const at = Math.floor(frame / FRAMES) * length + 495 + (frame % FRAMES) * 270;
        const loudness = samples.data[at] ?? 0;
        data.set([0, loudness >= 0.5 ? 0.9 : 0.1, loudness >= 1 ? 0.8 : 0.05], frame * 3);
      }
      return { speakers: { data, dims: [count, FRAMES, 3] } };
    },
  } as unknown as OnnxModel;
  return { network, windows };
}

/** Silence, one speaker, two speakers, silence. */
const loudnessAt = (second: number) => (second < 3 ? 0 : second < 9 ? 0.5 : second < 11 ? 1 : 0);

it('the frames of a long sound come from windows that overlap, at the right time', async () => {
  const { network, windows } = fakeNetwork();
  const sound = Float32Array.from({ length: 13 * RATE_HZ }, (_, i) => loudnessAt(i / RATE_HZ));
  const { speech, overlap } = await findActive(network, sound);
  expect(windows).toEqual([4, 1]);
  expect(speech).toHaveLength(651);
  for (const [second, one, several] of [
    [2.9, 0.1, 0.05],
    [3.1, 0.9, 0.05],
    [8.9, 0.9, 0.05],
    [9.1, 0.9, 0.8],
    [10.9, 0.9, 0.8],
    [11.1, 0.1, 0.05],
    [13, 0.1, 0.05],
  ] as const) {
    expect(speech[second * 50]).toBeCloseTo(one, 5);
    expect(overlap[second * 50]).toBeCloseTo(several, 5);
  }
});

it('a sound shorter than a window is one window', async () => {
  const { network, windows } = fakeNetwork();
  const { speech } = await findActive(network, new Float32Array(RATE_HZ).fill(0.5));
  expect(windows).toEqual([1]);
  expect(speech).toHaveLength(51);
  expect(speech[25]).toBeCloseTo(0.9, 5);
});
