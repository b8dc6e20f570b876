import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Jyutsing } from '@jyutsing/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { openConsole } from '#testbed/service/console.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import { OWNER_KEY, startService, temporaryFolder, type Service } from '#testbed/service/service.ts';
import { buildConsole } from '../../scripts/build-console.ts';

const GIB = 1024 ** 3;
/** Browsers log this when a service cannot be reached and when it refuses a request. */
const UNREACHABLE =
  /ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|INTERNET_DISCONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED|NETWORK_CHANGED)|50[0-9]/;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let start: () => Promise<Service>;
let browser: TestBrowser;
let client: Jyutsing;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
let recording: Uint8Array;
let recordingPath: string;

describe.skipIf(CHROMIUM === null)('the console on a bad day', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    const sentences = ['大家早晨，歡迎收聽今日嘅節目。', '我住喺九龍，返工要搭地鐵。'];
    const spoken = await Promise.all(sentences.map((sentence) => speak(toJyutping(sentence))));
    recording = wavBytes(joinSounds(spoken, 700));
    recordingPath = join(folder.path, 'recording.wav');
    await writeFile(recordingPath, recording);
    recognizer = await startRecognizer('我住喺九龍。');
    const env = { ...recognizer.settings, PORT: String(await freePort()), WORKERS: '1' };
    start = () => startService(join(folder.path, 'data'), env);
    service = await start();
    client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    browser = await openBrowser({ microphonePath: recordingPath });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await service.stop();
    await recognizer.close();
    await folder[Symbol.asyncDispose]();
  });

  it('keeps the last letters that were typed before the tab was closed', async () => {
    const id = await newTranscript();
    await using opened = await openScreen(`transcripts/${id}`);
    const { page } = opened;
    await title(page).fill('Typed in the last moment');
    await page.goto('about:blank');
    expect((await client.transcriptions.get(id)).title).toBeUndefined();
    await page.goto(`${service.baseUrl}/console/#/transcripts/${id}`);
    await expect.poll(() => title(page).inputValue()).toBe('Typed in the last moment');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await client.transcriptions.get(id)).title).toBe('Typed in the last moment');
  });

  it('saves what was typed offline when the connection is back', async () => {
    const id = await newTranscript();
    await using opened = await openScreen(`transcripts/${id}`, OWNER_KEY, UNREACHABLE);
    const { page } = opened;
    await title(page).waitFor();
    await page.context().setOffline(true);
    await title(page).fill('Typed offline');
    await page.getByText('The service cannot be reached at the moment').waitFor();
    await page.getByText('Kept in this browser, not saved yet').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await client.transcriptions.get(id)).title).toBe('Typed offline');
    expect(await page.getByText('The service cannot be reached at the moment').count()).toBe(0);
  });

  it('goes on with recordings and edits after the service was killed and started again', async () => {
    const id = await newTranscript();
    await using sending = await openScreen('transcribe', OWNER_KEY, UNREACHABLE);
    await using editing = await openScreen(`transcripts/${id}`, OWNER_KEY, UNREACHABLE);
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    recognizer.behave(() => ({ kind: 'held', until, next: { kind: 'transcription', text: '我住喺九龍。' } }));
    await choose(sending.page, recordingPath);
    await sending.page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await sending.page.getByText('Listening', { exact: true }).waitFor();
    await service.kill();
    release();
    await title(editing.page).fill('Typed while it was down');
    await editing.page.getByText('Kept in this browser, not saved yet').waitFor();
    service = await start();
    await editing.page.getByText('Saved', { exact: true }).waitFor();
    expect((await client.transcriptions.get(id)).title).toBe('Typed while it was down');
    await sending.page.getByRole('link', { name: 'Open transcript' }).click();
    await sending.page.locator('.segment').first().waitFor();
  });

  it('tells recordings without a title apart by their time and length', async () => {
    await newTranscript();
    await using opened = await openScreen('transcripts');
    const { page } = opened;
    const names = page.locator('.recent strong', { hasText: 'Recording of' });
    await names.first().waitFor();
    expect(await names.first().innerText()).toMatch(/^Recording of .*\d:\d\d:\d\d.* · 0:0\d$/);
    expect(await page.getByText('Untitled recording').count()).toBe(0);
    // On a phone the whole name is seen too.
    await page.setViewportSize({ width: 390, height: 800 });
    const isCut = await names.first().evaluate((name) => name.scrollWidth > name.clientWidth);
    expect(isCut).toBe(false);
    await page
      .getByRole('button', { name: /^Delete: Recording of .*\d:\d\d:\d\d/ })
      .first()
      .waitFor();
  });

  it('keeps captions when the key is revoked between two sentences, and asks for another key', async () => {
    const { id: account } = await client.accounts.create({ name: 'Guest', plan: 'pro' });
    const {
      api_key: key,
      key: { id: keyId },
    } = await client.keys.create(account, { scopes: ['stt'] });
    await using opened = await openScreen('live', key, /./);
    const { page } = opened;
    await page.getByRole('button', { name: 'Start captions' }).click();
    await page.getByRole('log').first().getByText('九龍').first().waitFor();
    await client.keys.revoke(keyId);
    await page.getByText('Your key is no longer accepted').waitFor();
    const { api_key: nextKey } = await client.keys.create(account, { scopes: ['stt'] });
    await page.getByLabel('API key').fill(nextKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const captions = page.getByRole('log').first().getByText('九龍').first();
    await captions.waitFor();
    expect(await captions.textContent()).toContain('九龍');
  });

  it('says what to do about files that are no recordings, and does not send them twice', async () => {
    await using opened = await openScreen('transcribe', OWNER_KEY, /415|422/);
    const { page } = opened;
    const notes = join(folder.path, 'notes.txt');
    const empty = join(folder.path, 'empty.wav');
    await writeFile(notes, '今日開會\n'.repeat(100));
    await writeFile(empty, '');
    const submitted: string[] = [];
    page.on('request', (request) => submitted.push(request.method()));
    await choose(page, notes, empty);
    // An empty one is not even sent.
    const item = page.locator('.submissions li', { hasText: 'empty.wav' });
    await item.getByText('This file is empty, so there is nothing to send.').waitFor();
    expect(await item.innerText()).toContain('Failed · 0 kB');
    expect(await item.getByRole('button').count()).toBe(1);
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await page.getByText('This is not a sound or video file that the service can read.').waitFor();
    // The page shows what the service found in the other file.
    expect(await page.locator('.failure-detail').innerText()).toContain('not audio but text');
    expect(submitted.filter((method) => method === 'POST').length).toBe(1);
  });

  it('sends a file of 1 GiB without reading it into memory, shows how far it is, and stops on request', async () => {
    const large = join(folder.path, 'large.wav');
    const file = await open(large, 'w');
    await file.truncate(GIB);
    await file.write(recording);
    await file.close();
    await using opened = await openScreen('transcribe');
    const { page } = opened;
    const memory = async () => {
      const session = await page.context().newCDPSession(page);
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize;
    };
    await choose(page, large);
    await page.getByText('1.07 GB').waitFor();
    const before = await memory();
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    const bar = page.getByRole('progressbar', { name: /large\.wav|Sending/ }).first();
    await expect.poll(async () => Number((await bar.getAttribute('aria-valuenow')) ?? 0)).toBeGreaterThan(0);
    expect((await memory()) - before).toBeLessThan(64 * 1024 ** 2);
    await page.getByRole('button', { name: 'Cancel large.wav' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    expect(await Array.fromAsync(client.transcriptions.list({ status: 'processing' }))).toEqual([]);
  });

  describe('with a blocked microphone', () => {
    let blocked: TestBrowser;
    beforeAll(async () => {
      blocked = await openBrowser({ microphonePath: null, isWhole: true });
    });
    afterAll(() => blocked[Symbol.asyncDispose]());

    it.each([
      ['transcribe', 'Record'],
      ['live', 'Start captions'],
      ['voices', 'Record 10 seconds'],
      ['pronunciation', 'Record yourself'],
    ])('explains it on the screen %s', async (screen, button) => {
      await using opened = await openConsole(blocked, service.baseUrl, screen);
      const { page } = opened;
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByText('The microphone is blocked. Allow it in the address bar').first().waitFor();
      expect(await page.getByRole('button', { name: button, exact: true }).isEnabled()).toBe(true);
    });
  });

  // Nothing starts the service again.
  it('says that the connection is lost when it stops before a text is spoken', async () => {
    await using opened = await openScreen('speak', OWNER_KEY, UNREACHABLE);
    const { page } = opened;
    await page.locator('.read-part').first().waitFor();
    await service.kill();
    await page.getByRole('button', { name: 'Speak it' }).click();
    await page.getByText('The service cannot be reached at the moment').waitFor();
    await page.getByRole('alert').getByText('The service cannot be reached. Check').first().waitFor();
    // A screen that was never open is a part that must be loaded too.
    await page.getByRole('link', { name: 'Pronunciation' }).click();
    await page.locator('.notice').getByText('The service cannot be reached. Check the connection').waitFor();
    expect(await page.getByText('Something went wrong').count()).toBe(0);
  });
});

async function newTranscript(): Promise<string> {
  const job = await client.transcribe(recording, { keepAudio: true });
  await job.wait();
  return job.id;
}

const openScreen = (screen: string, key = OWNER_KEY, expectedErrors?: RegExp) =>
  openConsole(browser, service.baseUrl, screen, { key, expectedErrors });

const title = (page: Page) => page.locator('.title-input');
const choose = (page: Page, ...paths: string[]) => page.locator('input[type=file]').setInputFiles(paths);
