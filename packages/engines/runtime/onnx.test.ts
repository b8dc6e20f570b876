import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeOnnx } from '#test/onnx.ts';
import { encodeTypedOnnx, node } from '#test/sherpa-onnx/typed-onnx.ts';
import { openOnnxModel } from './onnx.ts';

const names = { inputs: ['x'], outputs: ['y'] };
const model = encodeOnnx({
  nodes: [{ op: 'Mul', inputs: ['x', 'factor'], outputs: ['y'] }],
  constants: [{ name: 'factor', dims: [1], data: Float32Array.of(3) }],
  inputs: [{ name: 'x', dims: [1, 'length'] }],
  outputs: [{ name: 'y', dims: [1, 'length'] }],
});
let folder = '';
const write = async (name: string, bytes: Buffer) => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onnx-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an ONNX model', () => {
  it('runs concurrent inferences of different lengths', async () => {
    const opened = await openOnnxModel(await write('times-three.onnx', model), names);
    const results = await Promise.all(
      [1, 5, 100].map((length) => opened.run({ x: { data: new Float32Array(length).fill(2), dims: [1, length] } })),
    );
    expect(results.map(({ y }) => [y?.dims, y?.data.at(-1)])).toEqual([
      [[1, 1], 6],
      [[1, 5], 6],
      [[1, 100], 6],
    ]);
    await opened.close();
  });

  it('counts in 32-bit integers, and takes its outputs as inputs of the next run', async () => {
    const counter = encodeTypedOnnx({
      nodes: [node('Add', ['count', 'count'], 'next'), node('Cast', ['next'], 'seconds', { to: 1 })],
      constants: [],
      inputs: [{ name: 'count', type: 'int32', dims: [1, 'length'] }],
      outputs: [
        { name: 'next', type: 'int32', dims: [1, 'length'] },
        { name: 'seconds', type: 'float', dims: [1, 'length'] },
      ],
      metadata: {},
    });
    const path = await write('counter.onnx', counter);
    const opened = await openOnnxModel(path, { inputs: ['count'], outputs: ['next', 'seconds'] });
    const first = await opened.runMixed({ count: { data: Int32Array.of(1, 3), dims: [1, 2] } });
    const second = await opened.runMixed({ count: first['next']! });
    expect(second['next']).toEqual({ data: Int32Array.of(4, 12), dims: [1, 2] });
    expect(second['seconds']?.data).toEqual(Float32Array.of(4, 12));
    // A caller that expects floats gets no integers.
    await expect(opened.run({ count: first['next']! })).rejects.toMatchObject({ code: 'engine_failed' });
    await opened.close();
  });

  it('that is missing or empty is unavailable', async () => {
    const missingPath = join(folder, 'missing.onnx');
    await expect(openOnnxModel(missingPath, names)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'The model file missing.onnx is missing on this server.',
    });
    const empty = await write('empty.onnx', Buffer.alloc(0));
    await expect(openOnnxModel(empty, names)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('with unexpected inputs is unavailable', async () => {
    const path = await write('other.onnx', model);
    await expect(openOnnxModel(path, { inputs: ['pcm'], outputs: ['y'] })).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'The model file other.onnx has no "pcm".',
    });
  });

  it('that is damaged fails with an error without the path', async () => {
    const path = await write('cut.onnx', model.subarray(0, model.length - 40));
    await expect(openOnnxModel(path, names)).rejects.toMatchObject({
      code: 'engine_failed',
      message: 'The model file cut.onnx is damaged.',
    });
  });

  it('fails only the request with a wrong shape', async () => {
    const opened = await openOnnxModel(await write('shape.onnx', model), names);
    const wrong = { x: { data: new Float32Array(4), dims: [2, 2] } };
    await expect(opened.run(wrong)).rejects.toMatchObject({ code: 'engine_failed' });
    const right = { x: { data: new Float32Array(4), dims: [1, 4] } };
    expect((await opened.run(right))['y']?.data).toHaveLength(4);
    await opened.close();
  });
});
