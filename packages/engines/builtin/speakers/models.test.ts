import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { unit } from '@jyutsing/audio/speaker-clustering/clustering';
import { engine } from '#engines/builtin/diarizer.ts';
import { openSpeakerModels, speakerModelsVersion } from './models.ts';
import { onlyModel } from '#test/only-model.ts';

const shipped = resolve(import.meta.dirname, '../../../../models');

/** Copies the shipped models, with another content of one file. */
async function withFile(file: string, content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'speaker-models-'));
  await cp(join(shipped, 'speakers'), join(folder, 'speakers'), { recursive: true });
  await writeFile(join(folder, 'speakers', file), content);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

it('the statistics of voices were learned with the networks that ship', async () => {
  const digest = createHash('sha256');
  for (const network of ['embedding.onnx', 'ge2e.onnx']) {
    digest.update(await readFile(join(shipped, 'speakers', network)));
  }
  const { networksSha256 } = JSON.parse(await readFile(join(shipped, 'speakers/voices.json'), 'utf8')) as {
    networksSha256: string;
  };
  expect(digest.digest('hex')).toBe(networksSha256);
});

it('the GE2E encoder gives what the Python package gives for the same sound', async () => {
  // A buzz of 130 Hz whose loudness changes four times a second.
  const buzz = Float32Array.from({ length: 24_000 }, (_, i) => {
    const harmonics = Array.from(
      { length: 29 },
      (_, h) => Math.sin((2 * Math.PI * 130 * (h + 1) * i) / 16_000) / (h + 1),
    );
    return 0.05 * harmonics.reduce((sum, value) => sum + value, 0) * (1 + Math.sin((2 * Math.PI * 4 * i) / 16_000));
  });
  const models = await openSpeakerModels(shipped, false);
  const [voice] = await models.voices([buzz]);
  await models.close();
  const ge2e = unit(voice!.subarray(160));
  // The largest values from Resemblyzer 0.1.4 with its level of -30 dB.
  const expected = { 246: 0.3492, 168: 0.2292, 251: 0.1988, 100: 0.1973, 213: 0.1961, 36: 0.1828 };
  for (const [index, value] of Object.entries(expected)) expect(ge2e[Number(index)]).toBeCloseTo(value, 2);
});

it('voices are vectors of length 1, the same in a batch as alone', async () => {
  const models = await openSpeakerModels(shipped);
  const sounds = [1, 2, 3].map((seed) =>
    Float32Array.from({ length: 24_000 }, (_, i) => Math.sin(i * 0.01 * seed) / 4),
  );
  const [first] = await models.voices(sounds.slice(0, 1));
  const batch = await models.voices(sounds);
  expect(batch).toHaveLength(3);
  expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
  for (const [index, value] of first!.entries()) expect(batch[0]![index]).toBeCloseTo(value, 3);
  await models.close();
});

it.each([
  ['speakers.json', '{'],
  ['speakers.json', '{"version":1,"sampleRateHz":8000,"frameMs":20,"embeddingSizes":{"embedding":160,"ge2e":256}}'],
  ['voices.json', '{"mean":"AAAA","projection":"","between":[]}'],
])('a damaged %s makes it unavailable, with a sentence', async (file, content) => {
  await using damaged = await withFile(file, content);
  await expect(openSpeakerModels(damaged.folder)).rejects.toMatchObject({ code: 'engine_unavailable' });
});

it('statistics of another network are reported', async () => {
  const encodedOne = Buffer.from(Float32Array.of(1).buffer).toString('base64');
  await using damaged = await withFile(
    'voices.json',
    JSON.stringify({ mean: encodedOne, projection: encodedOne, between: [1] }),
  );
  await expect(openSpeakerModels(damaged.folder)).rejects.toMatchObject({ code: 'engine_failed' });
});

it('missing files are reported, and other files are another version', async () => {
  const nowhere = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
  expect(onlyModel(engine, nowhere).availability).toMatchObject({ available: false });
  await expect(engine.open(nowhere, 'builtin')).rejects.toMatchObject({ code: 'engine_unavailable' });
  await using other = await withFile('voices.json', '{}');
  expect(speakerModelsVersion(other.folder)).not.toBe(speakerModelsVersion(shipped));
});
