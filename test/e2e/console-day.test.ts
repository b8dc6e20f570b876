import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { wavBytes } from '#testbed/sound/audio.ts';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { moveFocusTo, openConsole, pressByKeyboard } from '#testbed/service/console.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { OWNER_KEY, sharedService, temporaryFolder, type SharedService } from '#testbed/service/service.ts';
import { buildConsole } from '../../scripts/build-console.ts';

/** Delays every answer of the database of a page by two seconds. */
const SLOW_DATABASE = `
  IDBRequest.prototype.addEventListener = function (type, listener) {
    EventTarget.prototype.addEventListener.call(this, type, (event) => setTimeout(listener, 2_000, event));
  }`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: SharedService;
let browser: TestBrowser;
let client: Jyutsing;
let recording: Buffer;
let transcriptId: string;
let guest: { id: string; key: string };

describe.skipIf(CHROMIUM === null)('a day in the console', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    const sentences = ['大家早晨，歡迎收聽今日嘅節目。', '我住喺九龍，返工要搭地鐵。'];
    const spoken = await Promise.all(sentences.map((sentence) => speak(toJyutping(sentence))));
    recording = Buffer.from(wavBytes(joinSounds(spoken, 700)));
    service = await sharedService();
    const microphonePath = join(folder.path, 'microphone.wav');
    await writeFile(microphonePath, recording);
    browser = await openBrowser({ microphonePath });
    client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    const job = await client.transcribe(new File([recording], 'meeting.wav'), {
      keepAudio: true,
      fusion: false,
      diarization: true,
    });
    await job.wait();
    transcriptId = job.id;
    const { id } = await client.accounts.create({ name: 'Guest', plan: 'pro' });
    guest = { id, key: (await client.keys.create(id, { scopes: ['stt', 'tts', 'pronunciation'] })).api_key };
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('says where the built-in model heard, with a line in the exports that can be left out', async () => {
    await using opened = await openScreen('transcribe');
    const { page } = opened;
    await page.getByText('The small built-in model is listening').waitFor();
    await show(page, 'live');
    await page.getByText('words that nobody said').waitFor();
    await show(page, `transcripts/${transcriptId}`);
    await page.getByText('The small built-in model wrote this text').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const preview = page.getByLabel('Preview');
    await expect.poll(() => preview.innerText()).toMatch(/^1\n.*\n\[Transcribed by the small built-in model/);
    await page.getByRole('switch', { name: 'Add a line' }).uncheck();
    await expect.poll(() => preview.innerText()).not.toContain('Transcribed by');
    await page.getByRole('button', { name: 'TXT' }).click();
    await page.getByRole('switch', { name: 'Add a line' }).check();
    await expect.poll(() => preview.innerText()).toMatch(/^Transcribed by/);
  });

  it('asks those who may not install a model to turn to the owner', async () => {
    await using opened = await openScreen('transcribe', guest.key);
    await opened.page.getByText('Ask the owner of this service to install a better model.').waitFor();
    expect(await opened.page.getByRole('button', { name: 'Install the better model' }).count()).toBe(0);
  });

  it('offers only what the key may do, also after a reload', async () => {
    const { id } = await client.accounts.create({ name: 'Reader', plan: 'pro' });
    const { api_key: key } = await client.keys.create(id, { scopes: ['tts'] });
    await using opened = await openScreen('', OWNER_KEY);
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcripts' }).waitFor();
    // The page stores the account last.
    await page.waitForFunction(`JSON.parse(sessionStorage['jyutsing.session'] ?? '{}').account != null`);
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const menu = page.getByRole('navigation').getByRole('link');
    for (const reload of [false, true]) {
      // The page knows this without an answer, and meanwhile does not ask for what the key may not
      // read.
      if (reload) await page.route('**/api/usage', () => {});
      if (reload) await page.reload();
      await expect.poll(() => menu.allInnerTexts()).toEqual(['Home', 'Speak', 'Voices', 'Settings']);
      await expect.poll(() => page.locator('.shortcuts strong').allInnerTexts()).toEqual(['Speak']);
      expect(await page.locator('input[type=file]').count()).toBe(0);
      expect(await page.getByText('The small built-in model is listening').count()).toBe(0);
    }
  });

  it.each(['#key=%', '#key=%E0%A4%A', '#key=', '#/transcripts/%', '#/corpora/%zz'])(
    'shows a page at the damaged address %s',
    async (hash) => {
      await using opened = await browser.open(`${service.baseUrl}/console/${hash}`, {
        stored: { 'jyutsing.language': 'en' },
      });
      await opened.page.getByLabel('API key').waitFor();
      const notice = opened.page.getByText('This sign-in link is damaged');
      await expect.poll(() => notice.count()).toBe(hash.startsWith('#key') ? 1 : 0);
    },
  );

  it('asks before a sign-in link replaces the session, and names the accounts', async () => {
    await using opened = await openScreen('speak', OWNER_KEY, /401/);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Speak', exact: true }).waitFor();
    await page.goto(`${service.baseUrl}/console/#key=${guest.key}`);
    await page.getByRole('heading', { name: 'Sign in as “Guest”?' }).waitFor();
    expect(page.url()).toMatch(/#\/speak$/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await keyOf(page)).toBe(OWNER_KEY);
    await page.goto(`${service.baseUrl}/console/#key=wrong`);
    await page.getByText('The key of this sign-in link is not accepted').waitFor();
    expect(await keyOf(page)).toBe(OWNER_KEY);
    await page.goto(`${service.baseUrl}/console/#key=${guest.key}`);
    await page.getByRole('button', { name: 'Sign in as “Guest”' }).click();
    await expect.poll(() => keyOf(page)).toBe(guest.key);
  });

  it('is signed in in a new tab, stays so on a computer that shall remember it, and signs out of all', async () => {
    await using opened = await browser.open(`${service.baseUrl}/console/`, { stored: { 'jyutsing.language': 'en' } });
    const { page } = opened;
    const keyField = page.getByLabel('API key');
    expect(await keyField.getAttribute('autocomplete')).toBe('current-password');
    await keyField.fill(guest.key);
    await page.getByRole('switch', { name: 'Remember me' }).check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Home' }).waitFor();
    const another = await page.context().newPage();
    await another.goto(`${service.baseUrl}/console/`);
    await another.getByRole('link', { name: 'Home' }).waitFor();
    await show(another, 'settings');
    // Without it, a tab gets the session from another one that is open.
    await another.getByRole('switch', { name: 'Remember me' }).uncheck();
    expect(await another.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(guest.key);
    const third = await page.context().newPage();
    await third.goto(`${service.baseUrl}/console/`);
    await third.getByRole('link', { name: 'Home' }).waitFor();
    // Drafts may take longer to delete than the other tab to be loaded again and ask for a session.
    for (const tab of [page, third]) await tab.evaluate(SLOW_DATABASE);
    await another.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [another, third, page]) await tab.getByLabel('API key').waitFor();
  });

  it('gives drafts to no other account, and deletes them when the user signs out', async () => {
    await using opened = await openScreen('speak', guest.key);
    const { page } = opened;
    const typed = page.getByLabel('Text', { exact: true });
    await typed.fill('我嘅秘密係三七二十一。');
    await expect.poll(() => storedText(page)).toContain('秘密');
    await page.goto(`${service.baseUrl}/console/#key=${OWNER_KEY}`);
    await page.getByRole('button', { name: /^Sign in as/ }).click();
    await expect.poll(() => keyOf(page)).toBe(OWNER_KEY);
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    await show(page, 'speak');
    await expect.poll(() => typed.inputValue()).toContain('早晨');
    await page.goto(`${service.baseUrl}/console/#key=${guest.key}`);
    await page.getByRole('button', { name: /^Sign in as/ }).click();
    await expect.poll(() => keyOf(page)).toBe(guest.key);
    await show(page, 'speak');
    await expect.poll(() => typed.inputValue()).toContain('秘密');
    // Texts about transcripts have cost credits.
    await page.evaluate(keepText('三點開會'));
    await signOut(page);
    const left = await storedText(page);
    expect(left).not.toContain('秘密');
    expect(left).not.toContain('三點開會');
    await page.getByLabel('API key').fill(guest.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await show(page, 'speak');
    await expect.poll(() => storedText(page)).toContain('三點開會');
    expect(await storedText(page)).not.toContain('秘密');
    await signOut(page);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      guest.key,
    );
  });

  it('seals for each key of an account, and loses nothing when another signs in between', async () => {
    const secondKey = (await client.keys.create(guest.id, { scopes: ['stt', 'tts'] })).api_key;
    await using opened = await openScreen('speak', guest.key);
    const { page } = opened;
    const untilRead = () => page.getByText('早晨').first().waitFor();
    const signIn = async (key: string) => {
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('API key').waitFor({ state: 'detached' });
      await show(page, 'speak');
      await untilRead();
    };
    await untilRead();
    await page.evaluate(keepText('屬於第一個'));
    await signOut(page);
    await signIn(secondKey);
    expect(await storedText(page)).not.toContain('屬於第一個');
    await page.evaluate(keepText('屬於第二個'));
    await signOut(page);
    await signIn(secondKey);
    await expect.poll(() => storedText(page)).toContain('屬於第二個');
    await page.goto(`${service.baseUrl}/console/#key=${guest.key}`);
    await page.getByRole('button', { name: /^Sign in as/ }).click();
    await show(page, 'transcribe');
    await expect.poll(() => storedText(page)).toContain('"texts":["屬於第二個","屬於第一個"]');
  });

  it('splits, joins, moves a border, deletes and undoes with the keyboard alone', async () => {
    await using opened = await openScreen(`transcripts/${transcriptId}`);
    const { page } = opened;
    await pressByKeyboard(page, page.getByRole('button', { name: 'Correct', exact: true }));
    const texts = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('.segment-text')].map(({ value }) => value)`);
    const saved = async () => (await client.transcriptions.job(transcriptId).json()).segments.map(({ text }) => text);
    const [first = '', second = ''] = await texts();
    await moveFocusTo(page, page.locator('.segment-text').first());
    await page.keyboard.press('Home');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(texts).toEqual([first.slice(0, 4), first.slice(4).trimStart(), second]);
    // The cursor stands at the seam, so that the next key takes the split back.
    await expect.poll(() => page.locator('.segment-text').nth(1).and(page.locator(':focus')).count()).toBe(1);
    await expect.poll(saved).toHaveLength(3);
    await page.keyboard.press('Backspace');
    await expect.poll(texts).toEqual([first, second]);
    await expect.poll(() => page.locator('.segment-text').first().and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Control+Shift+ArrowDown');
    await expect.poll(texts).toEqual([first.slice(0, 4), `${first.slice(4)}${second}`]);
    await page.keyboard.press('Control+z');
    await expect.poll(texts).toEqual([first, second]);
    await page
      .getByRole('button', { name: /^Change the segment/ })
      .last()
      .focus();
    // The menu has the focus as soon as it is there: the next keys are its own.
    await page.evaluate(`void (focused = new Promise((resolve) => {
      new MutationObserver(() => resolve(document.activeElement.role)).observe(document.body, { childList: true, subtree: true });
    }))`);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('focused')).toBe('menuitem');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(texts).toEqual([first]);
    await expect.poll(saved).toEqual([first]);
    await page.getByRole('button', { name: 'Recognized version' }).click();
    await page.getByText('Changed places: 1').waitFor();
    await page.getByRole('button', { name: /^Take back the change/ }).click();
    await page.getByText('Nothing differs from what was recognized.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(texts).toEqual([first, second]);
  });

  it('keeps the field of a name that is typed while the sound is loaded', async () => {
    await using opened = await openScreen('transcripts');
    const { page } = opened;
    const { promise: isTyping, resolve: go } = Promise.withResolvers<void>();
    await page.route('**/audio', async (route) => {
      await isTyping;
      await route.continue();
    });
    await show(page, `transcripts/${transcriptId}`);
    const name = page.getByLabel('Name of Speaker 1');
    await name.focus();
    await page.keyboard.type('Ms');
    go();
    await page.getByLabel('Position in the recording').waitFor();
    await page.keyboard.type(' Chan');
    expect(await name.inputValue()).toBe('Ms Chan');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('leaves Enter and Backspace to an input method', async () => {
    await using opened = await openScreen(`transcripts/${transcriptId}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const fields = page.locator('.segment-text');
    const count = await fields.count();
    for (const key of ['Enter', 'Backspace']) {
      await fields.last().dispatchEvent('keydown', { key, isComposing: true });
    }
    expect(await fields.count()).toBe(count);
  });

  it('finds, goes to the next place, and replaces one or all', async () => {
    const job = await client.transcribe(new File([recording], 'find.wav'), { title: 'Find', fusion: false });
    await job.wait();
    const [one, two] = (await job.json()).segments;
    await job.save({
      segments: [
        { ...one!, text: '甲乙甲' },
        { ...two!, text: '乙甲' },
      ],
    });
    await using opened = await openScreen(`transcripts/${job.id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    await page.getByLabel('Find').fill('甲');
    await page.getByText('0 of 3').waitFor();
    await page.getByLabel('Find').press('Enter');
    await page.getByText('1 of 3').waitFor();
    expect(await page.locator('mark.found').count()).toBe(3);
    await page.getByLabel('Find').press('Shift+Enter');
    await page.getByText('3 of 3').waitFor();
    await page.getByLabel('Find').press('Enter');
    await page.getByLabel('Replace with').fill('丙');
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('1 of 2').waitFor();
    const fields = page.locator('.segment-text');
    expect([await fields.first().inputValue(), await fields.last().inputValue()]).toEqual(['丙乙甲', '乙甲']);
    await page.getByRole('button', { name: 'Replace all 2' }).click();
    expect([await fields.first().inputValue(), await fields.last().inputValue()]).toEqual(['丙乙丙', '乙丙']);
    await page.keyboard.press('Control+z');
    expect(await fields.first().inputValue()).toBe('丙乙甲');
    // The same with keys alone: Tab leads from one field to the other.
    await page.getByLabel('Find').fill('乙');
    await page.keyboard.press('Tab');
    await page.keyboard.type('丁');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => fields.first().inputValue()).toBe('丙丁甲');
    await page.keyboard.press('Alt+Enter');
    expect(await fields.last().inputValue()).toBe('丁甲');
  });

  it('goes on with what runs after a reload, and lists refresh by themselves', async () => {
    await using list = await openScreen('transcripts');
    await list.page
      .getByRole('link', { name: /meeting|Recording of/ })
      .first()
      .waitFor();
    await using opened = await openScreen('transcribe');
    const { page } = opened;
    await page.getByRole('switch', { name: 'Correct with a second listening' }).uncheck();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'again.wav', mimeType: 'audio/wav', buffer: recording });
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    const entry = page.locator('.submissions li', { hasText: 'again.wav' });
    await entry.getByText(/Queued|Listening|Telling|Done/).waitFor();
    await page.reload();
    await entry.getByRole('link', { name: 'Open transcript' }).waitFor();
    // Neither was loaded again by the user, nor did it send the recording.
    const listed = list.page.getByRole('link', { name: /^again/ });
    await expect.poll(() => listed.innerText()).toContain('Done');
  });
});

const openScreen = (screen: string, key = OWNER_KEY, expectedErrors?: RegExp) =>
  openConsole(browser, service.baseUrl, screen, { key, expectedErrors });

const show = (page: Page, screen: string) => page.goto(`${service.baseUrl}/console/#/${screen}`);

function keyOf(page: Page): Promise<string> {
  return page.evaluate(`JSON.parse(sessionStorage['jyutsing.session'] ?? '{}').key`);
}

async function signOut(page: Page): Promise<void> {
  await show(page, 'settings');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
}

/** Keeps a text about a transcript, as the page does; runs in the page. */
const keepText = (text: string) => `new Promise((resolve) => {
  const { account } = JSON.parse(sessionStorage['jyutsing.session']);
  indexedDB.open('jyutsing-drafts').onsuccess = ({ target }) => {
    const transaction = target.result.transaction('drafts', 'readwrite');
    transaction.objectStore('drafts').put({ texts: ['${text}'] }, account.id + ' about 1');
    transaction.oncomplete = resolve;
  };
})`;

/** Everything that the browser keeps of drafts, as text. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(`new Promise((resolve) => {
    indexedDB.open('jyutsing-drafts').onsuccess = ({ target }) => {
      if (!target.result.objectStoreNames.contains('drafts')) return resolve('');
      const asking = target.result.transaction('drafts').objectStore('drafts').getAll();
      const readable = (_name, value) => (value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value);
      asking.onsuccess = () => resolve(JSON.stringify([asking.result, { ...localStorage }], readable));
    };
  })`);
}
