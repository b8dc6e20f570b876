import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';
import { qwen3AsrFiles, whisperFiles } from '#test/sherpa-onnx/generative-models.ts';
import { hum } from '#test/sherpa-onnx/hum.ts';
import {
  installTestModel,
  senseVoiceFiles,
  transducerFiles,
  wenetCtcFiles,
  type ModelFiles,
} from '#test/sherpa-onnx/recognizer-models.ts';

/** Returns the package with one changed file. */
function damaged(files: ModelFiles, name: string, change: (content: Buffer) => Buffer | string): ModelFiles {
  return { ...files, [name]: change(Buffer.from(files[name] ?? '')) };
}

const MEL_BANDS = Buffer.from('n_mels');

/** Kinds of damage, each in the place of another package. */
const DAMAGES: readonly [string, string, () => ModelFiles][] = [
  ['noise for a model', 'wsyue-u2pp', () => damaged(wenetCtcFiles(), 'model.int8.onnx', () => randomBytes(100_000))],
  [
    'a model that was cut off',
    'sense-voice-2024',
    () => damaged(senseVoiceFiles(), 'model.int8.onnx', (content) => content.subarray(0, content.length >> 1)),
  ],
  [
    'a whole model of another type',
    'sense-voice-yue-2025',
    () => damaged(senseVoiceFiles(), 'model.int8.onnx', () => wenetCtcFiles()['model.int8.onnx'] ?? ''),
  ],
  [
    'tokens that are fewer than the model’s',
    'zipformer-cantonese',
    () => damaged(transducerFiles(), 'tokens.txt', () => '<blk> 0\n'),
  ],
  [
    'an empty file',
    'whisper-large-v3',
    () => damaged(whisperFiles('large-v3'), 'large-v3-decoder.int8.onnx', () => ''),
  ],
  [
    'a model that loads and cannot be run',
    'whisper-turbo',
    () =>
      damaged(whisperFiles('turbo'), 'turbo-encoder.int8.onnx', (content) => {
        content.write('129', content.indexOf(MEL_BANDS) + MEL_BANDS.length + 2);
        return content;
      }),
  ],
  [
    'a tokenizer that is no JSON',
    'qwen3-asr-0.6b',
    () => damaged(qwen3AsrFiles(), 'tokenizer/vocab.json', () => '{"a":'),
  ],
];

const hummed = wavBytes(hum([null, 0, 1, 2, 0, 1, 2, null]));
const whistled = wavBytes(whistle([null, 'hoeng1', 'gong2', 'jan4', null]));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let modelsDir = '';
let submissions = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  modelsDir = join(folder.path, 'models');
  for (const [, name, files] of DAMAGES) await installTestModel(modelsDir, name, files());
  await installTestModel(modelsDir, 'whisper-small', whisperFiles('small'));
  service = await startServiceHere(join(folder.path, 'data'), {
    MODELS_DIR: modelsDir,
    // The best model, loaded at start, is a damaged one.
    STT_ENGINE: 'auto',
    // A neural detector does not take humming for speech.
    STT_VAD: 'webrtc',
    WORKERS: '2',
  });
});

afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

async function transcribe(audio: Uint8Array, fields: Record<string, string>): Promise<Record<string, unknown>> {
  submissions += 1;
  // A unique hint prevents a cached answer.
  const submitted = await request(
    `${service.baseUrl}/api/stt`,
    submission(audio, { ...fields, context: `recording ${submissions}` }),
  );
  expect(submitted.status).toBe(200);
  return waitForResult(service.baseUrl, requestIdOf(submitted));
}

const builtin = () => transcribe(whistled, { model: 'builtin' });

describe('a damaged sherpa-onnx model', () => {
  it.each(DAMAGES)('fails only its request: %s', async (_damage, model) => {
    const [before, broken, meanwhile] = await Promise.all([builtin(), transcribe(hummed, { model }), builtin()]);
    const after = await builtin();
    expect([before, meanwhile, after].map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(broken['status']).toBe('failed');
    // The public message of engine_failed; details are only logged.
    expect(broken['error']).toMatch(/^The (speech engine failed on this request|model ".+" could not be loaded)\.$/);
    expect(JSON.stringify(broken)).not.toContain(folder.path);
  });

  it('gives a waiting caller status 500 with the same message', async () => {
    const fields = { model: 'wsyue-u2pp', wait_for_completion: 'true' };
    submissions += 1;
    const { status, body } = await request(`${service.baseUrl}/api/stt`, submission(hummed, fields));
    expect(status).toBe(500);
    expect(JSON.stringify(body)).toContain('engine_failed');
  });

  it('is tried once per request, and no job remains', async () => {
    let lines: string[] = [];
    const sumOf = (name: RegExp) =>
      lines.filter((line) => name.test(line)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    // The caller is answered just before the job is removed.
    for (let left = 50; left > 0 && (lines.length === 0 || sumOf(/^jyutsing_queue_jobs\{/) > 0); left -= 1) {
      if (lines.length > 0) await sleep(100);
      const metrics = await request(`${service.baseUrl}/metrics`, { headers: { 'x-api-key': OWNER_KEY } });
      lines = String(metrics.body['text']).split('\n');
    }
    expect(sumOf(/^jyutsing_transcriptions_total\{.*outcome="failed"/)).toBe(DAMAGES.length + 1);
    // Waiting time is recorded for every started job.
    expect(sumOf(/^jyutsing_queue_wait_seconds_count/)).toBe(submissions);
    expect(sumOf(/^jyutsing_queue_jobs\{/)).toBe(0);
  });

  it('leaves an intact model of the same engine working', async () => {
    const record = await transcribe(hummed, { model: 'whisper-small', lang: 'mandarin' });
    expect(record).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(record)).toContain('你好');
  });

  it('that aborts the process fails its request, and requests work again once it is removed', async () => {
    const name = 'ct-transformer-punctuation';
    await installTestModel(modelsDir, name, { 'model.int8.onnx': randomBytes(10_000) });
    const fields = { model: 'whisper-small', lang: 'mandarin' };
    const [aborted, meanwhile] = await Promise.all([transcribe(hummed, fields), builtin()]);
    expect([aborted['status'], meanwhile['status']]).toEqual(['failed', 'completed']);
    expect(service.output()).toContain('SIGABRT');
    await rm(join(modelsDir, name), { recursive: true });
    expect((await transcribe(hummed, fields))['status']).toBe('completed');
  });

  it('that is not installed is refused before anything is stored', async () => {
    const { status, body } = await request(
      `${service.baseUrl}/api/stt`,
      submission(hummed, { model: 'whisper-tiny', lang: 'mandarin' }),
    );
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain('npm run models -- pull whisper-tiny');
  });
});
