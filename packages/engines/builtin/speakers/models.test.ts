import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
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

it('the statistics of voices were learned with the network that ships', async () => {
  const network = await readFile(join(shipped, 'speakers/embedding.onnx'));
  const { embeddingSha256 } = JSON.parse(await readFile(join(shipped, 'speakers/voices.json'), 'utf8')) as {
    embeddingSha256: string;
  };
  expect(createHash('sha256').update(network).digest('hex')).toBe(embeddingSha256);
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
  ['speakers.json', '{"version":1,"sampleRateHz":8000,"frameMs":20,"embeddingSize":160}'],
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
