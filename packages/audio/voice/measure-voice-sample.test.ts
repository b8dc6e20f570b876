import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VOICE_BANDS } from '@jyutsing/contracts/voice';
import { noise, silence, tones, writeSound, type FixtureFormat, type Sound } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';
import { decodeTimbre } from './timbre.ts';
import { measureVoiceSample } from './measure-voice-sample.ts';
import { measureVoice, VOICE_PROFILE_VERSION } from './measure-voice.ts';

const never = new AbortController().signal;
const SHORT = 'nei5 hou2 , gam1 jat6 tin1 hei3 hou2 hou2';
const LONG = `${SHORT} , ngo5 dei6 jat1 cai4 heoi3 gung1 jyun2 haang4 haa5 , hou2 m4 hou2 aa3 , keoi5 waa6 m4 dak1 haan4`;
let folder = '';
let speech: Sound;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voice-sample-'));
  speech = await speak(LONG);
});
afterAll(() => rm(folder, { recursive: true }));

async function measure(sound: Sound, format: FixtureFormat = 'wav', name = `sample.${format}`) {
  const path = join(folder, name);
  await writeSound(path, sound, format);
  return measureVoiceSample(path, never);
}

const changed = (sound: Sound, change: (sample: number, i: number) => number): Sound => ({
  sampleRateHz: sound.sampleRateHz,
  channels: sound.channels.map((channel) => channel.map(change)),
});
const padded = (sound: Sound, beforeMs: number, afterMs: number): Sound =>
  joinSounds([silence(beforeMs, 24_000), sound, silence(afterMs, 24_000)], 0);
const withHiss = (sound: Sound, level: number): Sound => {
  const hiss = noise((1_000 * sound.channels[0]!.length) / sound.sampleRateHz, level, sound.sampleRateHz).channels[0]!;
  return changed(sound, (sample, i) => sample + (hiss[i] ?? 0));
};

describe('a good sample', () => {
  it('is cut to its speech with a little silence around, as WAV of 24 kHz', async () => {
    const { wav, durationMs } = await measure(padded(speech, 1_500, 2_000));
    const bare = (speech.channels[0]!.length / 24_000) * 1_000;
    expect(Math.abs(durationMs - bare)).toBeLessThan(500);
    expect(wav.length).toBe(44 + 2 * Math.round((durationMs * 24_000) / 1_000));
    expect(Buffer.from(wav.subarray(0, 16)).toString('latin1')).toMatch(/^RIFF....WAVEfmt $/s);
    expect(new DataView(wav.buffer).getUint32(24, true)).toBe(24_000);
  });

  it('of another level, codec, rate or number of channels shows the same voice', async () => {
    const reference = (await measure(speech)).profile;
    const remeasured = await Promise.all([
      measure(
        changed(speech, (sample) => sample * 0.05),
        'wav',
        'quiet.wav',
      ),
      measure(speech, 'mp3'),
      measure(speech, 'ogg-opus'),
      measure({ sampleRateHz: 24_000, channels: [speech.channels[0]!, speech.channels[0]!] }, 'wav', 'stereo.wav'),
      measure({ sampleRateHz: 8_000, channels: [resample(speech.channels[0]!, 24_000, 8_000)] }, 'wav', 'phone.wav'),
    ]);
    for (const { profile } of remeasured) {
      expect(Math.abs(12 * Math.log2(profile.pitchMedianHz / reference.pitchMedianHz))).toBeLessThan(0.3);
      for (const [i, hz] of profile.formantsHz.entries()) {
        expect(Math.abs(hz / reference.formantsHz[i]! - 1)).toBeLessThan(0.12);
      }
      expect(Math.abs(profile.syllablesPerSecond / reference.syllablesPerSecond - 1)).toBeLessThan(0.3);
    }
  });

  it('returns a profile in plain JSON under 8 KB', async () => {
    const { profile } = await measure(speech);
    expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
    expect(JSON.stringify(profile).length).toBeLessThan(8_000);
    expect(profile.version).toBe(VOICE_PROFILE_VERSION);
    for (const bands of [profile.voicedBandsDb, profile.unvoicedBandsDb, profile.noiseShares]) {
      expect(bands).toHaveLength(VOICE_BANDS.count);
      expect(bands.every(Number.isFinite)).toBe(true);
    }
    expect(decodeTimbre(profile.timbre)?.voiced.length).toBeGreaterThan(0);
  });
});

describe('refuses a sample with advice:', () => {
  const refusals: [string, () => Sound | Promise<Sound>, RegExp][] = [
    ['too short', () => speak(SHORT.slice(0, 30)), /too short.*3 to 30 seconds/],
    [
      'too long',
      () =>
        joinSounds(
          Array.from({ length: 6 }, () => speech),
          100,
        ),
      /too long.*30 seconds/,
    ],
    ['silence', () => silence(5_000, 24_000), /No speech/],
    ['hiss', () => noise(5_000, 0.3, 24_000), /No speech/],
    ['hum', () => tones([{ frequencyHz: 120, durationMs: 5_000 }], 24_000), /No speech/],
    [
      'a sequence of tones',
      () =>
        tones(
          Array.from({ length: 20 }, (_, i) => ({ frequencyHz: 220 * 2 ** (((i * 5) % 12) / 12), durationMs: 250 })),
        ),
      /No speech/,
    ],
    [
      'whistling',
      () =>
        joinSounds(
          Array.from({ length: 3 }, () => whistle(['nei5', 'hou2', 'maa1', 'gam1', 'jat6', 'tin1'])),
          100,
        ),
      /No speech|too short/,
    ],
    ['chords', () => chords(), /No speech/],
    [
      'a greeting in a long silence',
      async () => padded(await speak('zou2 san4, nei5 hou2'), 3_000, 3_000),
      /less than 2 seconds/,
    ],
    ['clipped', () => changed(speech, (sample) => Math.max(-1, Math.min(1, sample * 12))), /clipped/],
    [
      'overdriven so far that it is hardly speech',
      () => changed(speech, (sample) => (sample === 0 ? 0 : Math.sign(sample))),
      /No clear speech.*lower level/,
    ],
    [
      'noisy',
      () =>
        withHiss(
          changed(speech, (sample) => sample * 0.5),
          0.12,
        ),
      /noise/,
    ],
  ];
  it.each(refusals)('%s', async (name, make, sentence) => {
    // Compare one field only: printing a difference with all samples would take minutes.
    const measured = measure(await make(), 'wav', `${name.replaceAll(' ', '-')}.wav`).then(
      ({ durationMs }) => durationMs,
    );
    await expect(measured).rejects.toMatchObject({
      code: 'unsuitable_sample',
      message: expect.stringMatching(sentence) as string,
    });
  });

  it('a file that cannot be decoded is reported as undecodable', async () => {
    const path = join(folder, 'broken.wav');
    await writeFile(path, 'not audio');
    await expect(measureVoiceSample(path, never)).rejects.toMatchObject({ code: 'unsupported_audio_format' });
  });

  it('an aborted measuring ends with the reason', async () => {
    const path = join(folder, 'aborted.wav');
    await writeSound(path, speech, 'wav');
    await expect(measureVoiceSample(path, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});

/** Makes four sustained chords of three notes with five partials each. */
function chords(): Sound {
  const samples = new Float32Array(5 * 24_000);
  for (let i = 0; i < samples.length; i += 1) {
    const root = [220, 294, 330, 247, 220][Math.floor(i / 24_000)]!;
    for (const ratio of [1, 1.25, 1.5]) {
      for (let partial = 1; partial <= 5; partial += 1) {
        samples[i]! += (0.06 / partial) * Math.sin((2 * Math.PI * root * ratio * partial * i) / 24_000);
      }
    }
    samples[i]! *= Math.exp(-((i % 24_000) / 12_000));
  }
  return { sampleRateHz: 24_000, channels: [samples] };
}

describe('voice measurements', () => {
  it('follow the pitch of the voice', async () => {
    const profiles = [];
    for (const pitch of [20, 50, 80]) profiles.push(measureVoice((await speak(LONG, { pitch })).channels[0]!, 24_000));
    const [low, middle, high] = profiles.map(({ pitchMedianHz }) => pitchMedianHz);
    expect(middle! / low!).toBeGreaterThan(1.1);
    expect(high! / middle!).toBeGreaterThan(1.2);
  });

  it('silence gives an average voice instead of an error', () => {
    const profile = measureVoice(new Float32Array(24_000), 24_000);
    expect(profile.pitchMedianHz).toBeGreaterThan(0);
    expect(profile.formantsHz.every((hz) => hz > 0)).toBe(true);
    expect([...profile.voicedBandsDb, ...profile.unvoicedBandsDb, ...profile.noiseShares].every(Number.isFinite)).toBe(
      true,
    );
  });

  it('formants move with the length of the vocal tract', () => {
    const samples = speech.channels[0]!;
    const man = measureVoice(samples, 24_000);
    // Playing the samples faster by a fifth moves every resonance a fifth higher.
    const child = measureVoice(samples, 28_800);
    for (const [i, hz] of child.formantsHz.entries()) expect(hz / man.formantsHz[i]!).toBeGreaterThan(1.08);
    expect(child.pitchMedianHz / man.pitchMedianHz).toBeCloseTo(1.2, 1);
    expect(child.syllablesPerSecond).toBeGreaterThan(man.syllablesPerSecond);
  });
});
