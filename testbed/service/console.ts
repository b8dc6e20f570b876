import type { Locator, Page } from 'playwright-core';
import { Jyutsing, STREAM_SAMPLE_RATE } from '@jyutsing/client';
import { wavBytes } from '#testbed/sound/audio.ts';
import type { OpenedPage, TestBrowser } from './browser.ts';
import { OWNER_KEY } from './service.ts';

export type Appearance = { language: 'en' | 'zh-HK'; theme: 'light' | 'dark' };

/** Signs a page of the console in with the owner's key, in this language and theme. */
export async function signIn(page: Page, baseUrl: string, { language, theme }: Appearance): Promise<void> {
  await page.evaluate(
    ([chosen, shown]) => {
      localStorage.setItem('jyutsing.language', chosen);
      localStorage.setItem('jyutsing.theme', shown);
    },
    [language, theme] as const,
  );
  await page.goto(`${baseUrl}/console/#key=${OWNER_KEY}`);
  await page.reload();
  await page.locator('nav').waitFor({ state: 'attached' });
}

/** Opens a screen of the console in English, after the link that the service prints for a key. */
export async function openConsole(
  browser: TestBrowser,
  baseUrl: string,
  screen: string,
  { key = OWNER_KEY, expectedErrors }: { key?: string; expectedErrors?: RegExp | undefined } = {},
): Promise<OpenedPage> {
  const stored = { 'jyutsing.language': 'en', 'jyutsing.theme': 'light' };
  const opened = await browser.open(`${baseUrl}/console/#key=${key}`, { stored, expectedErrors });
  await opened.page.getByRole('navigation').waitFor({ state: 'attached' });
  if (screen !== '') await opened.page.goto(`${baseUrl}/console/#/${screen}`);
  return opened;
}

/** The voices and sentences of the example. */
const MEETING: readonly (readonly [voice: string, sentence: string])[] = [
  ['jasmine', '大家早晨，歡迎參加今日嘅會議。'],
  ['marcus', '早晨，我想先講下星期五嘅安排。'],
  ['jasmine', '好，我哋幾點喺邊度等？'],
  ['marcus', '朝早九點半，喺中環碼頭等，唔好遲到啊。'],
  ['jasmine', '食完飯之後，我哋一齊坐地鐵返公司。'],
  ['marcus', '冇問題，我今晚會發電郵畀大家。'],
];
const PAUSE_SECONDS = 0.6;

/** An example of everything that the console shows: a transcript, a word list, an account. */
export async function fillConsole(baseUrl: string): Promise<{ transcriptId: string; corpusId: string }> {
  const client = new Jyutsing({ baseUrl, apiKey: OWNER_KEY });
  const { id: corpusId } = await client.corpora.create({
    name: '公司用語',
    description: '會議常用的人名和地名',
    entries: [
      { text: '陳大文', jyutping: 'can4 daai6 man4', weight: 2 },
      { text: '深水埗', jyutping: 'sam1 seoi2 bou2' },
      { text: '財政預算案', jyutping: 'coi4 zing3 jyu6 syun3 on3' },
      { text: 'T恤', jyutping: 'seot1' },
    ],
  });
  const { id } = await client.accounts.create({ name: '市場部', plan: 'starter' });
  await client.keys.create(id, { name: '字幕程式', scopes: ['stt'] });
  const job = await client.transcribe(new File([await speakMeeting(client)], 'meeting.wav'), {
    diarization: true,
    speakers: 2,
    keepAudio: true,
    title: '星期一例會',
  });
  await job.wait();
  await job.save({ speakers: { SPEAKER_00: '陳小姐', SPEAKER_01: '李先生' } });
  return { transcriptId: job.id, corpusId };
}

/** A meeting of two people, in the voices of the service: a WAV file. */
export async function speakMeeting(client: Jyutsing): Promise<Buffer<ArrayBuffer>> {
  const samples: number[] = [];
  for (const [voice, sentence] of MEETING) {
    const pieces: Uint8Array[] = [];
    for await (const piece of client.speak(sentence, { voice })) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    for (let at = 0; at < bytes.length; at += 2) samples.push(bytes.readInt16LE(at) / 32_768);
    for (let count = 0; count < STREAM_SAMPLE_RATE * PAUSE_SECONDS; count += 1) samples.push(0);
  }
  return Buffer.from(wavBytes({ channels: [Float32Array.from(samples)], sampleRateHz: STREAM_SAMPLE_RATE }));
}

const MAX_STEPS = 100;

/** Presses Tab until the control has the focus. */
export async function moveFocusTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if ((await control.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${String(control)}.`);
}

export async function pressByKeyboard(page: Page, control: Locator): Promise<void> {
  await moveFocusTo(page, control);
  await page.keyboard.press('Enter');
}

/** Resolves when the recorder has run for so many seconds, below a minute. */
export async function untilRecorded(page: Page, seconds: number): Promise<void> {
  const timer = page.getByRole('timer');
  await timer.waitFor();
  while (Number((await timer.innerText()).split(':').at(-1)) < seconds) await page.waitForTimeout(50);
}
