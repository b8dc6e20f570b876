import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SynthesisRequest, Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import { createLoudnessMeter } from '#packages/audio/encoding/loudness.ts';
import { pieceOf, requestOf, soundOf, speakAll, voiceOf } from '#test/synthesis-requests.ts';
import { SPEAKERS } from './voice-settings.ts';
import { engine } from './synthesizer.ts';

const env = { builtinModelsDir: resolve(import.meta.dirname, '../../../models'), modelsDir: '/nowhere', settings: {} };
let opened: Synthesizer;
let mandarin: Synthesizer;
beforeAll(async () => {
  opened = await engine.open(env, 'syllable-yue');
  mandarin = await engine.open(env, 'syllable-cmn');
});
afterAll(async () => {
  await opened.close();
  await mandarin.close();
});

const speaker = SPEAKERS.cantonese.profile;
const say = (text: string, changes: Partial<SynthesisRequest> = {}, ending: 'statement' | 'question' = 'statement') =>
  speakAll(opened, requestOf([pieceOf([[text, ending]])], changes));
const sayInMandarin = (text: string, changes: Partial<SynthesisRequest> = {}) =>
  speakAll(mandarin, requestOf([pieceOf([[text, 'statement']], 'mandarin')], { language: 'mandarin', ...changes }));
const wordsOf = (events: Awaited<ReturnType<typeof say>>) =>
  events.flatMap((event) => (event.type === 'word' ? [event] : []));

test('temperature 0 gives the same bytes whatever the seed; others vary with it', async () => {
  const text = '今日=gam1.jat6 天氣=tin1.hei3 好=hou2';
  const at = async (temperature: number, seed: number) => soundOf(await say(text, { temperature, seed }));
  expect(await at(0, 1)).toEqual(await at(0, 2));
  expect(await at(0.8, 1)).toEqual(await at(0.8, 1));
  expect(await at(0.8, 1)).not.toEqual(await at(0.8, 2));
});

const shippedVoice = async (id: string) => {
  const file = resolve(import.meta.dirname, `../../../voices/${id}/voice.json`);
  const { profile } = JSON.parse(await readFile(file, 'utf8')) as { profile: VoiceProfile };
  return { id, profile, reference: null };
};

test('high and low voices are as loud in one language as in the other', async () => {
  const sentences = {
    cantonese:
      '今日=gam1.jat6 天氣=tin1.hei3 好=hou2 好=hou2 我哋=ngo5.dei6 去=heoi3 公園=gung1.jyun2 行=haang4 下=haa5',
    mandarin: '今天=jin1.tian1 天气=tian1.qi4 很=hen3 好=hao3 我们=wo3.men5 去=qu4 公园=gong1.yuan2 走=zou3 走=zou5',
  };
  for (const name of ['jasmine', 'marcus']) {
    const voice = await shippedVoice(name);
    const spoken = {
      cantonese: await say(sentences.cantonese, { voice, temperature: 0 }),
      mandarin: await sayInMandarin(sentences.mandarin, { voice, temperature: 0 }),
    };
    for (const [language, events] of Object.entries(spoken)) {
      const meter = createLoudnessMeter(24_000);
      meter.push(soundOf(events));
      const { integratedLufs, truePeakDb } = meter.finish();
      expect(Math.abs(integratedLufs + 19), `${name}, ${language}: ${integratedLufs} LUFS`).toBeLessThan(1.5);
      expect(truePeakDb).toBeLessThan(-0.9);
    }
  }
});

/** Returns by how many dB a word is louder after 60 ms than at its beginning. */
async function riseOf(text: string): Promise<number> {
  const events = await say(text, { temperature: 0 });
  const { word } = wordsOf(events)[0]!;
  const sound = soundOf(events).subarray(word.startMs * 24);
  const power = (fromMs: number, toMs: number) =>
    sound.subarray(fromMs * 24, toMs * 24).reduce((sum, sample) => sum + sample ** 2, 0) / (toMs - fromMs);
  return 10 * Math.log10(power(60, 100) / power(0, 20));
}

test('vowels of English words rise, where those of Cantonese begin at once', async () => {
  expect(await riseOf('ah=AA1 好=hou2')).toBeGreaterThan((await riseOf('呀=aa1 好=hou2')) + 5);
});

test('tones keep their contours', async () => {
  const pitches: Record<string, [number, number]> = {};
  for (const label of ['si1', 'si2', 'si3', 'si4']) {
    const events = await say(`呢=nei1 個=go3 X=${label} 字=zi6`.replace('X', '詩'), { temperature: 0 });
    const { word } = wordsOf(events)[2]!;
    const { pitchHz } = trackPitch(soundOf(events).slice(word.startMs * 24, word.endMs * 24), 24_000);
    const voiced = pitchHz.filter((hz) => hz > 0);
    pitches[label] = [voiced[Math.floor(voiced.length / 3)]!, voiced.at(-2)!];
  }
  expect(pitches['si1']![1]).toBeGreaterThan(1.15 * pitches['si3']![1]);
  expect(pitches['si2']![1]).toBeGreaterThan(1.1 * pitches['si2']![0]);
  expect(pitches['si4']![1]).toBeLessThan(0.92 * pitches['si3']![1]);
});

test('syllables that were not recorded and English words are spoken', async () => {
  const events = await say('佢=keoi5 好=hou2 friend 㗎=gaa3 喇=dem6');
  expect(wordsOf(events).map(({ word }) => word.text)).toEqual(['佢', '好', 'friend', '㗎', '喇']);
  const sound = soundOf(events);
  for (const { word } of wordsOf(events)) {
    const part = sound.slice(word.startMs * 24, word.endMs * 24);
    expect(part.reduce((largest, sample) => Math.max(largest, sample), 0)).toBeGreaterThan(0.03);
  }
});

/** Returns the pitches of the voiced frames of a word. */
function pitchesOf(events: Awaited<ReturnType<typeof say>>, index: number): number[] {
  const { word } = wordsOf(events)[index]!;
  const { pitchHz } = trackPitch(soundOf(events).slice(word.startMs * 24, word.endMs * 24), 24_000);
  return Array.from(pitchHz).filter((hz) => hz > 0);
}

const pitchesBetween = async (word: string) =>
  pitchesOf(await sayInMandarin(`我=wo3 说=shuo1 ${word} 字=zi4`, { temperature: 0 }), 2);
const middleOf = (pitches: readonly number[]) => pitches[pitches.length >> 1]!;

test('Mandarin tones keep their contours, in recorded words and between single syllables', async () => {
  const [high, rising] = [await pitchesBetween('妈=ma1'), await pitchesBetween('麻=ma2')];
  const [low, falling] = [await pitchesBetween('马=ma3'), await pitchesBetween('骂=ma4')];
  expect(middleOf(high)).toBeGreaterThan(1.25 * middleOf(low));
  expect(rising.at(-3)).toBeGreaterThan(1.1 * rising[2]!);
  // The last frames may have the pitch of the next word.
  expect(falling[falling.length >> 2]).toBeGreaterThan(1.2 * falling[(3 * falling.length) >> 2]!);
});

test('words that were recorded whole, single syllables, rare ones and English are spoken in Mandarin', async () => {
  const events = await sayInMandarin('今天=jin1.tian1 魑魅=chi1.mei4 OK 很=hen3 好=hao3 呗=bei5');
  expect(wordsOf(events).map(({ word }) => word.text)).toEqual(['今天', '魑魅', 'OK', '很', '好', '呗']);
  expect(wordsOf(events)[0]!.syllables.map(({ text }) => text)).toEqual(['jin1', 'tian1']);
  const sound = soundOf(events);
  for (const { word } of wordsOf(events)) {
    const part = sound.slice(word.startMs * 24, word.endMs * 24);
    expect(part.reduce((largest, sample) => Math.max(largest, sample), 0)).toBeGreaterThan(0.03);
  }
});

test('a language without a recorded voice is not spoken', async () => {
  expect(engine.models(env).map(({ capabilities }) => Object.keys(capabilities.languages))).toEqual([
    ['cantonese'],
    ['mandarin'],
  ]);
  await expect(engine.open(env, 'syllable-eng')).rejects.toThrow('no model "syllable-eng"');
});

/** Returns the level of 20 ms around a time, dB. */
function levelAt(sound: Float32Array, ms: number): number {
  const part = sound.slice((ms - 10) * 24, (ms + 10) * 24);
  return 10 * Math.log10(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length + 1e-9);
}

test('the voice goes on from a syllable into a sonorant', async () => {
  const events = await say('你=nei5 話=waa6 我=ngo5 夜=je6 晚=maan5 嚟=lai4', { temperature: 0 });
  const sound = soundOf(events);
  const falls = wordsOf(events)
    .slice(0, -1)
    .map(({ word: { endMs } }) => {
      const levels = Array.from({ length: 25 }, (_, i) => levelAt(sound, endMs - 60 + 5 * i));
      return Math.max(...levels) - Math.min(...levels);
    });
  // Syllables of people fall by about 10 dB, those of the recordings, cut and joined, by 16.
  expect(falls.reduce((a, b) => a + b, 0) / falls.length).toBeLessThan(13.5);
});

test('no phrase begins with a click, and each at the time of its first word', async () => {
  for (const [speak, text] of [
    [say, '愛=oi3 你=nei5'],
    [say, '安=on1 全=cyun4'],
    [sayInMandarin, '爱=ai4 你=ni3'],
    [sayInMandarin, '我=wo3 们=men5'],
  ] as const) {
    const events = await speak(text, { temperature: 0 });
    const sound = soundOf(events);
    const startedAt = sound.findIndex((sample) => Math.abs(sample) > 1e-4);
    expect(Math.abs(sound[startedAt]!)).toBeLessThan(0.01);
    const begins = sound.findIndex((sample) => Math.abs(sample) > 0.02) / 24;
    expect(Math.abs(begins - wordsOf(events)[0]!.word.startMs)).toBeLessThan(25);
  }
});

/** Returns how far the last sample before silence is below the loudest one, dB. */
function lastStepDb(sound: Float32Array): number {
  const last = Math.abs(sound[sound.findLastIndex((sample) => sample !== 0)]!);
  return 20 * Math.log10(last / sound.reduce((largest, sample) => Math.max(largest, Math.abs(sample)), 0));
}

const VOICES = {
  own: speaker,
  child: { ...voiceOf().profile, pitchMedianHz: 330, formantsHz: [700, 2_100, 3_400] as const },
  deep: { ...voiceOf().profile, pitchMedianHz: 80, formantsHz: [450, 1_400, 2_300] as const },
  person: { ...SPEAKERS.mandarin.profile, timbre: 'of a person' },
};

test.each([
  ['cantonese', '今日=gam1.jat6 亞=aa3', 'own', 1],
  ['cantonese', '好=hou2', 'own', 0.5],
  ['cantonese', '聲=sing1', 'child', 2],
  ['cantonese', '講=gong2', 'child', 1],
  ['cantonese', '嚟=lei4', 'deep', 2],
  ['cantonese', '唔=m4', 'deep', 1],
  ['cantonese', '日=jat6', 'own', 1],
  ['cantonese', '聲=sing1', 'person', 1],
  ['mandarin', '房=fang2', 'own', 2],
  ['mandarin', '姓=xing4', 'deep', 2],
  ['mandarin', '人=ren2', 'child', 3],
] as const)('no phrase in %s stops within a period: %s, voice %s, speed %d', async (language, text, name, speed) => {
  const spoken = language === 'mandarin' ? mandarin : opened;
  const voice = { id: 'test', profile: { ...VOICES[name], syllablesPerSecond: 4.5 }, reference: null };
  for (const [ending, pauseMs] of [
    ['none', 0],
    ['comma', 180],
    ['question', 350],
  ] as const) {
    const request = requestOf([pieceOf([[text, ending]], language)], { language, speed, temperature: 0, voice });
    const events = await speakAll(spoken, request);
    const sound = soundOf(events);
    expect(lastStepDb(sound)).toBeLessThan(-50);
    // Long texts are divided where they have no punctuation: only the last period is added there.
    const afterMs = sound.length / 24 - wordsOf(events).at(-1)!.word.endMs - pauseMs / speed;
    // Pauses make up for consonants that are not stretched and rimes that are not shortened.
    const changedMs = speed === 1 ? 0 : (0.8 * pauseMs) / speed;
    expect(afterMs).toBeGreaterThan(-1 - changedMs);
    expect(afterMs).toBeLessThan(ending === 'none' ? 16 : 1 + changedMs);
  }
});

const SENTENCES = {
  cantonese: '佢=keoi5 十=sap6 月=jyut6 一=jat1 日=jat6 食=sik6 咗=zo2 遲=ci4',
  mandarin: '他=ta1 去=qu4 超市=chao1.shi4 买=mai3 了=le5 什么=shen2.me5 吃=chi1 的=de5',
};

test.each([
  ['cantonese', 0.5, 0.005],
  ['cantonese', 2, 0.005],
  // Nearly all of its rimes are shorter than 180 ms, and would be misheard at a third of their
  // length.
  ['cantonese', 3, 0.1],
  ['mandarin', 0.5, 0.005],
  ['mandarin', 0.7, 0.005],
  ['mandarin', 3, 0.05],
] as const)('%s at a speed of %d has its share of the usual time', async (language, speed, tolerance) => {
  const secondsAt = async (requestedSpeed: number) => {
    const pieces = [pieceOf([[SENTENCES[language], 'statement']], language)];
    const request = requestOf(pieces, { language, speed: requestedSpeed, temperature: 0 });
    return soundOf(await speakAll(language === 'mandarin' ? mandarin : opened, request)).length / 24_000;
  };
  expect(Math.abs(((await secondsAt(speed)) * speed) / (await secondsAt(1)) - 1)).toBeLessThan(tolerance);
});

/** Returns the pitch at the end of a sentence. */
async function endOf(ending: 'statement' | 'question'): Promise<number> {
  const events = await say('你=nei5 去=heoi3 買=maai5', { temperature: 0 }, ending);
  const { word } = wordsOf(events)[2]!;
  const { pitchHz } = trackPitch(soundOf(events).slice((word.endMs - 90) * 24, word.endMs * 24), 24_000);
  const voiced = pitchHz.filter((hz) => hz > 0);
  return voiced[voiced.length >> 1]!;
}

test('a question without a particle rises at its end', async () => {
  expect(await endOf('question')).toBeGreaterThan(1.08 * (await endOf('statement')));
});

test('without one of its files a model is not available, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'syllable-models-'));
  await mkdir(join(folder, 'cmn'));
  await writeFile(join(folder, 'cmn/syllables.voice'), '');
  const models = engine.models({ ...env, builtinModelsDir: folder });
  await rm(folder, { recursive: true });
  for (const { availability } of models)
    expect(availability).toEqual({ available: false, reason: 'its voice file is not installed' });
});

test('the voice of a person gets formants and spectrum of that person, and its own loudness', async () => {
  const text =
    '今日=gam1.jat6 天氣=tin1.hei3 好=hou2 我哋=ngo5.dei6 去=heoi3 公園=gung1.jyun2 行=haang4 下=haa5 啦=laa1';
  const spokenBy = async (profile: VoiceProfile) => {
    const sound = soundOf(await say(text, { temperature: 0, voice: { id: 'person', profile, reference: null } }));
    const power = sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length;
    return { sound, profile: measureVoice(sound, 24_000), levelDb: 10 * Math.log10(power) };
  };
  const speakerSpeech = await spokenBy(speaker);
  // Played faster, it is the speech of a smaller person.
  const person = measureVoice(speakerSpeech.sound, 1.15 * 24_000);
  const smaller = await spokenBy(person);
  const distance = ({ profile }: { profile: VoiceProfile }) =>
    profile.voicedBandsDb.reduce((sum, level, band) => sum + Math.abs(level - person.voicedBandsDb[band]!) / 40, 0);
  expect(distance(smaller)).toBeLessThan(0.6 * distance(speakerSpeech));
  expect(smaller.profile.formantsHz[2]).toBeGreaterThan(1.08 * speakerSpeech.profile.formantsHz[2]);
  expect(Math.abs(smaller.profile.formantsHz[2] / person.formantsHz[2] - 1)).toBeLessThan(0.05);
  expect(Math.abs(smaller.levelDb - speakerSpeech.levelDb)).toBeLessThan(3);
});

/** Returns the level of the noise of fricatives relative to the vowels after them, dB. */
async function noiseBy(pitchMedianHz: number): Promise<number> {
  const { profile: speakerProfile, design } = SPEAKERS.mandarin;
  const profile = { ...speakerProfile, ...design, pitchMedianHz, timbre: '', syllablesPerSecond: 4.5 };
  const voice = { id: 'test', profile, reference: null };
  const events = await sayInMandarin('沙=sha1 书=shu1 西=xi1 三=san1 他=ta1', { temperature: 0, voice });
  const sound = soundOf(events);
  const levelsDb = wordsOf(events)
    .slice(0, 4)
    .map(({ word: { startMs, endMs } }) => levelAt(sound, startMs + 70) - levelAt(sound, endMs - 60));
  return levelsDb.reduce((sum, level) => sum + level, 0) / levelsDb.length;
}

test('noise has its distance from the vowels in deep and high voices', async () => {
  const [deep, ownRegister, high] = [await noiseBy(90), await noiseBy(250), await noiseBy(330)];
  expect(Math.abs(deep - ownRegister)).toBeLessThan(2);
  expect(Math.abs(high - ownRegister)).toBeLessThan(2);
});

/** Counts zero crossings within 50 ms of the noise of a fricative. */
async function crossingsBy(formantsHz: readonly [number, number, number]): Promise<number> {
  const profile = { ...speaker, timbre: '', formantsHz };
  const events = await say('詩=si1', { temperature: 0, voice: { id: 'test', profile, reference: null } });
  const { word } = wordsOf(events)[0]!;
  const noise = soundOf(events).slice((word.startMs + 15) * 24, (word.startMs + 65) * 24);
  return noise.reduce((count, sample, i) => count + Number(i > 0 && sample * noise[i - 1]! < 0), 0);
}

test('the noise of a small mouth is higher than that of a large one, as its vowels are', async () => {
  const [small, large] = [await crossingsBy([600, 1_900, 3_100]), await crossingsBy([460, 1_450, 2_350])];
  expect(small).toBeGreaterThan(1.15 * large);
});
