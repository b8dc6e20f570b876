import { beforeAll, describe, expect, it } from 'vitest';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import { descendants } from '#testbed/service/process-tree.ts';
import { editDistance } from '../../eval/score.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { killProcess, waitUntilGone } from '#test/processes.ts';
import { OWNER_KEY, request, sharedService, type SharedService } from '#testbed/service/service.ts';
import {
  transcribeSound,
  jsonRequest,
  levelOf,
  decodeFile,
  decodePcm,
  STREAM_RATE_HZ,
} from '#testbed/clients/decode-sound.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const TEXT = '今日天氣好好，我哋去公園行下啦。聽日朝早九點開會，唔好遲到。';

/** Enough tones that their median is near the middle of the register. */
const LONGER_TEXT = `${TEXT}我住喺九龍，返工要搭地鐵。醫生叫我飲多啲水，早啲瞓覺。呢間餐廳嘅點心好好食，我哋下次再嚟。`;

let service: SharedService;
let voices: { voice_id: string; name: string; public: boolean }[];

beforeAll(async () => {
  service = await sharedService();
  voices = (await request(`${service.baseUrl}/api/voices`, { headers: { 'x-api-key': OWNER_KEY } })).body[
    'voices'
  ] as typeof voices;
});

/** Intonation is random unless the temperature is zero; undefined: the default. */
const STEADY = { temperature: 0 };
const stream = (fields: Record<string, unknown>, init: RequestInit = {}) =>
  fetch(`${service.baseUrl}/api/tts-stream`, {
    ...jsonRequest({ voice_id: voices[0]?.voice_id, ...STEADY, ...fields }),
    ...init,
  });
const pcmOf = async (fields: Record<string, unknown>) => {
  const response = await stream(fields);
  expect(response.status).toBe(200);
  return decodePcm(new Uint8Array(await response.arrayBuffer()));
};
const file = (fields: Record<string, unknown>) =>
  fetch(`${service.baseUrl}/api/tts`, jsonRequest({ ...STEADY, ...fields }));
const soundOf = async (response: Response) => decodeFile(new Uint8Array(await response.arrayBuffer()));
const plain = (text: string) => Array.from(text.replaceAll(/[\s\p{P}]/gu, ''));
const semitones = (toHz: number, fromHz: number) => 12 * Math.log2(toHz / fromHz);
/** Character error rate of the service's own transcript of its speech. */
const errorIn = (recognized: string, spoken: string) =>
  editDistance(plain(recognized), plain(spoken)) / plain(spoken).length;

describe('a speech stream', () => {
  it('contains the text, as the recognizer of the service transcribes it', async () => {
    const sound = await pcmOf({ text: TEXT });
    expect(durationOf(sound)).toBeGreaterThan(4_000);
    expect(errorIn(await transcribeSound(service.baseUrl, sound), TEXT)).toBeLessThanOrEqual(0.2);
  });

  it('has exactly the documented headers', async () => {
    const response = await stream({ text: '你好', model_id: 'V7\r\nx: 1 粵' });
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'transfer-encoding': 'chunked',
      'x-sample-rate': '24000',
      'x-audio-format': 'pcm_s16le',
      'x-channels': '1',
      'x-characters-charged': '8',
      'x-model-id-ignored': 'V7%0D%0Ax: 1 %E7%B2%B5',
    });
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('x');
    expect((await response.arrayBuffer()).byteLength % 2).toBe(0);
    const without = await stream({ text: '你好' });
    expect(without.headers.has('x-model-id-ignored')).toBe(false);
    await without.arrayBuffer();
  });

  it('speaks English on request', async () => {
    const text = 'The weather is lovely today, so we could walk in the park.';
    const sound = await pcmOf({ text, language: 'English' });
    const transcript = (await transcribeSound(service.baseUrl, sound, 'english')).toLowerCase();
    expect(transcript).toMatch(/weather|lovely|walk|park/);
  });

  it.each(['好', '係。', '㗎', 'A', '8', '唔', '食'])('is complete for a text of one syllable: %s', async (text) => {
    const sound = await pcmOf({ text });
    expect(durationOf(sound)).toBeGreaterThan(150);
    expect(durationOf(sound)).toBeLessThan(2_500);
    expect(levelOf(sound)).toBeGreaterThan(0.01);
    // It ends in silence, not within a sound.
    expect(levelOf(sound, durationOf(sound) - 20)).toBeLessThan(0.01);
  });

  it('starts long before it is complete', async () => {
    // Long, so that a busy machine does not decide.
    const response = await stream({ text: TEXT.repeat(60), temperature: undefined });
    const startedMs = performance.now();
    const reader = response.body!.getReader();
    await reader.read();
    const firstMs = performance.now() - startedMs;
    let chunks = 1;
    while (!(await reader.read()).done) chunks += 1;
    expect(chunks).toBeGreaterThan(20);
    expect(firstMs).toBeLessThan((performance.now() - startedMs) / 4);
  });

  it('is free of clicks at the joints of pieces and chunks', async () => {
    const [samples] = (await pcmOf({ text: TEXT })).channels;
    // A click is a step between neighboring samples that the surrounding samples do not explain.
    const steps = samples!.map((sample, i) => (i === 0 ? 0 : Math.abs(sample - samples![i - 1]!)));
    const largest = steps.reduce((most, step) => Math.max(most, step), 0);
    expect(largest).toBeLessThan(0.5);
    const loudest = samples!.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    expect(loudest).toBeLessThan(1);
    expect(loudest).toBeGreaterThan(0.1);
  });
});

describe('a client that does not read its speech stream', () => {
  it('frees the engine when it disconnects, and other clients are served', async () => {
    const long = TEXT.repeat(50);
    const leaving = Array.from({ length: 24 }, async () => {
      const abort = new AbortController();
      const response = await stream({ text: long }, { signal: abort.signal });
      await response.body!.getReader().read();
      abort.abort();
    });
    await Promise.all(leaving);
    const startedMs = performance.now();
    await pcmOf({ text: '你好' });
    // Two dozen texts of several minutes each would occupy the engine for minutes.
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('does not block other clients', async () => {
    const sleeping = await Promise.all(Array.from({ length: 8 }, () => stream({ text: TEXT.repeat(50) })));
    const sound = await pcmOf({ text: TEXT });
    expect(durationOf(sound)).toBeGreaterThan(4_000);
    await Promise.all(sleeping.map((response) => response.body!.cancel()));
  });
});

describe('a crash of the synthesis process', () => {
  it('breaks the stream without completing it, and the next one is served', async () => {
    const response = await stream({ text: TEXT.repeat(100) });
    const reader = response.body!.getReader();
    await reader.read();
    const killed = new Set<number>();
    const readStream = async () => {
      while (!(await reader.read()).done) {
        for (const pid of descendants(service.process.pid!)) if (killProcess(pid)) killed.add(pid);
      }
    };
    await expect(readStream()).rejects.toThrow(/terminated|aborted|closed|reset/i);
    await waitUntilGone(killed);
    expect(durationOf(await pcmOf({ text: TEXT }))).toBeGreaterThan(4_000);
  });
});

/** Speaks SSML the same way each time. */
const timedSsml = async (contents: string) => {
  const body = { text: `<speak>${contents}</speak>`, temperature: 0, should_return_timestamp: true };
  const answer = (await (await file(body)).json()) as {
    timestamps: { start: number; end: number; text: string }[];
    marks: { name: string; time: number }[];
  };
  const spans = answer.timestamps.map(({ start, end, text }) => [text, { start, end, length: end - start }] as const);
  return { words: new Map(spans), marks: answer.marks };
};

describe('a speech file', () => {
  it('of temperature 0 has the same bytes each time', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => Buffer.from(await (await file({ text: TEXT })).arrayBuffer())),
    );
    expect(first!.length).toBeGreaterThan(200_000);
    expect(second!.equals(first!)).toBe(true);
  });

  it.each([
    ['wav', '16000', 'audio/wav'],
    ['mp3', '24000', 'audio/mpeg'],
    ['ogg', '44100', 'audio/ogg'],
    ['flac', '44100', 'audio/flac'],
  ])('is %s at %s Hz and contains the text', async (extension, rate, mediaType) => {
    const response = await file({ text: TEXT, frame_rate: rate, output_extension: extension });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(mediaType);
    expect(response.headers.get('x-characters-charged')).toBe(String(Array.from(TEXT).length));
    expect(errorIn(await transcribeSound(service.baseUrl, await soundOf(response)), TEXT)).toBeLessThanOrEqual(0.2);
  });

  it('has the requested duration', async () => {
    for (const duration of [5, 8, 12]) {
      const sound = await soundOf(await file({ text: TEXT, duration }));
      expect(Math.abs(durationOf(sound) / 1_000 / duration - 1)).toBeLessThanOrEqual(0.03);
    }
  });

  it('can be faster and higher without becoming another voice', async () => {
    const base = await soundOf(await file({ text: TEXT, speed: 1 }));
    const fast = await soundOf(await file({ text: TEXT, speed: 2 }));
    expect(durationOf(base) / durationOf(fast)).toBeCloseTo(2, 0);
    const high = await soundOf(await file({ text: TEXT, pitch: '5' }));
    const [profile, higher] = [base, high].map((sound) => measureVoice(sound.channels[0]!, STREAM_RATE_HZ));
    // Random intonation limits the precision of this check: over 400 pairs the pitch is 4.9 ± 0.5
    // semitones higher, the formants −0.3 ± 0.2. Playing the audio faster instead would raise
    // formants by 3.1 ± 0.2. Tests with a fixed intonation check both exactly.
    expect(Math.abs(semitones(higher!.pitchMedianHz, profile!.pitchMedianHz) - 5)).toBeLessThan(2.5);
    const moved = profile!.formantsHz.map((hz, i) => semitones(higher!.formantsHz[i]!, hz));
    expect(Math.abs(moved.reduce((sum, shift) => sum + shift, 0) / moved.length)).toBeLessThan(1.5);
  });

  it('lists the times of words', async () => {
    const response = await file({ text: TEXT, should_return_timestamp: true });
    const answer = (await response.json()) as {
      file: string;
      request_id: string;
      srt_timestamp: string;
      timestamps: { start: number; end: number; text: string }[];
    };
    const sound = await decodeFile(Buffer.from(answer.file, 'base64'));
    expect(answer.timestamps.map(({ text }) => text).join('')).toBe(plain(TEXT).join(''));
    let last = 0;
    for (const { start, end } of answer.timestamps) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start);
      last = start;
      // Check that the span is not silent.
      expect(levelOf(sound, start * 1_000, end * 1_000)).toBeGreaterThan(0.005);
    }
    expect(last).toBeLessThan(durationOf(sound) / 1_000);
    expect(answer.srt_timestamp).toMatch(/^1\n00:00:0\d,\d{3} --> /);
    expect(answer.request_id).toBe(response.headers.get('x-request-id'));
  });

  it('follows SSML', async () => {
    const { words: usual } = await timedSsml('我今日去銀行攞錢。');
    const { words, marks } = await timedSsml(
      '我今日<break time="1s"/>去<mark name="bank"/><prosody rate="50%" volume="soft">銀行</prosody>攞錢。',
    );
    expect([...words.keys()]).toEqual([...usual.keys()]);
    expect(words.get('去')!.start - words.get('今日')!.end).toBeCloseTo(1.04, 1);
    expect(words.get('銀行')!.length / usual.get('銀行')!.length).toBeGreaterThan(1.6);
    expect(words.get('攞')!.start - words.get('銀行')!.end).toBeLessThan(0.1);
    expect(marks).toEqual([{ name: 'bank', time: words.get('銀行')!.start }]);
  });

  it('speaks jyutping in a text as jyutping', async () => {
    const spoken = await soundOf(await file({ text: 'ngo5 gam1 jat6' }));
    expect(spoken).toEqual(await soundOf(await file({ jyutping: 'ngo5 gam1 jat6' })));
  });

  it('speaks exactly the given jyutping', async () => {
    const jyutping = 'ngo5 zung1 ji3 jam2 naai5 caa4';
    const sound = await soundOf(await file({ jyutping }));
    expect(errorIn(await transcribeSound(service.baseUrl, sound), '我鍾意飲奶茶')).toBeLessThanOrEqual(0.34);
    expect((await file({ jyutping: 'ngo5 xyz9' })).status).toBe(400);
  });
});

describe('a custom voice', () => {
  it('is made from a recording, sounds like it, and is gone when deleted', async () => {
    const sentences = ['我住喺九龍，返工要搭地鐵。', '醫生叫我飲多啲水，早啲瞓覺。', '呢間餐廳嘅點心好好食。'];
    const spoken = [];
    for (const sentence of sentences) {
      spoken.push(await speak(toJyutping(sentence), { voice: 'yue-latn-jyutping+f4', pitch: 75 }));
    }
    const sample = joinSounds(spoken, 250);
    const form = new FormData();
    form.append('name', '阿妹');
    form.append('sample', new Blob([new Uint8Array(wavBytes(sample))]), 'sample.wav');
    form.append('language', 'cantonese');
    form.append('consent', 'true');
    form.append('api_key', OWNER_KEY);
    const made = await request(`${service.baseUrl}/api/voices`, { method: 'POST', body: form });
    expect(made).toMatchObject({ status: 200, body: { success: true, voice: { name: '阿妹', public: false } } });
    const id = (made.body['voice'] as { voice_id: string }).voice_id;

    const clone = await pcmOf({ text: LONGER_TEXT, voice_id: id });
    const reference = measureVoice(sample.channels[0]!, sample.sampleRateHz);
    const measured = measureVoice(clone.channels[0]!, STREAM_RATE_HZ);
    expect(Math.abs(semitones(measured.pitchMedianHz, reference.pitchMedianHz))).toBeLessThanOrEqual(1.5);

    const headers = { 'x-api-key': OWNER_KEY };
    const kept = await fetch(`${service.baseUrl}/api/voices/${id}/sample`, { headers });
    expect(
      Math.abs(durationOf(await decodeFile(new Uint8Array(await kept.arrayBuffer()))) - durationOf(sample)),
    ).toBeLessThan(1_000);
    expect((await request(`${service.baseUrl}/api/voices/${id}`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await stream({ text: '你好', voice_id: id })).status).toBe(404);
  });

  it('seven voices ship, each with a sample that sounds like it', async () => {
    expect(voices.filter((voice) => voice.public)).toHaveLength(7);
    const pitches = [];
    for (const { voice_id: id } of voices) {
      const response = await fetch(`${service.baseUrl}/api/voices/${id}/sample`, {
        headers: { 'x-api-key': OWNER_KEY },
      });
      const sample = await decodeFile(new Uint8Array(await response.arrayBuffer()));
      const spoken = await pcmOf({ text: TEXT, voice_id: id });
      const [there, here] = [sample, spoken].map(({ channels }) => measureVoice(channels[0]!, STREAM_RATE_HZ));
      // The tones of different texts shift the median by up to a semitone from the register.
      expect(Math.abs(semitones(here!.pitchMedianHz, there!.pitchMedianHz))).toBeLessThanOrEqual(2.5);
      pitches.push(here!.pitchMedianHz);
    }
    // The voices range from a man to a child.
    expect(Math.max(...pitches) / Math.min(...pitches)).toBeGreaterThan(2);
  });
});
