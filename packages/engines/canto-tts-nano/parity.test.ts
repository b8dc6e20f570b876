import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import { nanoBundleFiles } from '#test/canto-tts-nano/bundle-files.ts';
import { installTestModel } from '#test/sherpa-onnx/recognizer-models.ts';
import type { Codes } from './bundle.ts';
import { createDecoder } from './codec.ts';
import { createFrameGenerator, promptOf, type Sampling } from './generate-frames.ts';
import { openVoice } from './open-voice.ts';
import { frameLimit, preparedText } from './phoneme-text.ts';

/** The publisher's runtime spoke these (test/support/canto-tts-nano/make_golden.py). */
type Golden = {
  frameLimit: number;
  full: Record<string, number>;
  voices: Record<string, Codes>;
  cases: {
    mode: 'fixed' | 'full';
    voice: string;
    phonemes: string;
    prepared: string;
    tokens: number[];
    promptRows: number;
    seed: number;
    limit: number;
    frames: number[][];
    /** Every 997th sample of both channels. */
    everyPcm: [number, number][];
  }[];
};

const FRAMES_PER_SECOND = 12.5;
/** The least and most frames that are decoded at a time here. */
const CHUNKS = [1, 2, 4, 8];
let golden: Golden;
let folder = '';
beforeAll(async () => {
  const path = join(import.meta.dirname, '../../../test/support/canto-tts-nano/golden.json');
  golden = JSON.parse(await readFile(path, 'utf8')) as Golden;
  const modelsDir = await mkdtemp(join(tmpdir(), 'canto-tts-nano-'));
  await installTestModel(modelsDir, 'canto-tts-nano', nanoBundleFiles());
  folder = join(modelsDir, 'canto-tts-nano');
});
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }));

it.each(['fixed', 'full'] as const)(
  'with %s sampling, texts, tokens, prompts, frames and sound are those of the publisher',
  async (mode) => {
    const { voice, close } = await openVoice(folder, { sampling: mode, threads: 1 });
    const { bundle, graphs, tokenize } = voice;
    const generate = createFrameGenerator(bundle, graphs, mode === 'fixed' ? { mode } : fullSampling(golden.full));
    const wrong: string[] = [];
    const cases = golden.cases.filter((golden) => golden.mode === mode);
    for (const [index, expected] of cases.entries()) {
      const prepared = preparedText(expected.phonemes);
      const prompt = promptOf(bundle, golden.voices[expected.voice]!, tokenize(prepared));
      const random = createRandom(expected.seed);
      const signal = new AbortController().signal;
      const frames = await Array.fromAsync(generate(prompt, golden.frameLimit, random, signal));
      const found = {
        prepared,
        tokens: tokenize(prepared),
        promptRows: prompt.dims[1],
        limit: frameLimit(expected.phonemes, FRAMES_PER_SECOND),
        frames,
      };
      for (const [name, value] of Object.entries(found)) {
        if (JSON.stringify(value) !== JSON.stringify(expected[name as keyof typeof found])) {
          wrong.push(`${index} ${name}: ${JSON.stringify(value)}`);
        }
      }
      const sound = await decodeInChunks(bundle, graphs.codecDecode, frames);
      const difference = Math.max(0, ...expected.everyPcm.flat().map((sample, at) => Math.abs(sample - sound[at]!)));
      if (difference > 2 || sound.length !== expected.everyPcm.length * 2) wrong.push(`${index} sound: ${difference}`);
    }
    await close();
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(10);
    // Ends and cut-off draws both occur.
    expect(new Set(cases.map(({ frames }) => frames.length === golden.frameLimit)).size).toBe(2);
  },
);

function fullSampling(settings: Record<string, number>): Sampling {
  const draw = (kind: string) => ({
    temperature: settings[`${kind}_temperature`]!,
    topK: settings[`${kind}_top_k`]!,
    topP: settings[`${kind}_top_p`]!,
  });
  return { mode: 'full', text: draw('text'), audio: draw('audio'), penalty: settings['audio_repetition_penalty']! };
}

/** Every 997th sample of both channels, as 16-bit integers. */
async function decodeInChunks(...[bundle, graph, frames]: [...Parameters<typeof createDecoder>, Codes]) {
  const decode = createDecoder(bundle, graph);
  const pairs: [number, number][] = [];
  for (let at = 0, turn = 0; at < frames.length; turn += 1) {
    const count = CHUNKS[turn % CHUNKS.length]!;
    const { data, samples, stride } = await decode(frames.slice(at, at + count));
    for (let i = 0; i < samples; i += 1) pairs.push([data[i]!, data[stride + i]!]);
    at += count;
  }
  return pairs
    .filter((_pair, at) => at % 997 === 0)
    .flat()
    .map((sample) => Math.round(32_767 * Math.min(1, Math.max(-1, sample))));
}
