import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { RecognitionEvent } from '@jyutsing/contracts/recognizer';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { engine } from './recognizer.ts';
import { toSegment } from './segment-text.ts';

const languageModel = join(import.meta.dirname, '../../../models/yue/language-model.bin');
let builtinModelsDir = '';
const around = () => ({ builtinModelsDir, modelsDir: '/nowhere', settings: {} });
const file = (name: string) => join(builtinModelsDir, 'yue', name);

beforeEach(async () => {
  builtinModelsDir = await mkdtemp(join(tmpdir(), 'builtin-test-'));
  await writeWhistledModels(builtinModelsDir, languageModel);
});
afterEach(() => rm(builtinModelsDir, { recursive: true, force: true }));

async function* chunksOf(samples: Float32Array): AsyncGenerator<PcmChunk> {
  for (let at = 0; at < samples.length; at += 8_000) {
    yield { samples: samples.slice(at, at + 8_000), sampleRateHz: 16_000, startMs: at / 16 };
  }
}

async function recognize(syllables: (string | null)[], romanize = false): Promise<RecognitionEvent[]> {
  const recognizer = await engine.open(around(), 'builtin');
  const sound = whistle(syllables).channels[0] ?? new Float32Array(0);
  const events: RecognitionEvent[] = [];
  const options = { language: 'cantonese', context: null, romanize } as const;
  for await (const event of recognizer.recognize(chunksOf(sound), options, new AbortController().signal)) {
    events.push(event);
  }
  await recognizer.close();
  return events;
}

const character = (startMs: number, endMs: number, confidence = 0.9) => ({
  text: '你',
  reading: 'nei5',
  startMs,
  endMs,
  confidence,
});

const textsOf = (events: RecognitionEvent[]) =>
  events.flatMap((event) => (event.type === 'segment-end' ? [event.segment.text] : []));

describe('from sound to text', () => {
  it('writes English words in Cantonese as words, each with one time, a space between two of them', async () => {
    const events = await recognize([null, 'bei2', 'go3', 'ji3', 'meu1', 'wi1', 'peot1', 'ngo5', null]);
    expect(textsOf(events)).toEqual(['畀個email report我']);
    const words = events.flatMap((event) => (event.type === 'segment-end' ? event.segment.words : []));
    expect(words.map(({ text, reading }) => `${text} ${reading}`)).toEqual([
      '畀 bei2',
      '個 go3',
      'email ji3 meu1',
      'report wi1 peot1',
      '我 ngo5',
    ]);
    words.slice(1).forEach(({ startMs }, index) => expect(startMs).toBeGreaterThanOrEqual(words[index]!.endMs));
  });

  it('returns words with readings, times in the recording and confidence', async () => {
    const events = await recognize([null, null, null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]);
    expect(textsOf(events)).toEqual(['香港人', '你好']);
    const segments = events.flatMap((event) => (event.type === 'segment-end' ? [event.segment] : []));
    expect(segments[0]?.words.map((word) => word.reading)).toEqual(['hoeng1', 'gong2', 'jan4']);
    expect(Math.abs((segments[0]?.words[1]?.startMs ?? 0) - 3_270)).toBeLessThan(120);
    expect(Math.abs((segments[1]?.startMs ?? 0) - 4_810)).toBeLessThan(120);
    expect(segments[0]?.confidence).toBeGreaterThan(0.5);
  });

  it('progress ends at the end of the recording', async () => {
    const events = await recognize([null, 'nei5', 'hou2', null]);
    expect(events.at(-1)).toEqual({ type: 'progress', stage: 'recognition', processedMs: 2_540 });
  });
});

describe('syllables beside the text', () => {
  const syllables = [null, null, null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null];

  it('come with each segment on request, in recording time, without changing the text', async () => {
    const events = await recognize(syllables, true);
    expect(textsOf(events)).toEqual(['香港人', '你好']);
    const recognized = events.flatMap((event) => (event.type === 'segment-end' ? [event.syllables ?? []] : []));
    expect(recognized.map((syllableList) => syllableList.map(({ alternatives }) => alternatives[0]?.reading))).toEqual([
      ['hoeng1', 'gong2', 'jan4'],
      ['nei5', 'hou2'],
    ]);
    expect(Math.abs((recognized[1]?.[0]?.startMs ?? 0) - 4_810)).toBeLessThan(120);
  });

  it('are null when they are not', async () => {
    const ends = (await recognize(syllables)).filter((event) => event.type === 'segment-end');
    expect(ends.map(({ syllables: recognized }) => recognized)).toEqual([null, null]);
  });
});

describe('an invalid model', () => {
  it.each(['acoustic.onnx', 'acoustic.json', 'language-model.bin'])(
    'missing %s is reported before use',
    async (name) => {
      await rm(file(name));
      expect(engine.models(around())[0]?.availability).toMatchObject({ available: false });
      await expect(recognize(['nei5'])).rejects.toMatchObject({ code: 'engine_unavailable' });
    },
  );

  it('a description of another shape is reported', async () => {
    await writeFile(file('acoustic.json'), '{"version":1}');
    await expect(recognize(['nei5'])).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('a description with other labels than the model fails the request', async () => {
    const labels = { onsets: ['b'], rimes: ['aa'] };
    const other = { version: 1, sampleRateHz: 16_000, frameMs: 30, labels, tones: [1, 2, 3, 4, 5, 6] };
    await writeFile(file('acoustic.json'), JSON.stringify(other));
    await expect(recognize([null, 'nei5', 'hou2', null])).rejects.toMatchObject({ code: 'engine_failed' });
  });

  it('a damaged model is reported without its path', async () => {
    await copyFile(file('acoustic.json'), file('acoustic.onnx'));
    await expect(recognize(['nei5'])).rejects.toMatchObject({
      code: 'engine_failed',
      message: 'The model file acoustic.onnx is damaged.',
    });
  });
});

describe('times', () => {
  const speech = { samples: new Float32Array(16_000), startMs: 1_000, speechStartMs: 1_200, speechEndMs: 1_700 };
  it('stay inside the audio and in order, whatever the decoder returns', () => {
    const segment = toSegment(
      speech,
      [character(-50, 400), character(300, 500), character(900, 1_500, 1.2)],
      'cantonese',
    );
    expect(segment?.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1_000, 1_400],
      [1_400, 1_500],
      [1_900, 2_000],
    ]);
    expect(segment).toMatchObject({ startMs: 1_000, endMs: 2_000 });
    expect(segment?.words[2]?.confidence).toBe(1);
  });

  it('an empty result gives no segment', () => {
    expect(toSegment(speech, [], 'cantonese')).toBeNull();
  });
});
