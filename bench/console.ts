import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { median, quantile } from '@jyutsing/numeric/statistics';
import { Jyutsing } from '@jyutsing/client';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { signIn } from '#testbed/service/console.ts';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { buildConsole } from '../scripts/build-console.ts';
import { generousPlan } from './plan.ts';
import { medianWithSpread, type Measurement } from './report.ts';
import { measureSearch } from './search.ts';
import { writeSpeechThenSilence } from './sounds.ts';

const HOURS = 3;
const SEGMENTS = 3_000;
const TEXT = '今日我哋一齊去飲茶啦';
const SPEAKERS = 4;
const ROUNDS = 5;
const MIB = 1_024 ** 2;
const SCROLLED_SECONDS = 5;
const PIXELS_A_FRAME = 60;
/** At 16 times, the highest rate, Chromium 156 does not play a file of three hours at all. */
const PLAYED_RATE = 8;
const PLAYED_MINUTES = 30;
/** People who split and join fast do so about twice a second. */
const EDIT_MS = 400;
const PLAYED_SECONDS = (PLAYED_MINUTES * 60) / PLAYED_RATE;

type Opened = { page: Page; debug: CDPSession };

/** The console in a browser: its first load, and a transcript of 3 hours and 30,000 characters. */
export async function measureConsole(): Promise<Measurement[]> {
  if (CHROMIUM === null) throw new Error('Install Chromium to measure the console: apt-get install chromium');
  await buildConsole();
  await using folder = await temporaryFolder();
  const service = await startService(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  await using browser = await openBrowser({
    flags: ['--autoplay-policy=no-user-gesture-required'],
    isFreshForEachPage: true,
    isWhole: true,
  });
  try {
    const id = await makeLongTranscript(service.baseUrl, folder.path);
    const first = await measureFirstLoads(browser, service.baseUrl);
    await using opened = await browser.open(`${service.baseUrl}/console/`);
    const { page } = opened;
    const debug = await page.context().newCDPSession(page);
    // Collects the players of the page, to play them faster than a person would.
    await page.addInitScript(
      'players = []; Audio = class extends Audio { constructor(...all) { super(...all); players.push(this); } }',
    );
    await signIn(page, service.baseUrl, { language: 'en', theme: 'light' });
    const opening = await measureOpening(page, `${service.baseUrl}/console/#/transcripts/${id}`);
    const drawn = [await measureScrolling(page), await measureEditing(page)];
    return [...first, opening, ...drawn, await measurePlaying({ page, debug }), ...(await measureSearch())];
  } finally {
    await service.stop();
  }
}

/** Transcribes three hours with little speech, and corrects them to 30,000 characters. */
async function makeLongTranscript(baseUrl: string, folder: string): Promise<string> {
  const recording = join(folder, 'hours.wav');
  await writeSpeechThenSilence(recording, 60, HOURS * 3_600);
  const client = new Jyutsing({ baseUrl, apiKey: OWNER_KEY });
  const job = await client.transcribe(recording, { keepAudio: true, title: 'Three hours' });
  await job.wait();
  const step = (HOURS * 3_600 - 60) / SEGMENTS;
  const segments = Array.from({ length: SEGMENTS }, (_, index) => ({
    start: index * step,
    end: (index + 0.9) * step,
    text: TEXT,
    speaker: `SPEAKER_0${index % SPEAKERS}`,
  }));
  await job.save({ segments });
  return job.id;
}

async function measureFirstLoads(browser: TestBrowser, baseUrl: string): Promise<Measurement[]> {
  const interactiveMs: number[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // A page with separate storage and cache.
    await using opened = await browser.open(`${baseUrl}/console/#key=${OWNER_KEY}`);
    await opened.page.locator('main h1').waitFor();
    interactiveMs.push(Number(await opened.page.evaluate(`performance.now()`)));
    bytes = Number(
      await opened.page.evaluate(
        `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
          .filter(({ name }) => name.includes('/console/')).reduce((sum, { transferSize }) => sum + transferSize, 0)`,
      ),
    );
  }
  return [
    { label: 'first load', value: `${(bytes / 1_000).toFixed(0)} kB`, goal: '≤ 80 kB', met: bytes <= 80_000 },
    {
      label: 'ms until the first screen can be used',
      value: medianWithSpread(interactiveMs, 0),
      goal: '≤ 1500',
      met: median(interactiveMs) <= 1_500,
    },
  ];
}

async function measureOpening(page: Page, address: string): Promise<Measurement> {
  const startedMs = performance.now();
  await page.goto(address);
  await page
    .locator('.segment')
    .nth(SEGMENTS - 1)
    .waitFor({ state: 'attached' });
  const ms = performance.now() - startedMs;
  return {
    label: `ms until a transcript of ${HOURS} hours is open`,
    value: ms.toFixed(0),
    goal: '≤ 1500',
    met: ms <= 1_500,
  };
}

async function measureScrolling(page: Page): Promise<Measurement> {
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const frames = [];
    let last = performance.now();
    const end = last + ${SCROLLED_SECONDS * 1_000};
    requestAnimationFrame(function step(now) {
      frames.push(now - last);
      last = now;
      scrollBy(0, ${PIXELS_A_FRAME});
      if (now < end) requestAnimationFrame(step);
      else resolve(frames);
    });
  })`)) as number[];
  const rate = (frames.length * 1_000) / frames.reduce((sum, ms) => sum + ms, 0);
  return {
    label: 'frames a second while it scrolls',
    value: `${rate.toFixed(0)} (slowest of 20: ${quantile(frames, 0.95).toFixed(0)} ms)`,
    goal: '≥ 55',
    met: rate >= 55,
  };
}

/** Segments that are split and joined again, at the beginning, in the middle and near the end. */
const EDITED = [3, SEGMENTS / 2, SEGMENTS - 5];
const EDITS = 8;

/** The frames while segments are split and joined one after another, as fast as people do. */
async function measureEditing(page: Page): Promise<Measurement> {
  await page.getByRole('button', { name: 'Correct', exact: true }).click();
  await page.locator('.segment-text').first().waitFor();
  const rates: number[] = [];
  const slowest: number[] = [];
  for (const place of EDITED) {
    await page.locator('.segment-text').nth(place).click();
    await page.waitForTimeout(500);
    await page.evaluate(`
      frames = [];
      isMeasured = true;
      last = performance.now();
      requestAnimationFrame(function step(now) {
        frames.push(now - last);
        last = now;
        if (isMeasured) requestAnimationFrame(step);
      });
    `);
    for (let edit = 0; edit < EDITS; edit += 1) {
      await page.keyboard.press('Home');
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(EDIT_MS);
      await page.keyboard.press('Backspace');
      await page.waitForTimeout(EDIT_MS);
    }
    const frames = (await page.evaluate('isMeasured = false, frames')) as number[];
    rates.push((frames.length * 1_000) / frames.reduce((sum, ms) => sum + ms, 0));
    slowest.push(quantile(frames, 0.95));
  }
  const rate = Math.min(...rates);
  return {
    label: 'frames a second while segments are split and joined',
    value: `${rate.toFixed(0)} (slowest of 20: ${Math.max(...slowest).toFixed(0)} ms)`,
    goal: '≥ 50',
    met: rate >= 50,
  };
}

/** The memory of the page before and after half an hour of sound, which is played fast. */
async function measurePlaying({ page, debug }: Opened): Promise<Measurement> {
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const before = await heapBytes(debug);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.evaluate(
    `for (const player of players) Object.assign(player, { preservesPitch: false, playbackRate: ${PLAYED_RATE} })`,
  );
  await page.waitForTimeout(PLAYED_SECONDS * 1_000);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const after = await heapBytes(debug);
  const playedTo = Number(await page.evaluate('Math.max(...players.map(({ currentTime }) => currentTime))'));
  const growth = (after - before) / MIB;
  return {
    label: `memory of the page after ${(playedTo / 60).toFixed(0)} minutes of sound − before`,
    value: `${growth.toFixed(1)} MiB (${(after / MIB).toFixed(0)} − ${(before / MIB).toFixed(0)})`,
    goal: '≤ 20 MiB',
    met: growth <= 20 && playedTo >= PLAYED_MINUTES * 50,
  };
}

async function heapBytes(debug: CDPSession): Promise<number> {
  await debug.send('Performance.enable');
  await debug.send('HeapProfiler.collectGarbage');
  const { metrics } = await debug.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
}
