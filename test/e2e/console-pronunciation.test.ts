import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { openConsole, untilRecorded } from '#testbed/service/console.ts';
import { OWNER_KEY, sharedService, temporaryFolder, type SharedService } from '#testbed/service/service.ts';
import { buildConsole } from '../../scripts/build-console.ts';

/** The microphone hears this sentence. */
const SAID = 'My brother lives near the station.';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: SharedService;
let browser: TestBrowser;

describe.skipIf(CHROMIUM === null)('the screen Pronunciation', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    service = await sharedService();
    const client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    const microphonePath = join(folder.path, 'speaker.wav');
    const spoken = await client.speak(SAID, { language: 'english', temperature: 0, format: 'wav' }).blob();
    await writeFile(microphonePath, new Uint8Array(await spoken.arrayBuffer()));
    browser = await openBrowser({ microphonePath });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('scores English by words and sounds with an English voice, and keeps the language', async () => {
    await using opened = await openScreen();
    const { page } = opened;
    await language(page, 'English').click();
    // An example gives way to one of the new language.
    expect(await page.getByLabel('What you will say').inputValue()).toBe('Good morning! How are you?');
    await page.getByRole('button', { name: SAID }).click();
    const speaking = page.waitForRequest(/\/api\/tts/);
    await page.getByRole('button', { name: 'Hear it' }).click();
    expect((await speaking).postDataJSON()).toMatchObject({ text: SAID, language: 'english' });
    await record(page);
    const words = page.locator('.spoken-word');
    await words.first().waitFor();
    expect(await words.allInnerTexts()).toEqual(['My', 'brother', 'lives', 'near', 'the', 'station']);
    expect(await page.locator('.syllable').first().locator('.phones li').allInnerTexts()).toEqual([
      expect.stringMatching(/^M\b/),
      expect.stringMatching(/^AY\b/),
    ]);
    await page.getByText(/^Accuracy \d+ · Fluency \d+ · Completeness \d+$/).waitFor();
    expect(await page.locator('.contour').count()).toBe(0);
    await page.getByText('Weak points and minimal pairs are offered for Cantonese.').waitFor();
    await page.reload();
    await expect.poll(() => language(page, 'English').getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('What you will say').inputValue()).toBe(SAID);
  });

  it('scores Mandarin by syllables in pinyin', async () => {
    await using opened = await openScreen();
    const { page } = opened;
    await language(page, 'Mandarin').click();
    await page.getByLabel('What you will say').fill('你好 ma5');
    await record(page);
    const syllables = page.locator('.syllable');
    await syllables.first().waitFor();
    // Text in pinyin is its own reading.
    expect(await syllables.locator('ruby').allInnerTexts()).toEqual([
      expect.stringMatching(/^你\s*ni[23]$/),
      expect.stringMatching(/^好\s*hao3$/),
      'ma5',
    ]);
    expect(await syllables.first().locator('dt').allInnerTexts()).toEqual(['Onset', 'Rime', 'Tone']);
    expect(await syllables.first().locator('.contour-target').getAttribute('points')).not.toBe('');
  });

  it('does not count a recording of another text among the weak points', async () => {
    await using opened = await openScreen();
    const { page } = opened;
    // A few syllables are heard in anything by chance.
    await page.getByLabel('What you will say').fill('我哋今日去圖書館借咗三本關於香港歷史嘅書');
    await record(page);
    await page.locator('.syllable').first().waitFor();
    await page.getByText('Hardly anything of this text was heard, so this recording does not count').waitFor();
    expect(await page.getByText('Record a sentence.').count()).toBe(1);
  });

  it('says how a text of another language is scored', async () => {
    await using opened = await openScreen(/400/);
    const { page } = opened;
    await page.getByLabel('What you will say').fill('hello world');
    await record(page);
    const refused = page.getByRole('alert');
    await refused.getByText('No word of this text can be read in this language.').waitFor();
    await refused.getByText('language=english').waitFor();
    await language(page, 'English').click();
    // Typed text stays.
    expect(await page.getByLabel('What you will say').inputValue()).toBe('hello world');
    expect(await refused.count()).toBe(0);
  });

  it('offers neither the voice nor the microphone for an empty text', async () => {
    await using opened = await openScreen();
    const { page } = opened;
    await page.getByLabel('What you will say').fill(' ');
    for (const name of ['Hear it', 'Record yourself']) {
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    }
  });
});

const language = (page: Page, name: string) =>
  page.locator('main').getByRole('group', { name: 'Language' }).getByRole('button', { name });

async function record(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Record yourself' });
  await expect.poll(() => button.isEnabled(), { timeout: 60_000 }).toBe(true);
  await button.click();
  await untilRecorded(page, 2);
  await page.getByRole('button', { name: 'Stop and use it' }).click();
}

const openScreen = (expectedErrors?: RegExp) =>
  openConsole(browser, service.baseUrl, 'pronunciation', { expectedErrors });
