import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { createSpeechService } from './speech-service.ts';
import type { RenderSpeechFile, Speak, Speech } from './speech.ts';
import { audio, CLIENT_DISCONNECTED, speechOf, withStyle, word } from '#test/speech-parts.ts';

let incomingDir: string;
let calls: Speech[];
let renderCalls: Parameters<RenderSpeechFile>[0][];
beforeEach(async () => {
  incomingDir = await mkdtemp(join(tmpdir(), 'jyutsing-speech-'));
  calls = [];
  renderCalls = [];
});
afterEach(() => rm(incomingDir, { recursive: true, force: true }));

const SECOND = SYNTHESIS_SAMPLE_RATE_HZ;
const signal = new AbortController().signal;
const SHAPE = { format: 'wav', sampleRateHz: 24_000, enhance: false, durationMs: null } as const;

/**
 * Speaks a second for each character, divided by the speed if adjusted, and a pause of 0.1 s that
 * is never shortened.
 */
function speak(adjustsSpeed: boolean): Speak {
  return async function* (speech) {
    calls.push(speech);
    const text = speech.text.parts.map((part) => ('text' in part ? part.text : part.spokenForm)).join('');
    const lengthMs = 1_000 / (adjustsSpeed ? speech.style.speed : 1) + 100;
    for (const [index, char] of [...text].entries()) {
      if (char === '×') throw new AppError('engine_failed');
      yield audio(Math.round((lengthMs / 1_000) * SECOND), (index + 1) * 1_000);
      yield word(char, index * lengthMs, (index + 1) * lengthMs);
    }
  };
}

/** Writes a file whose duration follows from the tempo, times `off`. */
function renderSpeechFile(off = 1): RenderSpeechFile {
  return async (call) => {
    renderCalls.push(call);
    const { size } = await stat(call.inputPath);
    const durationMs = ((size / 4 / SECOND) * 1_000 * off) / call.tempo;
    await writeFile(call.outputPath, await readFile(call.inputPath), { flag: 'wx' });
    return { durationMs, sizeBytes: size };
  };
}

const service = (stages: { speak?: Speak; renderSpeechFile?: RenderSpeechFile } = {}) =>
  createSpeechService({
    speak: speak(false),
    renderSpeechFile: renderSpeechFile(),
    chooseModel: () => speechOf([]).model,
    concurrency: 2,
    incomingDir,
    ...stages,
  });

const endless: Speak = async function* (_, speakSignal) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    speakSignal.throwIfAborted();
    yield audio(2_400);
  }
};

const unending: Speak = async function* () {
  // Reaches 90 minutes in a few steps.
  for (;;) yield audio(10 * 60 * SECOND);
};

test('all pieces become one file with word times, and no other file is left', async () => {
  {
    await using file = await service().makeFile(
      speechOf(['早晨', '好']),
      { ...SHAPE, format: 'mp3', enhance: true },
      signal,
    );
    expect(await readdir(incomingDir)).toHaveLength(1);
    expect(file.path).toMatch(/\.mp3$/);
    const bytes = await readFile(file.path);
    const floats = new Float32Array(new Uint8Array(bytes).buffer);
    expect([floats.length, floats[0], floats[1.5 * SECOND], floats.at(-1)].map((x) => Math.fround(x!))).toEqual(
      [3 * 1.1 * SECOND, 1_000 / 32_768, 2_000 / 32_768, 1_000 / 32_768].map(Math.fround),
    );
    expect([file.durationMs, file.sizeBytes]).toEqual([3_300, bytes.length]);
    expect(file.words.map(({ text, startMs }) => [text, Math.round(startMs)])).toEqual([
      ['早', 0],
      ['晨', 1_100],
      ['好', 2_200],
    ]);
    expect(renderCalls).toMatchObject([
      { format: 'mp3', sampleRateHz: 24_000, tempo: 1, pitchSemitones: 0, enhance: true },
    ]);
  }
  expect(await readdir(incomingDir)).toEqual([]);
});

test('speed and pitch are adjusted by the model if it can, and otherwise while encoding', async () => {
  const changes = { speed: 2, pitchSemitones: -3 };
  await using byEncoding = await service().makeFile(withStyle(speechOf(['早晨']), changes), SHAPE, signal);
  const adjusts = { speed: true, pitch: true };
  await using byModel = await service({ speak: speak(true) }).makeFile(
    withStyle(speechOf(['早晨'], { adjusts }), changes),
    SHAPE,
    signal,
  );
  expect(calls.map(({ style: { speed, pitchSemitones } }) => [speed, pitchSemitones])).toEqual([
    [1, -3],
    [2, -3],
  ]);
  expect(renderCalls.map(({ tempo, pitchSemitones }) => [tempo, pitchSemitones])).toEqual([
    [2, -3],
    [1, 0],
  ]);
  expect([byEncoding.durationMs, Math.round(byModel.durationMs)]).toEqual([1_100, 1_200]);
  expect(byEncoding.words[1]).toMatchObject({ startMs: 550, endMs: 1_100 });
});

test.each([
  [0.25, 0.5, 0.5],
  [4, 3, 4 / 3],
])('the part of a speed of %d that exceeds the bounds of models is done by tempo', async (speed, spoken, tempo) => {
  const speech = withStyle(speechOf(['早'], { adjusts: { speed: true, pitch: false } }), { speed });
  await using _ = await service({ speak: speak(true) }).makeFile(speech, SHAPE, signal);
  expect(calls[0]?.style.speed).toBe(spoken);
  expect(renderCalls[0]?.tempo).toBeCloseTo(tempo);
});

test.each([
  ['a model that adjusts its speed speaks twice', true, 1.8, [1, 2.2 / 1.8], 0.03],
  ['a model that misses it speaks once more', true, 1.1, [1, 2, (2 * 1.2) / 1.1], 0.03],
  ['a model speaks no slower than it may', true, 4.4, [1, 0.5], 0.05],
  ['the audio of other models is stretched', false, 1.5, [1], 0.5],
  ['a small difference is corrected without speaking again', true, 2.22, [1], 0.03],
])('a requested duration: %s', async (_, adjustsSpeed, seconds, speeds, mostStretched) => {
  const speech = withStyle(speechOf(['早晨'], { adjusts: { speed: adjustsSpeed, pitch: false } }), { speed: 3 });
  const shape = { ...SHAPE, durationMs: seconds * 1_000 };
  await using file = await service({ speak: speak(adjustsSpeed) }).makeFile(speech, shape, signal);
  expect(Math.abs(file.durationMs - seconds * 1_000)).toBeLessThan(0.03 * seconds * 1_000);
  for (const [index, { style }] of calls.entries()) expect(style.speed).toBeCloseTo(speeds[index]!);
  expect(Math.abs(renderCalls[0]!.tempo - 1)).toBeLessThan(mostStretched);
  expect(calls).toHaveLength(speeds.length);
  expect(file.words.at(-1)?.endMs).toBeCloseTo(file.durationMs, 0);
});

test('a file that misses its duration is encoded once more', async () => {
  const speech = speechOf(['早晨']);
  await using file = await service({ renderSpeechFile: renderSpeechFile(1.04) }).makeFile(
    speech,
    { ...SHAPE, durationMs: 2_000 },
    signal,
  );
  expect(renderCalls).toHaveLength(2);
  expect(file.durationMs).toBeCloseTo(2_000);
});

test.each([true, false])('silence follows the slowest speech (a model that adjusts its speed: %s)', async (adjusts) => {
  const speech = speechOf(['早晨'], { adjusts: { speed: adjusts, pitch: false } });
  const shape = { ...SHAPE, durationMs: 30_000 };
  await using file = await service({ speak: speak(adjusts) }).makeFile(speech, shape, signal);
  // Two characters at half the speed; the pauses of this voice are never longer.
  const spokenMs = adjusts ? 2 * 2_100 : 2 * 2 * 1_100;
  expect(file.durationMs).toBeCloseTo(30_000);
  expect(file.paddingMs).toBeCloseTo(30_000 - spokenMs);
  expect(file.words.at(-1)?.endMs).toBeCloseTo(spokenMs);
  const sound = new Float32Array(new Uint8Array(await readFile(file.path)).buffer);
  const { tempo } = renderCalls[0]!;
  expect((sound.findLastIndex((sample) => sample !== 0) + 1) / SECOND).toBeCloseTo((spokenMs / 1_000) * tempo);
});

test.each([0.7, 125])('a duration of %d s for 2.2 s of speech is refused with the possible range', async (seconds) => {
  const making = service().makeFile(speechOf(['早晨']), { ...SHAPE, durationMs: seconds * 1_000 }, signal);
  await expect(making).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringContaining('0.8 to 124.4 seconds'),
  });
  expect(await readdir(incomingDir)).toEqual([]);
});

test.each<[string, Partial<{ speak: Speak; renderSpeechFile: RenderSpeechFile }>, readonly string[], string]>([
  ['the model at once', {}, ['×'], 'upstream_unavailable'],
  ['the model midway', {}, ['早×'], 'engine_failed'],
  [
    'the encoding',
    {
      renderSpeechFile: async ({ outputPath }) => {
        await writeFile(outputPath, 'half of it');
        throw new AppError('engine_failed');
      },
    },
    ['早'],
    'engine_failed',
  ],
])('a failure of %s leaves no file', async (_, stages, texts, code) => {
  await expect(service(stages).makeFile(speechOf(texts), SHAPE, signal)).rejects.toMatchObject({ code });
  expect(await readdir(incomingDir)).toEqual([]);
});

test('an abort ends the work with its reason and leaves no file', async () => {
  const aborting = new AbortController();
  const making = service({ speak: endless }).makeFile(speechOf(['早']), SHAPE, aborting.signal);
  setTimeout(() => aborting.abort(CLIENT_DISCONNECTED), 50);
  await expect(making).rejects.toBe(CLIENT_DISCONNECTED);
  expect(await readdir(incomingDir)).toEqual([]);
});

test('a model that never stops is aborted', async () => {
  await expect(service({ speak: unending }).makeFile(speechOf(['早']), SHAPE, signal)).rejects.toMatchObject({
    code: 'engine_failed',
  });
  expect(await readdir(incomingDir)).toEqual([]);
});

test('draining waits for files and streams, aborts those that take longer, and refuses new ones', async () => {
  const speech = service({
    speak: async function* (_, speakSignal) {
      for (let i = 0; i < 20; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        speakSignal.throwIfAborted();
        yield audio(100);
      }
    },
  });
  const short = speech.makeFile(speechOf(['早']), SHAPE, signal);
  const long = speech.makeFile(speechOf(Array.from({ length: 1_000 }, () => '早')), SHAPE, signal);
  const outcomes = Promise.allSettled([short, long]);
  await speech.drain(400);
  const [ended, cut] = await outcomes;
  expect(ended.status).toBe('fulfilled');
  expect(cut).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
  await expect(speech.stream(speechOf(['早']), signal).next()).rejects.toMatchObject({ code: 'service_unavailable' });
});
