import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { silence, wavBytes } from '#testbed/sound/audio.ts';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { openConsole, pressByKeyboard, untilRecorded } from '#testbed/service/console.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { buildConsole } from '../../scripts/build-console.ts';

/** Would be seen as an image or as other text if it were not shown as it is. */
const HOSTILE = '<img src=x onerror=alert(1)> ‮txet‬';
/** The microphone hears this sentence. */
const SAID = '我住喺九龍，返工要搭地鐵。';
/** A plan with just enough characters for two syllables. */
const SMALL_PLAN = {
  quotas: { stt_seconds: 0, tts_characters: 3, video_summaries: 0 },
  requestsPerMinute: 1_000,
  pollsPerMinute: 1_000,
  streamingTts: false,
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let browser: TestBrowser;
let client: Jyutsing;

describe.skipIf(CHROMIUM === null)('the console', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    const microphonePath = join(folder.path, 'speaker.wav');
    const sentence = await speak(toJyutping(SAID));
    // Without a pause between the repetitions, each caption would listen again to all of them.
    await writeFile(microphonePath, wavBytes(joinSounds([sentence, silence(1_000, sentence.sampleRateHz)], 0)));
    const plans = join(folder.path, 'plans.json');
    await writeFile(plans, JSON.stringify({ small: SMALL_PLAN }));
    service = await startServiceHere(join(folder.path, 'data'), { PLANS_FILE: plans });
    client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    browser = await openBrowser({ microphonePath });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await service.stop();
    await folder[Symbol.asyncDispose]();
  });

  it('speaks a text as its readings say, lights up its words, and charges it once', async () => {
    await using opened = await openScreen('speak');
    const { page } = opened;
    const before = await usedCharacters();
    await page.getByLabel('Text', { exact: true }).fill('早晨！銀行行長好。');
    const character = page.locator('.read-part').nth(1);
    await expect.poll(() => character.getAttribute('aria-label')).toBe('晨 san4');
    await character.press('Enter');
    const reading = page.getByRole('textbox', { name: 'Reading of “晨”' });
    await reading.fill('san');
    await page.getByText('Write a syllable with its tone').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await reading.fill('san1');
    await page.keyboard.press('Enter');
    // The focus is back on the character.
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('晨 san1');
    await page.getByRole('button', { name: 'Speak it' }).click();
    await page
      .locator('.script-text .said', { hasText: /[銀行長好]/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Speak it' }).click();
    await page.locator('.script-text .said').first().waitFor();
    await page.getByRole('button', { name: 'Speak it' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download wav' }).click();
    const file = await readFile(await (await downloading).path());
    expect(file.subarray(0, 4).toString()).toBe('RIFF');
    expect(file.length).toBe(44 + file.readUInt32LE(40));
    expect(file.length).toBeGreaterThan(2 * 2 * 24_000);
    expect((await usedCharacters()) - before).toBe('早晨！銀行行長好。'.length);
    await page.getByLabel('Text', { exact: true }).fill(`早晨！${HOSTILE}`);
    await page.locator('.script-text', { hasText: '<img src=x' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    // Typed text is kept.
    await expect.poll(() => keptDraft(page, 'speak')).toContain(HOSTILE);
    await page.reload();
    await expect.poll(() => character.getAttribute('aria-label')).toBe('晨 san1');
  });

  it('scores each syllable of a recording, shows its pitch over that of a voice, and remembers weak points', async () => {
    await using opened = await openScreen('pronunciation');
    const { page } = opened;
    const speakers = await sentSpeakers(page);
    // The page works with the keyboard alone.
    const press = (name: string) => pressByKeyboard(page, page.getByRole('button', { name }).first());
    await page.getByLabel('What you will say').fill(SAID);
    await press('Hear it');
    await page.locator('main .progress.unknown').waitFor({ state: 'detached' });
    await press('Record yourself');
    await untilRecorded(page, 3);
    await press('Stop and use it');
    const syllables = page.locator('.syllable');
    await syllables.first().waitFor();
    expect(await page.locator('.reading-text rt').allInnerTexts()).toEqual(toJyutping(SAID).match(/[a-z]+\d/g));
    expect(await syllables.locator('rt').allInnerTexts()).toEqual(toJyutping(SAID).match(/[a-z]+\d/g));
    expect(await syllables.first().locator('dt').allInnerTexts()).toEqual(['Onset', 'Rime', 'Tone']);
    const contours = syllables.locator('.contour-own, .contour-target');
    const points = await contours.evaluateAll((lines) => lines.map((line) => line.getAttribute('points') ?? ''));
    expect(points.filter((point) => point !== '').length).toBeGreaterThan(12);
    await press('Play both');
    // The history is there on the next visit.
    await expect.poll(() => keptDraft(page, 'pronunciation history')).toContain('ngo5');
    await page.reload();
    await page.getByText('80%').waitFor();
    await page.getByRole('button', { name: 'Practise 買 maai5、賣 maai6' }).click();
    expect(await page.getByLabel('What you will say').inputValue()).toBe('買、賣');
    // The voice that is learnt from is another speaker.
    expect(speakers).toEqual([null, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await page.getByLabel('Remember the pitch of my voice').uncheck();
    await page.getByLabel('What you will say').fill(SAID);
    await page.getByRole('button', { name: 'Record yourself' }).click();
    await untilRecorded(page, 2);
    await page.getByRole('button', { name: 'Stop and use it' }).click();
    await syllables.first().waitFor();
    expect(speakers.slice(2)).toEqual([null]);
    const learner = () => page.evaluate<{ id: string }>(`JSON.parse(localStorage.getItem('jyutsing.learner'))`);
    const before = await learner();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Somebody else practises' }).click();
    await page.getByText('Record a sentence.').waitFor();
    const after = await learner();
    expect(after).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), isSent: false });
    expect(after.id).not.toBe(before.id);
  });

  it('leads a learner through the sentences of a teacher on a phone, day after day, also after signing out', async () => {
    const entries = [SAID, '下個禮拜再見。'].map((sentence) => ({ text: sentence }));
    await client.corpora.create({ name: 'Lesson 3', entries });
    await using opened = await openScreen('pronunciation');
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Sentences', { exact: true }).selectOption('Lesson 3');
    await page.getByText('1 of 2 · 0 passed').waitFor();
    const practise = async () => {
      await page.getByRole('button', { name: 'Record yourself' }).click();
      await untilRecorded(page, 2);
      await page.getByRole('button', { name: 'Stop and use it' }).click();
      const result = page.locator('.card', { has: page.getByRole('heading', { name: 'Your pronunciation' }) });
      await result.locator('.result-score').waitFor();
      // The learner need not look for the result.
      await expect.poll(() => isInSight(page, result.locator('.result-score'))).toBe(true);
      return result;
    };
    const first = await practise();
    await page.getByText('1 day in a row').waitFor();
    await first.getByRole('button', { name: 'Next sentence' }).click();
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: 'Previous sentence' }).click();
    await expect.poll(() => keptDraft(page, 'pronunciation days')).toContain('"times":1');
    for (const [daysLater, row, kept] of [
      [1, '2 days in a row', 3],
      [3, '1 day in a row', 5],
    ] as const) {
      await page.addInitScript(laterBy(daysLater));
      await page.reload();
      await page.getByText('1 of 2').waitFor();
      await page.getByText(/days? in a row/).waitFor();
      await keepFurtherDay(page, `2020-01-0${daysLater}`);
      await practise();
      await page.getByText(row).waitFor();
      await expect
        .poll(async () => JSON.parse(await keptDraft(page, 'pronunciation days')))
        .toHaveProperty('kept.length', kept);
    }
    await page.goto(`${service.baseUrl}/console/#/settings`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(OWNER_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('API key').waitFor({ state: 'detached' });
    await page.goto(`${service.baseUrl}/console/#/pronunciation`);
    await page.getByText('1 day in a row').waitFor();
    expect(await page.locator('.practice-days').getAttribute('aria-label')).toMatch(/recording.*;.*recording.*;/);
  });

  it('keeps a pasted text that is too long, and says by how much', async () => {
    await using opened = await openScreen('speak');
    const { page } = opened;
    const typed = page.getByLabel('Text', { exact: true });
    const say = page.getByRole('button', { name: 'Speak it' });
    await paste(page, 'Text', '早晨。'.repeat(1_868) + '。');
    expect((await typed.inputValue()).length).toBe(5_605);
    await page.getByRole('alert').getByText('5,605 of 5,000 characters: shorten the text by 605.').waitFor();
    expect(await say.isDisabled()).toBe(true);
    await page.getByText('Shorten the text to see how it is read.').waitFor();
    await typed.fill('好');
    // The plan of the owner has no limit of characters, so no cost is told.
    expect(await page.getByText('Costs').count()).toBe(0);
    expect(await say.isEnabled()).toBe(true);
    await typed.fill('');
    await page.getByText('Type a text to see how it is read.').waitFor();
    expect(await page.getByText('Already paid').count()).toBe(0);
    expect(await page.locator('.speak-actions [role=status]').innerText()).toBe('');
  });

  it.each([
    ['pronunciation', 'What you will say', 200, /^Record yourself$/],
    ['voices', 'Text to try', 500, /^Try it/],
    ['corpora/new', 'Description (optional)', 2_000, /^Save$/],
    ['transcribe', 'What is it about?', 10_000, /^Transcribe$/],
  ])('on the screen %s a text that is too long is kept and not sent', async (screen, label, limit, button) => {
    await using opened = await openScreen(screen);
    const { page } = opened;
    if (screen === 'transcribe') await page.locator('input[type=file]').setInputFiles(join(folder.path, 'speaker.wav'));
    if (screen === 'corpora/new') {
      await page.getByLabel('Name', { exact: true }).fill('Places');
      await page.getByLabel('Word:').fill('旺角');
    }
    const sending = page.getByRole('button', { name: button }).first();
    await paste(page, label, '好'.repeat(limit));
    await expect.poll(() => sending.isEnabled()).toBe(true);
    await paste(page, label, '好'.repeat(limit + 1));
    await page.getByText('shorten the text by 1.').waitFor();
    expect((await page.getByLabel(label).inputValue()).length).toBe(limit + 1);
    expect(await sending.isDisabled()).toBe(true);
  });

  it.each([
    ['lists as weak points what was often wrong', ['rime'], 'less than 80%', ['Rime yu 0%']],
    ['says when nothing is a weak point', [], 'Nothing is below 80% so far.', []],
  ])('%s', async (_, wrong, sentence, listed) => {
    await using opened = await openScreen('home');
    const { page } = opened;
    await page.waitForFunction(`JSON.parse(sessionStorage['jyutsing.session'] ?? '{}').account != null`);
    const syllables = [
      { text: '我', expected: 'ngo5', score: 100, wrong: [] },
      { text: '住', expected: 'zyu6', score: 58, wrong },
    ];
    const history = JSON.stringify({ attempts: [{ at: 0, score: 58, syllables }] });
    // It belongs to the account that is signed in.
    await page.evaluate((kept) => {
      const { account } = JSON.parse(sessionStorage.getItem('jyutsing.session') ?? '{}');
      localStorage.setItem(`jyutsing.draft ${account.id} pronunciation history`, kept);
    }, history);
    await page.goto(`${service.baseUrl}/console/#/pronunciation`);
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Your weak points' }) });
    await card.getByText(sentence).waitFor();
    const items = await card.locator('li').allInnerTexts();
    expect(items.map((item) => item.replaceAll(/\s+/g, ' '))).toEqual(listed);
  });

  it('captions the microphone, shows them to an audience, and saves them with own word lists', async () => {
    const { id } = await client.corpora.create({ name: 'Places', entries: [{ text: '住喺九瓏', weight: 10 }] });
    await using opened = await openScreen('live');
    const { page } = opened;
    await page.getByRole('switch', { name: 'Tell the speakers apart' }).check();
    await page.getByRole('button', { name: 'Start captions' }).click();
    // A line that is open counts too.
    const captions = page.getByRole('log').first();
    await expect.poll(() => captions.innerText(), { timeout: 60_000 }).toContain('九龍');
    await page.getByRole('button', { name: 'Show to an audience' }).click();
    await page.getByRole('dialog').getByText('九龍').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Stop captions' }).click();
    await page.getByRole('button', { name: 'Continue captions' }).waitFor();
    await expect.poll(() => keptDraft(page, 'live')).toMatch(/Speaker 1: .*九龍/);
    await page.reload();
    await page.getByText('九龍').first().waitFor();
    await page.getByRole('button', { name: 'Save as transcript' }).click();
    await page.locator('.segment').first().waitFor();
    expect(await page.locator('.title-input').inputValue()).toMatch(/^Live captions .*\.webm$/);
    await page.getByRole('button', { name: '瓏', exact: true }).first().waitFor();
    await expect.poll(() => keptDraft(page, 'live')).not.toContain('九龍');
    await client.corpora.delete(id);
  });

  it('says that the characters of the month are used up, and keeps the text', async () => {
    const { id } = await client.accounts.create({ name: 'Guest', plan: 'small' });
    const { api_key: key } = await client.keys.create(id, { scopes: ['tts'] });
    const options = { key, expectedErrors: /429|402|403/ };
    await using opened = await openConsole(browser, service.baseUrl, 'speak', options);
    const { page } = opened;
    await page.getByText('3 left this month').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('早晨！你好！');
    await page.getByRole('button', { name: 'Speak it' }).click();
    await page.getByText('The monthly allowance').waitFor();
    await page.getByText('Costs 3 characters · 0 left this month').waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('早晨！你好！');
  });
});

/** A script for the start of each page, whose days are later. */
function laterBy(days: number): string {
  return `globalThis.Date = class extends (globalThis.RealDate ??= Date) {
    constructor(...parts) {
      super(...(parts.length === 0 ? [RealDate.now() + ${days} * 86_400_000] : parts));
    }
    static now = () => RealDate.now() + ${days} * 86_400_000;
  };`;
}

async function isInSight(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}

/** Replaces the text of a field as a paste does, which obeys the limits of the field. */
async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill('');
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.insertText(text);
}

/** Returns the draft of a screen that the browser keeps. */
function keptDraft(page: Page, name: string): Promise<string> {
  return page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('jyutsing-drafts');
    const { account } = JSON.parse(sessionStorage['jyutsing.session']);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').get(account.id + ' ${name}');
      reading.onsuccess = () => resolve(JSON.stringify(reading.result));
    };
  })`);
}

/** Counts a recording of another day, as another tab does. */
function keepFurtherDay(page: Page, date: string): Promise<void> {
  return page.evaluate(`new Promise((resolve) => {
    const name = JSON.parse(sessionStorage['jyutsing.session']).account.id + ' pronunciation days';
    indexedDB.open('jyutsing-drafts').onsuccess = ({ target }) => {
      const store = target.result.transaction('drafts', 'readwrite').objectStore('drafts');
      store.get(name).onsuccess = ({ target: { result } }) => {
        const kept = [...result.kept, { date: '${date}', times: 1, total: 50 }];
        store.put({ kept }, name).onsuccess = resolve;
      };
    };
  })`);
}

/** The field `speaker` of each recording that the page sends to be scored; null: none. */
async function sentSpeakers(page: Page): Promise<(string | null)[]> {
  const speakers: (string | null)[] = [];
  await page.exposeFunction('noteSpeaker', (speaker: string | null) => void speakers.push(speaker));
  // Browsers do not tell the debugger about forms that contain recordings.
  await page.addInitScript(`
    const { open, send } = XMLHttpRequest.prototype;
    let address = '';
    XMLHttpRequest.prototype.open = function (method, url) {
      address = String(url);
      open.call(this, method, url);
    };
    XMLHttpRequest.prototype.send = function (body) {
      if (address.endsWith('/score-pronunciation')) noteSpeaker(body.get('speaker'));
      send.call(this, body);
    };
  `);
  await page.reload();
  return speakers;
}

async function usedCharacters(): Promise<number> {
  return (await client.usage()).quotas['tts_characters']?.used ?? 0;
}

const openScreen = (screen: string, expectedErrors?: RegExp) =>
  openConsole(browser, service.baseUrl, screen, { expectedErrors });
