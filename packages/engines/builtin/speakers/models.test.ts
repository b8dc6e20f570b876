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

/** A sample of a buzz whose loudness changes `beats` times a second. */
function buzz(hz: number, beats: number, i: number): number {
  const harmonics = Array.from({ length: 29 }, (_, h) => Math.sin((2 * Math.PI * hz * (h + 1) * i) / 16_000) / (h + 1));
  const loudness = 0.05 * (1 + Math.sin((2 * Math.PI * beats * i) / 16_000));
  return loudness * harmonics.reduce((sum, value) => sum + value, 0);
}

it('the GE2E encoder gives what the Python package gives for the same sound', async () => {
  const sound = Float32Array.from({ length: 24_000 }, (_, i) => buzz(130, 4, i));
  const models = await openSpeakerModels(shipped, false);
  const [voice] = await models.voices([sound]);
  await models.close();
  const ge2e = unit(voice!.subarray(160));
  // The largest values from Resemblyzer 0.1.4 with its level of -30 dB.
  const expected = { 246: 0.3492, 168: 0.2292, 251: 0.1988, 100: 0.1973, 213: 0.1961, 36: 0.1828 };
  for (const [index, value] of Object.entries(expected)) expect(ge2e[Number(index)]).toBeCloseTo(value, 2);
});

it('the segmentation network gives what its publisher gives for the same sound', async () => {
  // A second of silence, a buzz of 130 Hz for two seconds, one of 230 Hz for a second, silence.
  const sound = Float32Array.from({ length: 80_000 }, (_, i) => {
    const second = Math.floor(i / 16_000);
    return second === 3 ? buzz(230, 3, i) : second === 1 || second === 2 ? buzz(130, 4, i) : 0;
  });
  const models = await openSpeakerModels(shipped);
  const { speech, overlap } = await models.active(sound);
  await models.close();
  expect(speech).toHaveLength(251);
  // From pyannote.audio's own layers with the published weights, between its frames.
  const expected = { 60: [0.9945, 0.2378], 100: [0.9975, 0.3082], 150: [0.9775, 0.8162], 170: [0.9571, 0.403] };
  for (const [frame, [one = 0, several = 0]] of Object.entries(expected)) {
    expect(speech[Number(frame)]).toBeCloseTo(one, 2);
    expect(overlap[Number(frame)]).toBeCloseTo(several, 2);
  }
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
