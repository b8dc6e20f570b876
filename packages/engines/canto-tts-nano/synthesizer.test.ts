import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { encodeWav } from '@jyutsing/audio/wav';
import { loadEngines, SHIPPED_ENGINES_DIR } from '#engines/registry.ts';
import { nanoBundleFiles } from '#test/canto-tts-nano/bundle-files.ts';
import { installTestModel, type ModelFiles } from '#test/sherpa-onnx/recognizer-models.ts';
import { pieceOf, requestOf, soundOf, speakAll, voiceOf } from '#test/synthesis-requests.ts';
import { MODEL_NAME } from './packages.ts';
import { engine } from './synthesizer.ts';

const RATE_HZ = 24_000;
const SPEECH = 'MOSS-TTS-Nano-cantophon-ONNX';
const CODEC = 'MOSS-Audio-Tokenizer-Nano-ONNX';
const temporary: string[] = [];
let modelsDir = '';
const envOf = (dir: string, settings = {}) => ({ builtinModelsDir: '/nowhere', modelsDir: dir, settings });

async function install(files: ModelFiles): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'canto-tts-nano-'));
  temporary.push(dir);
  await installTestModel(dir, MODEL_NAME, files);
  return dir;
}
beforeAll(async () => {
  modelsDir = await install(nanoBundleFiles());
});
afterAll(() => Promise.all(temporary.map((dir) => rm(dir, { recursive: true, force: true }))));

/** 早晨。大家食咗飯未呀？ */
const PIECES = [
  pieceOf([['早晨=zou2.san4', 'statement']]),
  pieceOf([['大家=daai6.gaa1 食=sik6 咗=zo2 飯=faan6 未=mei6 呀=aa3', 'question']]),
];

async function speak(changes: Partial<SynthesisRequest> = {}, settings = {}, pieces = PIECES) {
  const synthesizer = await engine.open(envOf(modelsDir, settings), MODEL_NAME);
  try {
    return soundOf(await speakAll(synthesizer, requestOf(pieces, changes)));
  } finally {
    await synthesizer.close();
  }
}

/** A voice whose sample is a tone of some loudness. */
function voiceWith(level: number, seconds = 3) {
  const tone = Float32Array.from({ length: seconds * RATE_HZ }, (_, i) => level * Math.sin(i / 20));
  return { ...voiceOf(), reference: { wav: encodeWav(tone, RATE_HZ), transcript: null } };
}

describe('canto-tts-nano', () => {
  it('speaks whole frames and the pauses after pieces', async () => {
    const sound = await speak();
    const pauses = (0.4 + 0.24) * RATE_HZ;
    // A frame of 80 ms.
    expect((sound.length - pauses) % 1_920).toBe(0);
    expect(sound.length).toBeGreaterThan(pauses);
    expect(Math.max(...sound)).toBeGreaterThan(0.05);
  });

  it.each(['fixed', 'full'])(
    'gives the same sound for a seed and another for the next with %s sampling',
    async (mode) => {
      const settings = { TTS_NANO_SAMPLING: mode };
      const [first, again, other] = [
        await speak({}, settings),
        await speak({}, settings),
        await speak({ seed: 8 }, settings),
      ];
      expect(again).toEqual(first);
      expect(other).not.toEqual(first);
      expect(await speak({ temperature: 0, seed: 8 }, settings)).toEqual(await speak({ temperature: 0 }, settings));
    },
  );

  it('follows the temperature of a request with full sampling alone', async () => {
    expect(await speak({ temperature: 1.5 })).toEqual(await speak({ temperature: 0.9 }));
    const full = { TTS_NANO_SAMPLING: 'full' };
    expect(await speak({ temperature: 1.5 }, full)).not.toEqual(await speak({ temperature: 0.9 }, full));
  });

  it('speaks in the voice of a sample', async () => {
    const [soft, loud] = [await speak({ voice: voiceWith(0.1) }), await speak({ voice: voiceWith(0.8) })];
    expect(soft).not.toEqual(loud);
    expect(soft).not.toEqual(await speak());
  });

  it('refuses a sample that is shorter than a frame with a sentence', async () => {
    await expect(speak({ voice: voiceWith(0.5, 0.06) })).rejects.toMatchObject({
      code: 'unsuitable_sample',
      message: expect.stringContaining('3 to 15 seconds') as string,
    });
  });

  it('is silent for a text without a word, and refuses other languages', async () => {
    expect(Math.max(...(await speak({}, {}, [pieceOf([['😀', 'none']])])))).toBe(0);
    await expect(speak({ language: 'mandarin' })).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'The model "canto-tts-nano" does not speak mandarin.',
    });
  });

  it('ends at once when a client hangs up, and serves the next request', async () => {
    const synthesizer = await engine.open(envOf(modelsDir), MODEL_NAME);
    const hangUp = new AbortController();
    const long = requestOf(Array.from({ length: 200 }, () => PIECES[1]!));
    let events = 0;
    const spoken = (async () => {
      for await (const _ of synthesizer.synthesize(long, hangUp.signal)) {
        events += 1;
        if (events === 3) hangUp.abort(new Error('gone'));
      }
    })();
    await expect(spoken).rejects.toThrow('gone');
    expect(events).toBe(3);
    // An abort while a graph computes does not wait for it.
    const before = new AbortController();
    const next = synthesizer.synthesize(long, before.signal)[Symbol.asyncIterator]().next();
    before.abort(new Error('gone before the first sound'));
    await expect(next).rejects.toThrow('gone before the first sound');
    expect(soundOf(await speakAll(synthesizer, requestOf(PIECES))).length).toBeGreaterThan(0);
    await synthesizer.close();
    await synthesizer.close();
  });

  it('serves requests at a time as it serves them alone', async () => {
    const synthesizer = await engine.open(envOf(modelsDir), MODEL_NAME);
    const requests = [requestOf(PIECES), requestOf(PIECES.toReversed(), { voice: voiceWith(0.4) })];
    const together = await Promise.all(requests.map(async (request) => soundOf(await speakAll(synthesizer, request))));
    for (const [index, request] of requests.entries()) {
      expect(soundOf(await speakAll(synthesizer, request))).toEqual(together[index]);
    }
    await synthesizer.close();
  });
});

const modelWith = (settings: Record<string, string>) => engine.models(envOf(modelsDir, settings))[0]!;

describe('a choice of models', () => {
  it('takes it only where it is named', async () => {
    const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env: envOf(modelsDir) });
    const languages = { language: 'cantonese', clones: true } as const;
    expect(registry.selectAll('synthesizer', languages).map(({ model }) => model)).not.toContain(MODEL_NAME);
    expect(registry.select('synthesizer', { ...languages, model: MODEL_NAME }).model).toBe(MODEL_NAME);
  });

  it('has another version for other settings, which change its sound', () => {
    const settings = [{}, { TTS_NANO_QUALITY: '3' }, { TTS_NANO_SAMPLING: 'full' }];
    expect(new Set(settings.map((changed) => modelWith(changed).version)).size).toBe(3);
    expect(modelWith({ TTS_NANO_QUALITY: '3' }).capabilities.candidates).toBe(3);
  });

  it('says how to get it where it is not installed', () => {
    expect(engine.models(envOf('/nowhere'))[0]?.availability).toEqual({
      available: false,
      reason: 'not pulled: npm run models -- pull canto-tts-nano',
    });
  });
});

/** Changes a JSON file of the bundle. */
async function withChange(path: string, change: (json: Record<string, never>) => unknown): Promise<string> {
  const dir = await install(nanoBundleFiles());
  const file = join(dir, MODEL_NAME, path);
  const json = JSON.parse(await readFile(file, 'utf8')) as Record<string, never>;
  await writeFile(file, JSON.stringify(change(json)));
  return dir;
}
const MANIFEST = 'browser_poc_manifest.json';
const SPEECH_META = `${SPEECH}/tts_browser_onnx_meta.json`;
const CODEC_META = `${CODEC}/codec_browser_onnx_meta.json`;
type Json = Record<string, Record<string, unknown>>;
const set =
  (part: string, values: Record<string, unknown>) =>
  (json: Json): unknown => ({ ...json, [part]: { ...json[part], ...values } });

describe('a bad bundle is refused with one sentence', () => {
  it.each<[string, string, (json: Json) => unknown, string]>([
    [
      'a manifest without prompts',
      MANIFEST,
      (json) => ({ ...json, prompt_templates: undefined }),
      'its file browser_poc_manifest.json has no usable "prompt_templates"',
    ],
    ['another number of codebooks', MANIFEST, set('tts_config', { n_vq: 8 }), 'it has 8 codebooks in one file'],
    [
      'other codebooks of the codec',
      CODEC_META,
      set('codec_config', { num_quantizers: 32 }),
      'it has 32 codebooks in the codec',
    ],
    ['another rate', CODEC_META, set('codec_config', { sample_rate: 24_000 }), 'it has sound of 24000 Hz'],
    ['one channel', CODEC_META, set('codec_config', { channels: 1 }), 'it has 1 channels'],
    [
      'a size that is no number',
      SPEECH_META,
      set('model_config', { hidden_size: 'large' }),
      'its file tts_browser_onnx_meta.json has no usable "model_config.hidden_size"',
    ],
    [
      'a small vocabulary',
      SPEECH_META,
      set('model_config', { vocab_size: 10 }),
      'it has a token beyond its vocabulary',
    ],
    [
      'a default voice of other rows',
      MANIFEST,
      set('default_voice', { prompt_audio_codes: [[1, 2]] }),
      'it has a default voice of another shape',
    ],
    [
      'a state of another size',
      SPEECH_META,
      set('model_config', { hidden_size: 6 }),
      'its graphs are not as its description says',
    ],
    [
      'codebooks of another size',
      SPEECH_META,
      set('model_config', { audio_codebook_sizes: [65, 65, 65, 65] }),
      'its graphs are not as its description says',
    ],
    [
      'frames of another length',
      CODEC_META,
      set('codec_config', { downsample_rate: 1_920 }),
      'its codec makes frames of another length',
    ],
    [
      'states of the codec of another size',
      CODEC_META,
      set('streaming_decode', {
        transformer_offsets: [
          { input_name: 'transformer_offset_0', output_name: 'transformer_offset_out_0', shape: [2, 2] },
        ],
      }),
      'its graphs are not as its description says',
    ],
    [
      'a graph outside the folder',
      SPEECH_META,
      set('files', { prefill: '../../../etc/passwd' }),
      'it names a file outside its folder',
    ],
    [
      'an absolute path',
      MANIFEST,
      set('model_files', { tokenizer_model: '/etc/passwd' }),
      'it names a file outside its folder',
    ],
  ])('%s', async (_name, path, change, reason) => {
    const dir = await withChange(path, change as never);
    await expect(engine.open(envOf(dir), MODEL_NAME)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringMatching(
        new RegExp(`^The model canto-tts-nano cannot be used: ${reason.replaceAll(/[.]/g, '\\.')}[^.]*\\.$`),
      ) as string,
    });
  });

  it('other names of inputs or outputs', async () => {
    const names = ['global_hidden', 'present_key_7', 'present_value_7'];
    const dir = await withChange(SPEECH_META, set('onnx', { prefill_output_names: names }) as never);
    await expect(engine.open(envOf(dir), MODEL_NAME)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'The model file prefill.onnx has no "present_key_7", "present_value_7".',
    });
  });

  it('weights that are not beside their graph', async () => {
    const dir = await withChange(SPEECH_META, (json) => ({
      ...json,
      external_data_files: { 'prefill.onnx': ['moss_tts_global_shared.data'] },
    }));
    await expect(engine.open(envOf(dir), MODEL_NAME)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'The model file moss_tts_global_shared.data is missing on this server.',
    });
  });

  it('a missing, empty or damaged file, whichever it is', async () => {
    const files = nanoBundleFiles();
    const problems: string[] = [];
    for (const [path, content] of Object.entries(files)) {
      // The encoder is opened by the first voice.
      if (path.endsWith('/encode.onnx')) continue;
      for (const damage of ['missing', 'empty', 'cut off'] as const) {
        const { [path]: _, ...rest } = files;
        const cut = Buffer.from(content).subarray(0, Math.floor(content.length / 2));
        const dir = await install(damage === 'missing' ? rest : { ...rest, [path]: damage === 'empty' ? '' : cut });
        const settings = { TTS_NANO_SAMPLING: path.endsWith('/cached_step.onnx') ? 'full' : 'fixed' };
        const thrown = await engine.open(envOf(dir, settings), MODEL_NAME).catch((error: unknown) => error);
        const { code, message } = thrown as { code?: string; message?: string };
        const isSentence = /^The model [^.]*(?:\.\w+[^.]*)?\.$/.test(message ?? '') && !message?.includes(dir);
        if (!isSentence || (code !== 'engine_unavailable' && code !== 'engine_failed')) {
          problems.push(`${path} ${damage}: ${code} ${message}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('an encoder that is missing fails the requests for voices alone', async () => {
    const { [`${CODEC}/encode.onnx`]: _, ...rest } = nanoBundleFiles();
    const synthesizer = await engine.open(envOf(await install(rest)), MODEL_NAME);
    await expect(speakAll(synthesizer, requestOf(PIECES, { voice: voiceWith(0.4) }))).rejects.toMatchObject({
      message: 'The model file encode.onnx is missing on this server.',
    });
    expect(soundOf(await speakAll(synthesizer, requestOf(PIECES))).length).toBeGreaterThan(0);
    await synthesizer.close();
  });

  it('a wrong setting', async () => {
    const env = envOf(modelsDir, { TTS_NANO_SAMPLING: 'best' });
    await expect(engine.open(env, MODEL_NAME)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'The engine canto-tts-nano cannot be used: invalid value of TTS_NANO_SAMPLING.',
    });
    expect(engine.models(env)[0]?.availability).toEqual({
      available: false,
      reason: 'invalid value of TTS_NANO_SAMPLING',
    });
  });
});
