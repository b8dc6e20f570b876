import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { wavBytes } from '#testbed/sound/audio.ts';
import { CHROMIUM, openBrowser, type OpenedPage, type TestBrowser } from '#testbed/service/browser.ts';
import { moveFocusTo, openConsole, pressByKeyboard, untilRecorded } from '#testbed/service/console.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, request, temporaryFolder } from '#testbed/service/service.ts';
import { buildConsole, CONSOLE_DIST } from '../../scripts/build-console.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Bytes of everything that a browser loads before it shows the first screen. */
const MAX_FIRST_LOAD_BYTES = 80_000;
/** Would be seen as an image or as other text if it were not shown as it is. */
const HOSTILE_NAME = '<img src=x onerror=alert(1)> text';
/** The title of a recording may hold marks of writing direction; names of keys may not. */
const HOSTILE_TITLE = `${HOSTILE_NAME} \u202etxet\u202c.wav`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let browser: TestBrowser;
let recording: string;
let consoleUrl: string;

describe.skipIf(CHROMIUM === null)('the console', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    recording = join(folder.path, 'meeting.wav');
    const sentences = ['大家早晨，歡迎收聽今日嘅節目。', '我住喺九龍，返工要搭地鐵。'];
    const spoken = await Promise.all(sentences.map((sentence) => speak(toJyutping(sentence))));
    await writeFile(recording, wavBytes(joinSounds(spoken, 700)));
    service = await startServiceHere(join(folder.path, 'data'));
    consoleUrl = `${service.baseUrl}/console/`;
    browser = await openBrowser({ microphonePath: recording });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await service.stop();
    await folder[Symbol.asyncDispose]();
  });

  it('leads from the printed link to a corrected SRT with names of speakers in at most 12 clicks', async () => {
    await using opened = await openSignedIn();
    const { page } = opened;
    expect(page.url()).not.toContain(OWNER_KEY);
    const clicks = await countClicks(page);
    await page.locator('input[type=file]').setInputFiles({
      name: HOSTILE_TITLE,
      mimeType: 'audio/wav',
      buffer: await readFile(recording),
    });
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await page.getByRole('link', { name: 'Open transcript' }).click();
    await page.getByLabel('Name of Speaker 1').fill('陳 <b>小姐</b>');
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const first = page.getByLabel('Text at 0:00');
    await first.fill('大家早晨，多謝<i>');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    const srt = await readFile(await download.path(), 'utf8');
    expect(srt).toContain('陳 <b>小姐</b>: 大家早晨，多謝<i>');
    expect(download.suggestedFilename()).toMatch(/^img src=x onerror=alert\(1\).*\.srt$/);
    // Files and texts are no clicks, but choosing a file is one.
    expect((await clicks()) + 1).toBeLessThanOrEqual(12);
    // A title like markup is shown as text, without the marks that reorder it.
    expect(await page.locator('.title-input').inputValue()).toBe(`${HOSTILE_NAME} txet`);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByText('<img src=x').waitFor();
    expect(await page.locator('main img, main i, main b').count()).toBe(0);
  });

  it('plays a recording from the character that is clicked, and marks what is heard', async () => {
    await using opened = await openTranscript();
    const { page } = opened;
    await page.getByLabel('Position in the recording').waitFor();
    await page.locator('.segment').nth(1).locator('.piece').first().click();
    await page.locator('.segment.active').nth(0).locator('.piece.said').waitFor();
    expect(await page.locator('.segment').nth(1).getAttribute('class')).toContain('active');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Jyutping' }).click();
    expect(await page.locator('rt').first().innerText()).toMatch(/^[a-z]+[1-6]$/);
  });

  it('asks which version stays when a transcript is edited in two tabs, and undoes', async () => {
    await using one = await openTranscript();
    await using other = await openTranscript(/409/);
    await title(one.page).fill('First');
    await one.page.getByText('Saved', { exact: true }).waitFor();
    await title(other.page).fill('Second');
    await other.page.getByText('Which version shall stay?').waitFor();
    await other.page.getByRole('button', { name: 'Take the saved one' }).click();
    await expect.poll(() => title(other.page).inputValue()).toBe('First');
    await title(other.page).fill('Third');
    await other.page.getByRole('button', { name: 'Undo' }).click();
    expect(await title(other.page).inputValue()).toBe('First');
  });

  it('tells what fusion changed and why, to the pointer and to the keyboard', async () => {
    const client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    const { id } = await client.corpora.create({ name: 'Places', entries: [{ text: '住喺九瓏', weight: 10 }] });
    const job = await client.transcribe(new File([await readFile(recording)], 'places.wav'), {
      corpora: [id],
      keepAudio: true,
    });
    await job.wait();
    await client.corpora.delete(id);
    await using opened = await openSignedIn();
    const { page } = opened;
    await page.goto(`${consoleUrl}#/transcripts/${job.id}`);
    const corrected = page.getByRole('button', { name: '瓏', exact: true });
    const note = page.locator('.correction-note');
    // The waveform moves the text when it comes.
    await page.getByLabel('Position in the recording').waitFor();
    await corrected.hover();
    expect(await note.innerText()).toMatch(
      /^“龍” was recognized and corrected to “瓏 lung4”\. Reason: “住喺九瓏” is in a word/,
    );
    await page.mouse.move(0, 0);
    await note.waitFor({ state: 'detached' });
    await moveFocusTo(page, corrected);
    const description = page.locator(`[id="${await corrected.getAttribute('aria-describedby')}"]`);
    expect(await description.textContent()).toBe(await note.innerText());
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    await job.delete();
  });

  it('saves corrected times, undoes them, and refuses those that overlap', async () => {
    await using opened = await openTranscript();
    const { page } = opened;
    const segments = async () => {
      const id = page.url().split('/').at(-1);
      const file = `${service.baseUrl}/api/speech-to-text/${id}.json`;
      const { body } = await request(file, { headers: { 'x-api-key': OWNER_KEY } });
      return (body as { segments: { start: number; end: number }[] }).segments;
    };
    const before = await segments();
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const end = page.getByLabel('End time at 0:00');
    const recognized = await end.inputValue();
    await end.fill('59:00');
    await end.press('Enter');
    await page.getByRole('alert').getByText('The next text begins at').waitFor();
    expect(await end.getAttribute('aria-invalid')).toBe('true');
    await end.fill('0:01.25');
    await end.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await expect.poll(async () => (await segments())[0]?.end).toBe(1.25);
    expect(await page.getByRole('alert').count()).toBe(0);
    await end.press('ArrowUp');
    expect(await end.inputValue()).toBe('0:01.350');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await end.inputValue()).toBe(recognized);
    await expect.poll(segments).toMatchObject(before.map(({ start, end: until }) => ({ start, end: until })));
  });

  it('replaces a text everywhere and adds it to a word list', async () => {
    await using opened = await openTranscript();
    const { page } = opened;
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const first = page.getByLabel('Text at 0:00');
    const word = (await first.inputValue()).slice(0, 2);
    await page.getByLabel('Find').fill(word);
    await page.getByLabel('Replace with').fill('陳大文');
    await page.getByRole('button', { name: /^Replace all \d/ }).click();
    expect(await first.inputValue()).toContain('陳大文');
    await page.getByRole('button', { name: 'Add “陳大文” to my word list' }).click();
    await page.getByText('“陳大文” was added').waitFor();
    const headers = { 'x-api-key': OWNER_KEY };
    const { corpora } = (await request(`${service.baseUrl}/api/corpora`, { headers })).body as {
      corpora: { public: boolean; entries_count: number }[];
    };
    expect(corpora.filter((corpus) => !corpus.public)).toMatchObject([{ entries_count: 1 }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('records the microphone and transcribes what it hears', async () => {
    await using opened = await openSignedIn();
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcribe', exact: true }).click();
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await untilRecorded(page, 3);
    await page.getByRole('button', { name: 'Stop and use it' }).click();
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await page.getByRole('link', { name: 'Open transcript' }).click();
    await page.locator('.segment').first().waitFor();
    expect(await page.locator('.title-input').inputValue()).toMatch(/^Recording .*\d/);
  });

  it('refuses a wrong key, and signs out when a key is revoked', async () => {
    const headers = { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' };
    const admin = (method: string, path: string, body?: object) =>
      request(`${service.baseUrl}/api/admin${path}`, { method, headers, body: JSON.stringify(body ?? {}) });
    const { account } = (await admin('POST', '/accounts', { name: 'guest', plan: 'pro' })).body as {
      account: { id: string };
    };
    const made = (await admin('POST', `/accounts/${account.id}/keys`, { scopes: ['stt'] })).body as {
      api_key: string;
      key: { id: string };
    };
    await using opened = await browser.open(consoleUrl, {
      expectedErrors: /401/,
      stored: { 'jyutsing.language': 'en' },
    });
    const { page } = opened;
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not accepted.').waitFor();
    await page.getByLabel('API key').fill(made.api_key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Nothing here yet').waitFor();
    expect((await admin('DELETE', `/keys/${made.key.id}`)).status).toBe(200);
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByText('Your key is no longer accepted').waitFor();
  });

  it('has no serious fault of accessibility, nor a line that is too wide, on any screen', async () => {
    await using opened = await openTranscript();
    const { page } = opened;
    const transcript = new URL(page.url()).hash;
    // Every pair of a language, a width and a theme occurs.
    for (const [language, width, theme] of [
      ['en', 1_440, 'light'],
      ['en', 360, 'dark'],
      ['zh-HK', 1_440, 'dark'],
      ['zh-HK', 360, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(
        ([chosen, shown]) => {
          localStorage.setItem('jyutsing.language', chosen);
          localStorage.setItem('jyutsing.theme', shown);
        },
        [language, theme] as const,
      );
      await page.reload();
      const screens = await page
        .locator('nav a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      for (const hash of [...screens, transcript, '#/corpora/new']) {
        await page.goto(`${consoleUrl}${hash}`);
        await page.locator('h1').first().waitFor({ state: 'attached' });
        await page.locator('main .progress.unknown').first().waitFor({ state: 'detached' });
        // As wide as fonts with Chinese characters make it.
        if (hash === transcript) await title(page).evaluate((input) => input.setAttribute('size', '40'));
        expect([hash, width, await seriousFaults(page)]).toEqual([hash, width, []]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([hash, width, overflow]).toEqual([hash, width, 0]);
      }
    }
  });

  it('transcribes, corrects and exports with the keyboard alone', async () => {
    await using opened = await openSignedIn();
    const { page } = opened;
    const press = (name: string, role: 'button' | 'link' = 'button') =>
      pressByKeyboard(page, page.getByRole(role, { name, exact: true }));
    const [choosing] = await Promise.all([page.waitForEvent('filechooser'), press('Choose files')]);
    await choosing.setFiles(recording);
    await press('Transcribe');
    await page.getByRole('link', { name: 'Open transcript' }).waitFor();
    await press('Open transcript', 'link');
    await press('Correct');
    await moveFocusTo(page, page.getByLabel('Text at 0:00'));
    await page.keyboard.press('End');
    await page.keyboard.type('，得');
    await page.getByText('Saved', { exact: true }).waitFor();
    await press('Export');
    await page.getByLabel('Preview').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), press('Download')]);
    expect(await readFile(await download.path(), 'utf8')).toContain('，得');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });

  it('makes keys that are shown once, revokes them, and has accounts on plans', async () => {
    await using opened = await openSignedIn();
    const { page } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${consoleUrl}#/settings`);
    await page.getByLabel('Name of a new key').fill(HOSTILE_NAME);
    await page.getByLabel('speak', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Make a key' }).click();
    const secret = await page.locator('.secret').innerText();
    const usage = () => request(`${service.baseUrl}/api/usage`, { headers: { 'x-api-key': secret } });
    expect((await usage()).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(secret);
    const made = page.locator('.keys li', { hasText: '<img src=x' });
    expect(await made.locator('.badge').allInnerTexts()).toEqual([
      'transcribe',
      'score pronunciation',
      'summarize videos',
    ]);
    await made.getByRole('button').click();
    await made.waitFor({ state: 'detached' });
    expect((await usage()).status).toBe(401);

    await page.getByLabel('Name', { exact: true }).fill('Marketing');
    await page.getByRole('button', { name: 'Make an account' }).click();
    const account = page.locator('.accounts li', { hasText: 'Marketing' });
    await account.locator('summary').click();
    await account.getByLabel('Plan').selectOption('starter');
    await expect.poll(() => account.locator('summary').innerText()).toContain('starter');
    await account.getByRole('button', { name: 'Delete this account' }).click();
    await account.waitFor({ state: 'detached' });
  });

  it('opens the API reference with the key filled in, which the browser does not store', async () => {
    await using opened = await openSignedIn();
    const { page } = opened;
    await page.goto(`${consoleUrl}#/settings`);
    await page.getByRole('button', { name: 'Open the API reference' }).waitFor();
    const [docs] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Open the API reference' }).click(),
    ]);
    await expect
      .poll(() =>
        docs.locator('input').evaluateAll((inputs) => inputs.map((input) => (input as { value?: string }).value)),
      )
      .toContain(OWNER_KEY);
    for (const tab of [page, docs]) expect(await stored(tab)).not.toContain(OWNER_KEY);
    await docs.close();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await stored(page)).not.toContain(OWNER_KEY);
  });

  it('loads less than 80 kB before it shows the first screen', async () => {
    const html = await readFile(join(CONSOLE_DIST, 'index.html'), 'utf8');
    const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(2);
    const sizes = await Promise.all(
      files.map(async (path) => gzipSync(await readFile(join(CONSOLE_DIST, path))).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_FIRST_LOAD_BYTES);
  });

  it('names no file of the machine that built it', async () => {
    const names = (await readdir(CONSOLE_DIST, { recursive: true })).filter((name) => name.endsWith('.js'));
    const root = join(CONSOLE_DIST, '../..');
    const scripts = await Promise.all(names.map((name) => readFile(join(CONSOLE_DIST, name), 'utf8')));
    expect(scripts.length).toBeGreaterThan(5);
    expect(names.filter((_, index) => scripts[index]?.includes(root))).toEqual([]);
  });
});

const stored = (page: Page) => page.evaluate('JSON.stringify({ ...localStorage })');

/** Counts the clicks on a page from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`addEventListener('pointerdown', () => (globalThis.clicks += 1), { capture: true }); clicks = 0`);
  return async () => Number(await page.evaluate('clicks'));
}

/** The serious and critical findings of axe, which the debugger adds to each page once. */
async function seriousFaults(page: Page): Promise<string[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(await readFile(AXE, 'utf8'));
  const found = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

type AxeResults = { violations: { id: string; impact: string | null; nodes: { html: string }[] }[] };

const openSignedIn = (expectedErrors?: RegExp) => openConsole(browser, service.baseUrl, '', { expectedErrors });

function title(page: Page) {
  return page.locator('.title-input');
}

async function openTranscript(expectedErrors?: RegExp): Promise<OpenedPage> {
  const opened = await openSignedIn(expectedErrors);
  await opened.page.getByRole('link', { name: 'Transcripts' }).click();
  await opened.page.locator('.recent a').last().click();
  await opened.page.locator('.segment').first().waitFor();
  return opened;
}
