import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { VOICE_BANDS, type Voice, type VoiceProfile } from '@jyutsing/contracts/voice';
import type { VoiceDraft } from '#features/voices/draft.ts';
import { createVoiceLibrary, MAX_PRIVATE_VOICES, type VoiceLibraryServices } from '#features/voices/library.ts';
import type { ShippedVoice } from '#features/voices/shipped-voices.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { openBlobs } from '#store/blobs.ts';
import { openStore } from '#store/open-store.ts';
import type { Store } from '#store/store.ts';

const VERSION = 3;
const bands = Array.from({ length: VOICE_BANDS.count }, (_, i) => i / 7);
const profileOf = (version: number, pitchMedianHz = 200): VoiceProfile => ({
  version,
  pitchMedianHz,
  pitchLowSemitones: -3,
  pitchHighSemitones: 4,
  formantsHz: [500, 1_500, 2_500],
  voicedBandsDb: bands,
  unvoicedBandsDb: bands,
  noiseShares: bands,
  syllablesPerSecond: 4,
  timbre: '',
});

// Tests the library with the real store, which features may not import.
let folder: string;
let temporaryDir: string;
let samplePath: string;
let store: Store;
let blobs: BlobStore;
let me: string;
let you: string;
let measured: string[];
let recognized: string[];
let shipped: ShippedVoice[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-voices-'));
  temporaryDir = join(folder, 'incoming');
  samplePath = join(folder, 'sample.wav');
  shipped = [shippedVoice('anna', ['安娜', 'Anna']), shippedVoice('ben', ['阿斌', 'Ben'])];
  await mkdir(temporaryDir);
  await writeFile(samplePath, 'RIFF of a speaker');
  store = await openStore({ databaseUrl: null, dataDir: folder });
  blobs = await openBlobs({ dataDir: folder, s3: null });
});
beforeEach(async () => {
  measured = [];
  recognized = [];
  me = (await store.accounts.create({ name: 'me', plan: 'free' })).id;
  you = (await store.accounts.create({ name: 'you', plan: 'free' })).id;
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Stands in for the measuring process. */
async function measureSample(path: string) {
  measured.push(path);
  const bytes = await readFile(path);
  if (!bytes.toString('latin1').startsWith('RIFF')) throw new AppError('unsuitable_sample', 'Nobody speaks in it.');
  return { profile: profileOf(VERSION), wav: new Uint8Array(bytes), durationMs: 4_321.6 };
}

/** Stands in for the registry of engines. */
function requireModel(name: string): void {
  if (name !== 'canto-tts-nano') throw new AppError('model_not_found', `This server has no model named "${name}".`);
}

/** Stands in for the recognizing process. */
async function recognizeSample(_path: string, language: string): Promise<string> {
  recognized.push(language);
  return language === 'english' ? '' : '早晨呀';
}

function shippedVoice(id: string, names: string[], version = VERSION): ShippedVoice {
  const voice: Voice = {
    id,
    accountId: null,
    name: names.join(' '),
    language: 'cantonese',
    gender: 'female',
    description: 'a voice',
    transcript: '早晨',
    engine: null,
    profile: profileOf(version, 180),
    sample: { durationMs: 1, sizeBytes: 17 },
    createdAtMs: 0,
    consentedAtMs: null,
  };
  return { voice, names: [voice.name, ...names, id], samplePath };
}

const newLibrary = (change: Partial<VoiceLibraryServices> = {}) =>
  createVoiceLibrary({
    shipped,
    voices: store.voices,
    samples: blobs,
    measureSample,
    recognizeSample,
    requireModel,
    profileVersion: VERSION,
    temporaryDir,
    ...change,
  });
const draft = (change: Partial<VoiceDraft> = {}): VoiceDraft => ({
  name: ' 小明 ',
  language: null,
  gender: null,
  description: null,
  transcript: null,
  engine: null,
  consent: true,
  samplePath,
  ...change,
});
const samples = async () => (await readdir(join(folder, 'blobs', 'voices')).catch(() => [])).toSorted();
const nothingKept = async (account: string, before: string[]) => {
  expect(await store.voices.list(account)).toEqual([]);
  expect(await samples()).toEqual(before);
  expect(await readdir(temporaryDir)).toEqual([]);
};

test('a voice keeps the model that it is made for, which must be one of the server', async () => {
  const library = newLibrary();
  const voice = await library.create(me, draft({ engine: ' canto-tts-nano ' }));
  expect((await library.find(me, voice.id))?.engine).toBe('canto-tts-nano');
  expect((await library.create(me, draft({ engine: 'auto' }))).engine).toBeNull();
  const before = await samples();
  await expect(library.create(me, draft({ engine: 'singer' }))).rejects.toMatchObject({ code: 'model_not_found' });
  expect(await samples()).toEqual(before);
  for (const { id } of await store.voices.list(me)) await library.delete(me, id);
});

test('an account sees the shipped voices and only its own private ones', async () => {
  const library = newLibrary();
  const beforeMs = Date.now();
  const ownVoice = await library.create(me, draft({ gender: 'Female', description: ' x ', transcript: '' }));
  expect(ownVoice).toMatchObject({
    accountId: me,
    name: '小明',
    language: 'cantonese',
    gender: 'female',
    description: 'x',
    transcript: null,
    engine: null,
    profile: profileOf(VERSION),
    sample: { durationMs: 4_322, sizeBytes: 17 },
  });
  expect(ownVoice.consentedAtMs).toBeGreaterThanOrEqual(beforeMs);
  expect((await library.list(me)).map(({ id }) => id)).toEqual(['anna', 'ben', ownVoice.id]);
  expect((await library.list(you)).map(({ id }) => id)).toEqual(['anna', 'ben']);
  expect(await library.find(me, ownVoice.id)).toEqual(ownVoice);
  expect(await library.find(you, ownVoice.id)).toBeNull();
  expect(await library.find(you, 'anna')).toEqual(shipped[0]?.voice);
  expect(await library.findByName(you, '小明')).toBeNull();
  await expect(library.openSample(you, ownVoice.id)).rejects.toMatchObject({ code: 'voice_not_found' });
  await expect(library.delete(you, ownVoice.id)).rejects.toMatchObject({ code: 'voice_not_found' });
  expect(await samples()).toContain(`${ownVoice.id}.wav`);
});

test('a name finds the voice of the account before the shipped one, ignoring case and width', async () => {
  const library = newLibrary();
  for (const name of ['Anna', ' ANNA', '安娜', 'anna', 'Ａｎｎａ', '安娜  anna']) {
    expect(await library.findByName(me, name)).toEqual(shipped[0]?.voice);
  }
  const ownVoice = await library.create(me, draft({ name: 'aNNa' }));
  expect(await library.findByName(me, 'ANNA')).toEqual(ownVoice);
  expect(await library.findByName(you, 'ANNA')).toEqual(shipped[0]?.voice);
  const accented = await library.create(me, draft({ name: 'ÉLODIE' }));
  expect(await library.findByName(me, 'élodie')).toEqual(accented);
  for (const name of ['', ' ', 'nobody', 'an\0na', '\u{D800}', '__proto__', "' or 1=1--"]) {
    expect(await library.findByName(me, name)).toBeNull();
  }
});

test('the sample is the trimmed recording, and is read only on request', async () => {
  const library = newLibrary();
  const ownVoice = await library.create(me, draft({ transcript: '早晨呀' }));
  const { stream, sizeBytes } = await library.openSample(me, ownVoice.id);
  expect((await buffer(stream)).toString()).toBe('RIFF of a speaker');
  expect(sizeBytes).toBe(17);
  expect((await buffer((await library.openSample(you, 'ben')).stream)).toString()).toBe('RIFF of a speaker');

  const wav = new Uint8Array(await readFile(samplePath));
  expect(await library.synthesisVoice(ownVoice, 'reference')).toEqual({
    id: ownVoice.id,
    profile: ownVoice.profile,
    reference: { wav, transcript: '早晨呀' },
  });
  expect(await library.synthesisVoice(shipped[0]!.voice, 'reference')).toMatchObject({
    reference: { transcript: '早晨' },
  });
  await library.delete(me, ownVoice.id);
  expect(await library.synthesisVoice(ownVoice, 'profile')).toMatchObject({
    profile: ownVoice.profile,
    reference: null,
  });
  await expect(library.synthesisVoice(ownVoice, 'reference')).rejects.toMatchObject({ code: 'voice_not_found' });
  await expect(library.openSample(me, ownVoice.id)).rejects.toMatchObject({ code: 'voice_not_found' });
});

test('a profile of an older version is measured again once for simultaneous requests, and saved', async () => {
  const ownVoice = await newLibrary().create(me, draft());
  await store.voices.saveProfile(ownVoice.id, profileOf(VERSION - 1, 90));
  const old = (await store.voices.find(ownVoice.id, me))!;
  measured = [];
  const library = newLibrary({ shipped: [shippedVoice('anna', ['Anna'], 1)] });
  const voices = await Promise.all(Array.from({ length: 50 }, () => library.synthesisVoice(old, 'profile')));
  for (const { profile } of voices) expect(profile).toEqual(profileOf(VERSION));
  expect(measured).toHaveLength(1);
  expect(await library.find(me, ownVoice.id)).toEqual({ ...ownVoice, profile: profileOf(VERSION) });

  const outdated = (await library.find(me, 'anna'))!;
  expect((await library.synthesisVoice(outdated, 'profile')).profile).toEqual(outdated.profile);
  expect(measured).toHaveLength(1);
});

test('a failed new measurement is retried by the next request', async () => {
  const ownVoice = await newLibrary().create(me, draft());
  let isDown = true;
  const library = newLibrary({
    profileVersion: VERSION + 1,
    measureSample: async (path) => {
      if (isDown) throw new AppError('service_unavailable');
      return { ...(await measureSample(path)), profile: profileOf(VERSION + 1) };
    },
  });
  await expect(library.synthesisVoice(ownVoice, 'profile')).rejects.toMatchObject({ code: 'service_unavailable' });
  isDown = false;
  expect((await library.synthesisVoice(ownVoice, 'profile')).profile.version).toBe(VERSION + 1);
});

test('a sample that newer rules refuse keeps its old profile, and is not measured at every use', async () => {
  const ownVoice = await newLibrary().create(me, draft());
  const library = newLibrary({
    profileVersion: VERSION + 1,
    measureSample: async (path) => {
      measured.push(path);
      throw new AppError('unsuitable_sample');
    },
  });
  measured = [];
  const profile = { ...ownVoice.profile, version: VERSION + 1 };
  expect((await library.synthesisVoice(ownVoice, 'profile')).profile).toEqual(profile);
  const found = (await library.find(me, ownVoice.id))!;
  expect((await library.synthesisVoice(found, 'profile')).profile).toEqual(profile);
  expect(measured).toHaveLength(1);
});

test('a voice is deleted with its sample, and only once', async () => {
  const library = newLibrary();
  const { id } = await library.create(me, draft());
  const deletions = await Promise.allSettled(Array.from({ length: 10 }, () => library.delete(me, id)));
  expect(deletions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await samples()).not.toContain(`${id}.wav`);
  expect(await library.find(me, id)).toBeNull();
  await expect(library.delete(me, 'anna')).rejects.toMatchObject({ code: 'insufficient_scope' });
});

test('120 simultaneous creations give 100 voices, and the refused ones leave nothing behind', async () => {
  const library = newLibrary();
  const before = await samples();
  const made = await Promise.allSettled(Array.from({ length: 120 }, () => library.create(me, draft())));
  const refused = made.filter((attempt) => attempt.status === 'rejected');
  expect(refused).toHaveLength(120 - MAX_PRIVATE_VOICES);
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: 'conflict', message: expect.stringContaining('100 voices') });
  }
  const ids = (await store.voices.list(me)).map(({ id }) => `${id}.wav`);
  expect(ids).toHaveLength(MAX_PRIVATE_VOICES);
  expect(await samples()).toEqual([...before, ...ids].toSorted());
  expect(await readdir(temporaryDir)).toEqual([]);
  measured = [];
  await expect(library.create(me, draft())).rejects.toMatchObject({ code: 'conflict' });
  expect(measured).toEqual([]);
  expect(await library.create(you, draft())).toMatchObject({ accountId: you });
});

test.each([
  [{ consent: false }, /consent/],
  [{ name: '' }, /"name"/],
  [{ name: ' \t ' }, /"name"/],
  [{ name: 'a\0b' }, /"name"/],
  [{ name: 'a\nb' }, /"name"/],
  [{ name: 'a\u{D800}' }, /"name"/],
  [{ name: '\u{1F3A4}'.repeat(101) }, /"name"/],
  [{ description: 'x'.repeat(2_001) }, /"description"/],
  [{ description: 'a\0b' }, /"description"/],
  [{ transcript: 'a\u{DFFF}' }, /"transcript"/],
  [{ transcript: '字'.repeat(2_001) }, /"transcript"/],
  [{ language: 'klingon' }, /"language"/],
  [{ gender: '\u{202E}elam' }, /"gender"/],
])('invalid fields are refused before the recording is measured (case %#)', async (change, message) => {
  const before = await samples();
  const refused = { code: 'invalid_parameter', message: expect.stringMatching(message) };
  await expect(newLibrary().create(me, draft(change))).rejects.toMatchObject(refused);
  expect(measured).toEqual([]);
  await nothingKept(me, before);
});

test('markup and symbols are plain text, and a name may have a hundred characters of any kind', async () => {
  const name = `<img src=x onerror="alert(1)"> ${'\u{1F3A4}'.repeat(60)}`;
  const ownVoice = await newLibrary().create(me, draft({ name, description: 'a\r\n\tb', language: ' English ' }));
  expect(await newLibrary().find(me, ownVoice.id)).toMatchObject({
    name,
    description: 'a\r\n\tb',
    language: 'english',
  });
});

test('an unsuitable recording, a full disk or a lost database leave neither row nor sample', async () => {
  const before = await samples();
  const noise = join(folder, 'noise.wav');
  await writeFile(noise, 'hiss');
  await expect(newLibrary().create(me, draft({ samplePath: noise }))).rejects.toMatchObject({
    code: 'unsuitable_sample',
    message: 'Nobody speaks in it.',
  });
  await nothingKept(me, before);
  expect(await readFile(noise, 'utf8')).toBe('hiss');

  const lost = new AppError('service_unavailable');
  const withoutDatabase = newLibrary({ voices: { ...store.voices, create: () => Promise.reject(lost) } });
  await expect(withoutDatabase.create(me, draft())).rejects.toBe(lost);
  await nothingKept(me, before);

  const withoutRoom = newLibrary({ samples: { ...blobs, adopt: () => Promise.reject(lost) } });
  await expect(withoutRoom.create(me, draft())).rejects.toBe(lost);
  await nothingKept(me, before);
});

test('the words of a sample are recognized once, when a model needs them, and kept', async () => {
  const library = newLibrary();
  const ownVoice = await library.create(me, draft({ language: 'mandarin' }));
  expect((await library.synthesisVoice(ownVoice, 'reference')).reference?.transcript).toBeNull();
  expect(recognized).toEqual([]);
  const voices = await Promise.all([1, 2, 3].map(() => library.synthesisVoice(ownVoice, 'reference-and-text')));
  expect(voices.map(({ reference }) => reference?.transcript)).toEqual(['早晨呀', '早晨呀', '早晨呀']);
  const found = (await library.find(me, ownVoice.id))!;
  expect(found.transcript).toBe('早晨呀');
  await library.synthesisVoice(found, 'reference-and-text');
  expect(recognized).toEqual(['mandarin']);
});

test('words that were given are not recognized', async () => {
  const library = newLibrary();
  const ownVoice = await library.create(me, draft({ transcript: '你好' }));
  const both = [await library.synthesisVoice(ownVoice, 'reference-and-text')];
  both.push(await library.synthesisVoice(shipped[0]!.voice, 'reference-and-text'));
  expect(both.map(({ reference }) => reference?.transcript)).toEqual(['你好', '早晨']);
  expect(recognized).toEqual([]);
});

test('a sample without words is refused in a sentence that says what helps', async () => {
  const library = newLibrary();
  const ownVoice = await library.create(me, draft({ language: 'english' }));
  await expect(library.synthesisVoice(ownVoice, 'reference-and-text')).rejects.toMatchObject({
    code: 'unsuitable_sample',
    message: expect.stringContaining('"transcript"'),
  });
  expect((await library.find(me, ownVoice.id))?.transcript).toBeNull();
});
