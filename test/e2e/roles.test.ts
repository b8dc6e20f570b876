import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { wavVariant } from '#testbed/sound/wav-variants.ts';
import { startOtlpCollector } from '#test/otlp-collector.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { PRINT_TELEMETRY_LOADS } from '#test/print-telemetry-loads.ts';
import { startWebhookReceiver } from '#testbed/servers/webhook-receiver.ts';
import { synthesize } from '#testbed/clients/pronunciation-scoring.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#testbed/service/service.ts';
import { installTestModel, wenetCtcFiles } from '#test/sherpa-onnx/recognizer-models.ts';
import { buildConsole } from '../../scripts/build-console.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');
/** Only a process of the class gpu transcribes with it. */
const LARGE_MODEL = 'wsyue-u2pp';
const HEADERS = { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' };

async function metrics({ baseUrl }: Service): Promise<string> {
  return (await fetch(`${baseUrl}/metrics`)).text();
}

async function rolesOf({ baseUrl }: Service): Promise<unknown> {
  return (await request(`${baseUrl}/health`)).body['roles'];
}

function speech({ baseUrl }: Service, body: object = { text: '早晨' }) {
  return request(`${baseUrl}/api/tts`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
}

function submit({ baseUrl }: Service, audio: Uint8Array) {
  return request(`${baseUrl}/api/stt`, submission(audio, { skip_fusion: 'true' }));
}

function changeCorpora({ baseUrl }: Service, method: string, path: string, fields: object) {
  return request(`${baseUrl}/api/corpora${path}`, { method, headers: HEADERS, body: JSON.stringify(fields) });
}

/** Returns the statuses of the pages whose addresses the service printed. */
function statusOfPages({ output }: Service): Promise<number[]> {
  const printed = output().matchAll(/(?:console|API reference): (http[^\s,)]+)/g);
  return Promise.all(Array.from(printed, async ([, url = '']) => (await fetch(url)).status));
}

describe.each(postgres)('processes with roles of their own on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let api: Service;
  let worker: Service;
  let collector: Awaited<ReturnType<typeof startOtlpCollector>>;
  let audio: Uint8Array;
  let common: Record<string, string>;
  /** The answer to a recording that was accepted while no process transcribes. */
  let accepted: Awaited<ReturnType<typeof request>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    collector = await startOtlpCollector();
    opened = await database.open();
    audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
    const modelsDir = join(folder.path, 'models');
    await installTestModel(modelsDir, LARGE_MODEL, wenetCtcFiles());
    common = {
      DATABASE_URL: opened.databaseUrl ?? '',
      WORKERS: '1',
      MODELS_DIR: modelsDir,
      STT_ENGINE: 'builtin',
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      NODE_OPTIONS: PRINT_TELEMETRY_LOADS,
      QUEUE_CLASS_MODELS: `gpu=${LARGE_MODEL}`,
    };
    api = await startService(folder.path, { ...common, ROLES: 'api' });
    accepted = await submit(api, audio);
    worker = await startService(folder.path, { ...common, ROLES: ' Transcribe,speak,deliver,housekeeping' });
  });
  afterAll(async () => {
    await Promise.all([worker.kill(), api.kill()]);
    await collector.close();
    await opened.close();
    await folder[Symbol.asyncDispose]();
  });

  it('say what they do', async () => {
    expect(await rolesOf(api)).toEqual(['api']);
    expect(await rolesOf(worker)).toEqual(['transcribe', 'speak', 'deliver', 'housekeeping']);
    expect(await metrics(api)).toContain('jyutsing_role{role="api"} 1\n');
    expect(await metrics(worker)).toContain('jyutsing_role{role="deliver"} 1\n');
    expect(await metrics(worker)).not.toContain('role="api"');
  });

  it('print the addresses of pages that they answer', async () => {
    expect(await statusOfPages(api)).toEqual([200, 200]);
    expect(await statusOfPages(worker)).toEqual([]);
    expect(worker.output()).toContain(`listening on ${worker.baseUrl}`);
  });

  it('transcribe with the role transcribe what one with the role api accepted', async () => {
    expect(accepted.status).toBe(200);
    const record = await waitForResult(api.baseUrl, requestIdOf(accepted));
    expect(record['status']).toBe('completed');
    expect(await metrics(worker)).toMatch(/^jyutsing_transcriptions_total\{.*outcome="completed".*\} 1$/m);
    expect(await metrics(api)).not.toMatch(/^jyutsing_transcriptions_total\{/m);
  });

  it('refuse requests of other roles with a sentence that names the role, so that a client asks again', async () => {
    const refused = [await speech(api), await submit(worker, audio)];
    expect(refused.map(({ status, headers }) => [status, headers.has('retry-after')])).toEqual([
      [503, true],
      [503, true],
    ]);
    expect(refused.map(({ body }) => body['message'])).toEqual([
      'This process does not answer such requests; send them to one whose ROLES contain speak.',
      'This process does not answer such requests; send them to one whose ROLES contain api.',
    ]);
    expect((await speech(worker)).status).toBe(200);
  });

  it('transcribe with the entries that another process has just given a corpus', async () => {
    const name = '岑灝賢';
    const introduction = wavBytes(await speak('ngo5 giu3 sam4 hou6 jin4'));
    const created = await changeCorpora(api, 'POST', '', { name: '同事', entries: [] });
    const { id } = created.body['corpus'] as { id: string };
    const transcribed = async () => {
      const answer = await request(`${api.baseUrl}/api/stt`, submission(introduction, { corpus_ids: id }));
      const record = await waitForResult(api.baseUrl, requestIdOf(answer));
      return JSON.stringify(record['fused_transcription']);
    };
    expect(await transcribed()).not.toContain(name);
    const entries = [{ text: name, jyutping: 'sam4 hou6 jin4' }];
    expect((await changeCorpora(api, 'PUT', `/${id}`, { entries, version: 1 })).status).toBe(200);
    expect(await transcribed()).toContain(name);
    expect((await changeCorpora(api, 'PUT', `/${id}`, { entries: [], version: 2 })).status).toBe(200);
    expect(await transcribed()).not.toContain(name);
  });

  it('speak with a voice as soon as another process has made it, until that has deleted it', async () => {
    const spoken = await synthesize(worker, { text: '今日天氣好好，我哋去公園行下。', voice_id: 'marcus' });
    const form = new FormData();
    for (const [field, value] of Object.entries({ name: '小明', consent: 'true' })) form.append(field, value);
    form.append('sample', new Blob([new Uint8Array(wavBytes(spoken))]), 'sample.wav');
    const headers = { 'x-api-key': OWNER_KEY };
    const made = await request(`${api.baseUrl}/api/voices`, { method: 'POST', headers, body: form });
    expect(made).toMatchObject({ status: 200 });
    const { voice_id: voiceId } = made.body['voice'] as { voice_id: string };
    const substituted = async () => {
      const { status, headers: answered } = await speech(worker, { text: '早晨', voice_id: voiceId });
      return [status, answered.get('x-voice-id-substituted')];
    };
    expect(await substituted()).toEqual([200, null]);
    const deleted = await request(`${api.baseUrl}/api/voices/${voiceId}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(200);
    expect(await substituted()).toEqual([200, voiceId]);
  });

  it('leave recordings of a model with a class to processes of that class, and report that there is none', async () => {
    const whistled = wavBytes(whistle([null, 'hoeng1', 'gong2', 'jan4', null]));
    const waiting = requestIdOf(
      await request(`${api.baseUrl}/api/stt`, submission(whistled, { model: LARGE_MODEL, language: 'cantonese' })),
    );
    const unattended = async () => (await request(`${api.baseUrl}/health`)).body['unattended_classes'];
    expect(await unattended()).toEqual(['gpu']);
    expect(await metrics(api)).toContain('jyutsing_queue_unattended{class="gpu"} 1\n');
    // The other process goes on with what it may take.
    const usual = await request(`${api.baseUrl}/api/stt`, submission(whistled, { skip_fusion: 'true' }));
    expect((await waitForResult(api.baseUrl, requestIdOf(usual)))['status']).toBe('completed');
    const { body } = await request(`${api.baseUrl}/api/speech-to-text/${waiting}`, { headers: HEADERS });
    expect((body['transcription'] as { status: string }).status).toBe('processing');

    const gpu = await startService(folder.path, { ...common, ROLES: 'transcribe', QUEUE_CLASS: 'gpu' });
    try {
      const record = await waitForResult(api.baseUrl, waiting);
      expect(record).toMatchObject({ status: 'completed', backend: LARGE_MODEL });
      expect(await unattended()).toBeUndefined();
      const next = await request(`${api.baseUrl}/api/stt`, submission(audio, { corpus_ids: 'none' }));
      expect((await waitForResult(api.baseUrl, requestIdOf(next)))['status']).toBe('completed');
      const totals = (await metrics(gpu))
        .split('\n')
        .filter((line) => line.startsWith('jyutsing_transcriptions_total{'));
      expect(totals).toEqual([expect.stringMatching(`backend="${LARGE_MODEL}".* 1$`)]);
      expect(await metrics(api)).not.toContain('jyutsing_queue_unattended{');
    } finally {
      await gpu.kill();
    }
  });

  it('make one trace of a request, its job, the work, the delivery and a client that follows', async () => {
    const [traceId, callerId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const traceparent = `00-${traceId}-${callerId}-01`;
    await using receiver = await startWebhookReceiver([204]);
    // A worker looks only at files that are no plain WAV.
    const spoken = wavVariant(await speak(toJyutping('今日天氣好好。')), { validBits: 16 });
    const upload = submission(spoken, { skip_fusion: 'true', language: 'cantonese', callback_url: receiver.baseUrl });
    const id = requestIdOf(await request(`${api.baseUrl}/api/stt`, { ...upload, headers: { traceparent } }));
    const headers = { 'x-api-key': OWNER_KEY, traceparent };
    await (await fetch(`${api.baseUrl}/api/speech-to-text/${id}/events`, { headers })).text();
    await expect.poll(() => receiver.received, { timeout: 60_000 }).toHaveLength(1);

    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => spans().find((span) => span.name === name);
    const parentOf = ({ parentSpanId }: { parentSpanId?: string }) =>
      parentSpanId === callerId ? 'the caller' : spans().find(({ spanId }) => spanId === parentSpanId)?.name;
    const tree = () => spans().map((span) => `${collector.kindOf(span)} ${span.name} of ${parentOf(span)}`);
    await expect
      .poll(() => tree().toSorted(), { timeout: 60_000 })
      .toEqual([
        'client webhook POST of job deliver',
        'consumer job deliver of job transcribe',
        'consumer job transcribe of POST /api/stt',
        'internal worker probe of POST /api/stt',
        'internal worker transcribe of job transcribe',
        'server GET /api/speech-to-text/:id/events of the caller',
        'server POST /api/stt of the caller',
      ]);
    expect(receiver.received[0]?.headers['traceparent']).toBe(`00-${traceId}-${named('webhook POST')?.spanId}-01`);
    expect(named('POST /api/stt')).toMatchObject({
      pid: api.process.pid,
      attributes: { 'http.response.status_code': 200, 'http.request.method': 'POST' },
    });
    expect(named('job transcribe')).toMatchObject({
      pid: worker.process.pid,
      attributes: { 'jyutsing.job.attempt': 1 },
    });
    expect(named('webhook POST')?.attributes['http.response.status_code']).toBe(204);
    const pids = new Set(spans().map(({ pid }) => pid));
    // The two services, and the worker process of each.
    expect(pids.size).toBe(4);
    expect(collector.spans.map(({ name }) => name)).not.toContain('GET /health');
    expect(JSON.stringify(spans())).not.toContain(OWNER_KEY);
    expect(api.output()).toContain('loads @opentelemetry/sdk-trace');
  });

  it('stop in order', async () => {
    expect(await Promise.all([worker.stop(), api.stop()])).toEqual([0, 0]);
  });
});
