import { expect, it } from 'vitest';
import { generateApiTypes, API_TYPES } from '../../scripts/api-types.ts';
import { readFile } from 'node:fs/promises';
import { send } from '#testbed/clients/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';
import { Jyutsing } from './index.ts';

type Call = (jyut: Jyutsing) => unknown;

const sound = new Uint8Array(8);
const job = (jyut: Jyutsing) => jyut.transcriptions.job('i');
const drain = async (items: AsyncIterable<unknown>) => {
  for await (const _ of items) break;
};

/** Every method of the client; null for those that make no request. */
const METHODS: Readonly<Record<string, Call | null>> = {
  transcribe: (jyut) => jyut.transcribe(sound),
  speak: null,
  score: (jyut) => jyut.score(sound, '好'),
  align: (jyut) => jyut.align(sound, '好'),
  listen: (jyut) => jyut.listen({ webSocket: NoWebSocket }),
  clientSecret: (jyut) => jyut.clientSecret(),
  summarize: (jyut) => jyut.summarize('v'),
  summarizeText: (jyut) => jyut.summarizeText('好'),
  askText: (jyut) => jyut.askText('好', '好？'),
  jyutping: (jyut) => jyut.jyutping('好'),
  readings: (jyut) => jyut.readings('好'),
  usage: (jyut) => jyut.usage(),
  health: (jyut) => jyut.health(),
  info: (jyut) => jyut.info(),
  metrics: (jyut) => jyut.metrics(),
  webhookSecret: (jyut) => jyut.webhookSecret(),
  rotateWebhookSecret: (jyut) => jyut.rotateWebhookSecret(),
  'transcriptions.submit': (jyut) => jyut.transcriptions.submit(sound, {}),
  'transcriptions.submitBatch': (jyut) => jyut.transcriptions.submitBatch([sound, sound], {}),
  'transcriptions.job': null,
  'transcriptions.get': (jyut) => jyut.transcriptions.get('i'),
  'transcriptions.list': (jyut) => drain(jyut.transcriptions.list()),
  'transcriptions.search': (jyut) => drain(jyut.transcriptions.search('早晨')),
  'transcriptions.tags': (jyut) => jyut.transcriptions.tags(),
  'transcriptions.export': (jyut) => jyut.transcriptions.export(['i'], 'txt'),
  'transcriptions.deleteMany': (jyut) => jyut.transcriptions.deleteMany(['i']),
  'transcriptions.delete': (jyut) => jyut.transcriptions.delete('i'),
  'job.progress': (jyut) => drain(job(jyut).progress({ patience: -1 })),
  'job.wait': (jyut) => job(jyut).wait({ patience: -1 }),
  'job.record': (jyut) => job(jyut).record(),
  'job.json': (jyut) => job(jyut).json(),
  'job.txt': (jyut) => job(jyut).txt(),
  'job.srt': (jyut) => job(jyut).srt(),
  'job.vtt': (jyut) => job(jyut).vtt(),
  'job.md': (jyut) => job(jyut).md(),
  'job.docx': (jyut) => job(jyut).docx(),
  'job.apkg': (jyut) => job(jyut).apkg(),
  'job.translations': (jyut) => job(jyut).translations(),
  'job.translate': (jyut) => job(jyut).translate('english'),
  'job.summary': (jyut) => job(jyut).summary(),
  'job.ask': (jyut) => job(jyut).ask('幾點？'),
  'job.save': (jyut) => job(jyut).save({ title: '例會' }),
  'job.audio': (jyut) => job(jyut).audio(),
  'job.cancel': (jyut) => job(jyut).cancel(),
  'job.delete': (jyut) => job(jyut).delete(),
  'speech.stream': (jyut) => jyut.speak('好').stream(),
  'speech.blob': (jyut) => jyut.speak('好').blob(),
  'speech.withTimestamps': (jyut) => jyut.speak('好').withTimestamps(),
  'speech.toFile': (jyut) => jyut.speak('好').toFile('x.wav'),
  'voices.list': (jyut) => jyut.voices.list(),
  'voices.get': (jyut) => jyut.voices.get('i'),
  'voices.sample': (jyut) => jyut.voices.sample('i'),
  'voices.check': (jyut) => jyut.voices.check(sound),
  'voices.create': (jyut) => jyut.voices.create({ name: 'x', sample: sound, consent: true }),
  'voices.delete': (jyut) => jyut.voices.delete('i'),
  'corpora.list': (jyut) => jyut.corpora.list(),
  'corpora.get': (jyut) => jyut.corpora.get('i'),
  'corpora.tsv': (jyut) => jyut.corpora.tsv('i'),
  'corpora.deck': (jyut) => jyut.corpora.deck('i'),
  'corpora.check': (jyut) => jyut.corpora.check([{ text: '好' }]),
  'corpora.create': (jyut) => jyut.corpora.create({ name: 'x', tsv: '' }),
  'corpora.replace': (jyut) => jyut.corpora.replace('i', {}),
  'corpora.delete': (jyut) => jyut.corpora.delete('i'),
  'models.list': (jyut) => jyut.models.list(),
  'models.get': (jyut) => jyut.models.get('i'),
  'models.pullable': (jyut) => jyut.models.pullable(),
  'models.pull': (jyut) => jyut.models.pull('i'),
  'videos.summarize': (jyut) => jyut.videos.summarize('v'),
  'videos.captions': (jyut) => jyut.videos.captions('v'),
  'videos.usage': (jyut) => jyut.videos.usage(),
  'accounts.list': (jyut) => jyut.accounts.list(),
  'accounts.plans': (jyut) => jyut.accounts.plans(),
  'accounts.create': (jyut) => jyut.accounts.create({ name: 'x', plan: 'pro' }),
  'accounts.update': (jyut) => jyut.accounts.update('i', {}),
  'accounts.usage': (jyut) => jyut.accounts.usage('i'),
  'accounts.delete': (jyut) => jyut.accounts.delete('i'),
  'keys.list': (jyut) => jyut.keys.list('i'),
  'keys.create': (jyut) => jyut.keys.create('i'),
  'keys.revoke': (jyut) => jyut.keys.revoke('i'),
};

/** Operations that another method covers, or that are meant for other libraries. */
const COVERED: Readonly<Record<string, string>> = {
  transcribeAndWait: 'transcribe and wait, which survive a broken connection',
  pollTranscription: 'transcriptions.get',
  findCaptionTracks: 'videos.captions',
  romanizeTextPlainly: 'jyutping',
  transcribeForDeepgram: 'the libraries of Deepgram',
  transcribeForElevenLabs: 'the libraries of ElevenLabs',
  speakForElevenLabs: 'the libraries of ElevenLabs',
  listModelsForElevenLabs: 'the libraries of ElevenLabs',
  transcribeForWhisperAsr: 'Bazarr',
  detectLanguageForWhisperAsr: 'Bazarr',
  grantForDeepgram: 'the libraries of Deepgram',
  listProjects: 'the libraries of Deepgram',
  getProject: 'the libraries of Deepgram',
  listenInTurns: 'the libraries of Deepgram',
  speakForDeepgram: 'the libraries of Deepgram',
  speakTurnForDeepgram: 'the libraries of Deepgram',
  speakLive: 'the libraries of Deepgram',
  speakInTurns: 'the libraries of Deepgram',
  exchangeMcpMessage: 'the library of the Model Context Protocol',
  openRealtime: 'the libraries of OpenAI',
  createOpenAiTranscription: 'the libraries of OpenAI',
  createOpenAiTranslation: 'the libraries of OpenAI',
  createOpenAiSpeech: 'the libraries of OpenAI',
  listOpenAiVoices: 'Open WebUI',
  listOpenAiSpeechModels: 'Open WebUI',
};

/** Requests that the client made, as `METHOD /path`. */
const requests = new Set<string>();

class NoWebSocket {
  binaryType = '';
  bufferedAmount = 0;
  constructor(url: string) {
    requests.add(`GET ${new URL(url).pathname}`);
  }
  send() {}
  close() {}
  addEventListener(type: string, listener: (event: object) => void) {
    if (type === 'error') listener({});
  }
}

const publicMethods = (object: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');

it('every operation of the interface has a method, and every method an operation', async () => {
  await using server = await startTestServer();
  const { paths } = (await send(`${server.baseUrl}/openapi.json`)).body;
  const operations = Object.entries(paths!).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: String(operationId),
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/.]+')}$`),
    })),
  );
  const refuse = async (url: string, { method = 'GET' }: RequestInit) => {
    requests.add(`${method} ${new URL(url).pathname}`);
    return Response.json({}, { status: 418 });
  };
  const jyut = new Jyutsing({ baseUrl: 'http://stand-in', apiKey: 'key', fetch: refuse });
  for (const call of Object.values(METHODS)) {
    await Promise.resolve(call?.(jyut)).catch(() => {});
  }

  const unknown = [...requests].filter((request) => !operations.some(({ pattern }) => pattern.test(request)));
  expect(unknown).toEqual([]);
  const called = (pattern: RegExp) => [...requests].some((request) => pattern.test(request));
  const without = operations.filter(({ pattern }) => !called(pattern)).map(({ id }) => id);
  expect(without.toSorted()).toEqual(Object.keys(COVERED).toSorted());
});

it('every method of the client is in the list of this test', () => {
  const jyut = new Jyutsing({ apiKey: 'key' });
  const parts = { transcriptions: jyut.transcriptions, job: job(jyut), speech: jyut.speak('好'), voices: jyut.voices };
  const moreParts = { corpora: jyut.corpora, models: jyut.models, videos: jyut.videos, accounts: jyut.accounts };
  const all = [
    ...publicMethods(jyut),
    ...Object.entries({ ...parts, ...moreParts, keys: jyut.keys }).flatMap(([name, part]) =>
      publicMethods(part).map((method) => `${name}.${method}`),
    ),
  ];
  expect(all.toSorted()).toEqual(Object.keys(METHODS).toSorted());
});

it('the types of the client are those of the interface: npm run api-types', async () => {
  await using server = await startTestServer();
  const document = await (await fetch(`${server.baseUrl}/openapi.json`)).text();
  expect(await generateApiTypes(document)).toBe(await readFile(API_TYPES, 'utf8'));
});
