import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DiarizationEvent, Diarizer } from '@jyutsing/contracts/diarizer';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import { camPlusPlusFiles, pyannoteFiles } from '#test/sherpa-onnx/speaker-models.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import { diarizeInBlocks } from './diarize-blocks.ts';
import { engine } from './diarizer.ts';
import { createVoiceLinker } from './link-voices.ts';
import { diarizationFiles, openNativeDiarization } from './native-diarization.ts';
import { onlyModel } from '#test/only-model.ts';

let modelsDir = '';
let diarizer: Diarizer;
const env = () => ({ builtinModelsDir: '/nowhere', modelsDir, settings: {} });
/** The sound has a second of silence, 1.08 s of humming, a second of silence. */
const sound = hum([null, 0, 1, 2, 3, null]).channels[0]!;

beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'sherpa-diarizer-'));
  await installTestModel(modelsDir, 'pyannote-segmentation-3.0', pyannoteFiles());
  await installTestModel(modelsDir, 'campplus-speaker', camPlusPlusFiles());
  diarizer = await engine.open(env(), 'sherpa-onnx');
});
afterAll(async () => {
  await diarizer.close();
  await rm(modelsDir, { recursive: true });
});

async function* chunks(samples: Float32Array, size = 8_000): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += size) {
    yield { samples: samples.slice(at, at + size), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

async function turnsOf(events: AsyncIterable<DiarizationEvent>) {
  const all = await Array.fromAsync(events);
  expect(all.filter(({ type }) => type === 'turns')).toHaveLength(1);
  const last = all.at(-1)!;
  return last.type === 'turns' ? last.turns : [];
}

const never = new AbortController().signal;

it('is available when both packages are installed, with a quality above the built-in one', () => {
  const { version, capabilities, availability } = onlyModel(engine, env());
  expect(availability).toEqual({ available: true });
  expect(onlyModel(engine, { ...env(), modelsDir: '/nowhere' }).availability).toEqual({
    available: false,
    reason: 'not pulled: npm run models -- pull pyannote-segmentation-3.0 campplus-zh-en',
  });
  expect(capabilities.quality).toBeGreaterThan(10);
  expect(version).toMatch(/^1-[0-9a-z]+-[0-9a-z]+$/);
});

it('uses the voices of Chinese and English where both models are installed', async () => {
  const before = onlyModel(engine, env()).version;
  const files = camPlusPlusFiles('3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx');
  await installTestModel(modelsDir, 'campplus-zh-en', { ...files, 'notes.txt': 'made up' });
  try {
    const opened = await engine.open(env(), 'sherpa-onnx');
    expect(await turnsOf(opened.diarize(chunks(sound), never))).toHaveLength(1);
    await opened.close();
    // The engine does not even read the other package.
    await rm(join(modelsDir, 'campplus-speaker', '3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx'));
    const alone = await engine.open(env(), 'sherpa-onnx');
    expect(await turnsOf(alone.diarize(chunks(sound), never))).toHaveLength(1);
    await alone.close();
  } finally {
    await rm(join(modelsDir, 'campplus-zh-en'), { recursive: true });
    await installTestModel(modelsDir, 'campplus-speaker', camPlusPlusFiles());
  }
  expect(onlyModel(engine, env()).version).toBe(before);
});

it('finds the turn of a speaker', async () => {
  const turns = await turnsOf(diarizer.diarize(chunks(sound), never));
  expect(turns).toHaveLength(1);
  expect(turns[0]!.speaker).toBe(0);
  expect(Math.abs(turns[0]!.startMs - 1_000)).toBeLessThan(200);
  expect(Math.abs(turns[0]!.endMs - 2_080)).toBeLessThan(200);
});

it('the threshold decides how many speakers there are, and is part of the version', async () => {
  const [low, high] = [0, 5].map((whistle) => Array.from({ length: 32 }, () => whistle));
  const twoVoices = hum([...low!, null, ...high!]).channels[0]!;
  const speakersWith = async (threshold: string, hints = {}) => {
    const settings = { DIARIZATION_THRESHOLD: threshold };
    const opened = await engine.open({ ...env(), settings }, 'sherpa-onnx');
    const turns = await turnsOf(opened.diarize(chunks(twoVoices), never, hints));
    await opened.close();
    return new Set(turns.map(({ speaker }) => speaker)).size;
  };
  expect(await speakersWith('0.000001')).toBeGreaterThan(1);
  expect(await speakersWith('1.9')).toBe(1);
  // The threshold of a request takes precedence over the server's.
  expect(await speakersWith('0.000001', { threshold: 1.9 })).toBe(1);
  expect(await speakersWith('1.9', { threshold: 0.000001 })).toBeGreaterThan(1);
  await expect(speakersWith('none')).rejects.toThrow('DIARIZATION_THRESHOLD');
  const changed = { ...env(), settings: { DIARIZATION_THRESHOLD: '0.9' } };
  expect(onlyModel(engine, changed).version).not.toBe(onlyModel(engine, env()).version);
});

it('silence, very short and empty recordings have no turns', async () => {
  for (const samples of [new Float32Array(32_000), sound.slice(0, 500), new Float32Array(0)]) {
    expect(await turnsOf(diarizer.diarize(chunks(samples), never))).toEqual([]);
  }
});

it('a voice has the same speaker number in all blocks of a long recording', async () => {
  const long = new Float32Array(sound.length * 4);
  for (let index = 0; index < 4; index += 1) long.set(sound, index * sound.length);
  const native = await openNativeDiarization(
    diarizationFiles(join(modelsDir, 'pyannote-segmentation-3.0'), join(modelsDir, 'campplus-speaker')),
    { compute: { threads: 1, provider: 'cpu' }, threshold: 0.5 },
  );
  const turns = await turnsOf(diarizeInBlocks(chunks(long, 7_001), native, never, {}, sound.length));
  expect(turns).toHaveLength(4);
  expect(turns.map(({ speaker }) => speaker)).toEqual([0, 0, 0, 0]);
  expect(turns.map(({ startMs }) => Math.floor(startMs / (sound.length / 16)))).toEqual([0, 1, 2, 3]);
});

it('an abort rejects at once, and the next recording is processed', async () => {
  const abort = new AbortController();
  const reason = { because: 'the client left' };
  const ended = turnsOf(diarizer.diarize(chunks(sound), abort.signal)).catch((thrown: unknown) => thrown);
  abort.abort(reason);
  expect(await ended).toBe(reason);
  expect(await turnsOf(diarizer.diarize(chunks(sound), never))).toHaveLength(1);
});

it('voices are matched one to one, the most similar first', () => {
  const linker = createVoiceLinker();
  const [ann, ben] = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)];
  expect(linker.link([ann, ben])).toEqual([0, 1]);
  expect(linker.link([Float32Array.of(0.1, 1, 0), Float32Array.of(1, 0.1, 0)])).toEqual([1, 0]);
  // Voices of one block are always different speakers; an unknown voice is a new speaker.
  expect(linker.link([Float32Array.of(0.9, 0.1, 0), ann, Float32Array.of(0, 0, 1)])).toEqual([2, 0, 3]);
});
