import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import { wavBytes } from '#testbed/sound/audio.ts';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { openConsole, signIn, speakMeeting } from '#testbed/service/console.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { VIDEOS } from '#testbed/video-platform/catalogue.ts';
import { startVideoPlatform, type VideoPlatform } from '#testbed/video-platform/server.ts';
import { buildConsole } from '../../scripts/build-console.ts';

/** Would be seen as an image or as other text if it were not shown as it is. */
const HOSTILE = '<img src=x onerror=alert(1)> text';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
let platform: VideoPlatform;
let browser: TestBrowser;
let client: Jyutsing;
let recording: string;

describe.skipIf(CHROMIUM === null)('the console', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    recording = join(folder.path, 'speaker.wav');
    const sentences = ['大家早晨，歡迎收聽今日嘅節目。', '我住喺九龍，返工要搭地鐵。'];
    const spoken = await Promise.all(sentences.map((sentence) => speak(toJyutping(sentence))));
    await writeFile(recording, wavBytes(joinSounds(spoken, 700)));
    platform = await startVideoPlatform();
    service = await startServiceHere(join(folder.path, 'data'), { YOUTUBE_BASE_URL: platform.baseUrl });
    client = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    browser = await openBrowser({ microphonePath: recording });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await service.stop();
    await platform.close();
    await folder[Symbol.asyncDispose]();
  });

  it('makes a word list with checked jyutping, keeps drafts, and hands it out as a file', async () => {
    await using opened = await openScreen('corpora/new', /409/);
    const { page } = opened;
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await page.getByLabel('Word:').fill('深水埗');
    await page.getByLabel('Jyutping: 深水埗').fill('sam1 seoi2');
    await page.getByText('One syllable for each Chinese character').waitFor();
    expect(await page.getByRole('button', { name: 'Correct 1 first' }).isDisabled()).toBe(true);
    await page.getByLabel('Jyutping: 深水埗').fill('');
    await page.getByRole('button', { name: 'Fill in missing jyutping' }).click();
    await expect.poll(() => page.getByLabel('Jyutping: 深水埗').inputValue()).toBe('sam1 seoi2 bou2');
    // Typed text is still there after the page is loaded again.
    await expect.poll(() => page.evaluate(KEPT_DRAFTS)).toContain('sam1 seoi2 bou2');
    await page.reload();
    await expect.poll(() => page.getByLabel('Jyutping: 深水埗').inputValue()).toBe('sam1 seoi2 bou2');
    await save.click();
    await page.getByText('version 1', { exact: true }).waitFor();
    const made = (await client.corpora.list()).find((corpus) => !corpus.public);
    expect(made).toMatchObject({ name: HOSTILE, entries_count: 1, version: 1 });

    // The list that was saved is open, with its buttons; what is typed while it is saved stays.
    const exported = page.getByRole('button', { name: 'Export' });
    await exported.waitFor();
    const { promise: isTyped, resolve: go } = Promise.withResolvers<void>();
    const path = `**/api/corpora/${made?.id}`;
    await page.route(path, async (route) => {
      if (route.request().method() === 'PUT') await isTyped;
      await route.continue();
    });
    await page.getByLabel('Description').fill('one');
    await save.click();
    await page.getByLabel('Description').fill('one and two');
    go();
    await expect.poll(async () => (await client.corpora.get(made?.id ?? '')).version).toBe(2);
    await page.unroute(path);
    await save.click();
    await page.getByText('version 3', { exact: true }).waitFor();
    expect(await client.corpora.get(made?.id ?? '')).toMatchObject({ description: 'one and two', version: 3 });

    // Another client saves meanwhile.
    await client.corpora.replace(made?.id ?? '', { entries: [{ text: '旺角' }] });
    await page.getByLabel('Description').fill('mine');
    await save.click();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('version 5', { exact: true }).waitFor();
    const downloading = page.waitForEvent('download');
    await exported.click();
    const file = await (await downloading).path();
    const tsv = await readFile(file, 'utf8');
    expect(tsv).toContain('深水埗\tsam1 seoi2 bou2');

    await page.goto(`${service.baseUrl}/console/#/corpora`);
    await page.getByText('<img src=x').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.locator('input[type=file]').setInputFiles({
      name: 'places.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[{"text": "旺角", "jyutping": "wong6 gok3"}]'),
    });
    await page.getByRole('heading', { name: 'places' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Your word lists' }).waitFor();
    expect((await client.corpora.list()).filter((corpus) => !corpus.public).map(({ name }) => name)).toEqual([HOSTILE]);

    // A file with bad lines is shown with them, and what is good of it is saved when asked.
    const lines = Array.from({ length: 150 }, (_, index) => `第${index}間,dai6 gaan1`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'rooms.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['word,jyutping', ...lines, '旺角,wong6', '深水埗,sam1 seoi2 bou3'].join('\r\n')),
    });
    await page.getByText('1 line cannot be used').waitFor();
    const fault = page.getByText('One syllable for each Chinese character');
    expect(await fault.count()).toBe(0);
    await page.getByRole('button', { name: 'Show them alone' }).click();
    await fault.waitFor();
    await page.getByRole('button', { name: 'Leave them out' }).click();
    await page.getByRole('searchbox').fill('埗');
    await page.getByText('bou3 has another tone').waitFor();
    await page.getByRole('searchbox').fill('');
    // A table of a spreadsheet becomes rows, and a column of it fills the cells below.
    const word = page.getByLabel('Word: 第0間');
    await word.focus();
    await paste(page, '詞語\t粵拼\r\n"中環\n碼頭"\tzung1waan4 maa5tau4\r\nIKEA\tji4 ke4 aa1\r\n');
    await page.getByText('153 words').waitFor();
    expect(await page.getByLabel('Jyutping: 中環 碼頭').inputValue()).toBe('zung1 waan4 maa5 tau4');
    await page.getByLabel('Weight: 中環 碼頭').focus();
    await paste(page, '2\n3');
    expect(await page.getByLabel('Weight: IKEA').inputValue()).toBe('3');
    await save.click();
    await page.getByText('version 1', { exact: true }).waitFor();
    const rooms = (await client.corpora.list()).find(({ name }) => name === 'rooms');
    expect(rooms?.entries_count).toBe(153);
    await client.corpora.delete(rooms?.id ?? '');
  });

  it('uses a word list of your own for what is transcribed next', async () => {
    const { id } = await client.corpora.create({ name: 'Places', entries: [{ text: '住喺九瓏', weight: 10 }] });
    await using opened = await openScreen('transcribe');
    const { page } = opened;
    const list = page.getByRole('group', { name: 'Word lists' });
    await list.getByLabel('Places').waitFor();
    expect(await list.getByRole('checkbox', { checked: false }).count()).toBe(0);
    await page.locator('input[type=file]').setInputFiles(recording);
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await page.getByRole('link', { name: 'Open transcript' }).click();
    await page.getByRole('button', { name: '瓏', exact: true }).waitFor();
    await client.corpora.delete(id);
  });

  it('exports speakers as the screen calls them, none for one person, and asks for no sound that was not kept', async () => {
    const job = await client.transcribe(recording, { diarization: true, speakers: 1 });
    const { segments } = await job.wait();
    await using opened = await openScreen(`transcripts/${job.id}`, /404/);
    const { page } = opened;
    const isExportedAs = async (expected: RegExp) => {
      await page.reload();
      await page.getByText('The sound of this recording was not kept.').waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      await expect.poll(() => page.getByLabel('Preview').innerText()).toMatch(expected);
    };
    await isExportedAs(/^1\n[\d:,]+ --> [\d:,]+\n(?:\[.*\]\n)?大家/);
    const spoken = segments.map((segment, index) => ({ ...segment, speaker: `SPEAKER_0${Math.min(index, 1)}` }));
    await job.save({ segments: spoken, speakers: { SPEAKER_01: '李先生' } });
    await isExportedAs(/^1\n.*\n(?:\[.*\]\n)?Speaker 1: 大家[^]*\n李先生: /);
    // A change after it was deleted elsewhere cannot be saved, and is handed out as a file.
    await job.delete();
    await page.keyboard.press('Escape');
    await page.getByLabel('Preview').waitFor({ state: 'hidden' });
    await page.getByLabel('Title').fill('會議');
    await page.getByText('was deleted somewhere else').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download (TXT)' }).click();
    expect(await readFile(await (await downloading).path(), 'utf8')).toMatch(/^Speaker 1: 大家[^]*\n李先生: /);
  });

  it('makes a voice of ten recorded seconds, tries it at once, and deletes it', async () => {
    await using opened = await openScreen('voices');
    const { page } = opened;
    const make = page.getByRole('button', { name: 'Make the voice' });
    await page.getByLabel('Name of the voice').fill(HOSTILE);
    await page.getByRole('button', { name: 'Record 10 seconds' }).click();
    await page.getByText('seconds, good to use').waitFor();
    expect(await make.isDisabled()).toBe(true);
    await page.getByLabel('agrees that a computer').check();
    await make.click();
    await page.getByRole('button', { name: `Delete: ${HOSTILE}` }).waitFor();
    // It is heard as soon as it is made.
    await page.locator('.sound-player').last().waitFor();
    const [madeVoice] = (await client.voices.list()).filter((voice) => !voice.public);
    expect(madeVoice?.name).toBe(HOSTILE);
    expect(await client.voices.get(madeVoice?.voice_id ?? '')).toMatchObject({
      transcript: expect.stringContaining('今朝天氣'),
      consented_at: expect.any(String),
    });
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('button', { name: `Delete: ${HOSTILE}` }).click();
    await page.getByText('None yet.').waitFor();
  });

  it('tells what is wrong with a recording before a voice is made of it', async () => {
    await using opened = await openScreen('voices', /422/);
    const { page } = opened;
    const quiet = new Float32Array(16_000 * 6).map((_, at) => 0.02 * Math.sin(at / 10));
    for (const [buffer, sentence] of [
      [wav(quiet), 'Too quiet.'],
      [wav(quiet.map((sample) => Math.max(-1, Math.min(1, sample * 100)))), 'Too loud'],
      [wav(quiet.subarray(0, 16_000)), 'Too short.'],
      [await speakMeeting(client), 'Two people speak in it.'],
    ] as const) {
      await page.locator('input[type=file]').setInputFiles({ name: 'sample.wav', mimeType: 'audio/wav', buffer });
      await page.getByText(sentence).waitFor();
      await page.getByRole('button', { name: 'Discard and record again' }).click();
    }
    const sample = { name: 'sample.wav', mimeType: 'audio/wav', buffer: wav(quiet) };
    await page.locator('input[type=file]').setInputFiles(sample);
    await page.getByText('Too quiet.').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await (await choosing).setFiles({ ...sample, buffer: wav(quiet.subarray(0, 16_000)) });
    await page.getByText('Too short.').waitFor();
    expect((await client.voices.list()).filter((voice) => !voice.public)).toEqual([]);
  });

  it('summarizes a video in its language, and says what to do about one that cannot be read', async () => {
    await using opened = await openScreen('video');
    const { page } = opened;
    await page.getByLabel('Link to the video').fill('https://example.com/');
    await page.getByRole('button', { name: 'Summarize' }).click();
    await page.getByText('This is no link to a YouTube video.').waitFor();
    await page.getByLabel('Link to the video').fill(`https://www.youtube.com/watch?v=${VIDEOS.englishTalk.id}`);
    await page.getByRole('button', { name: 'Show the captions' }).click();
    await page.getByLabel('Captions').selectOption({ index: 1 });
    await page.getByLabel('Language of the summary').selectOption('english');
    await page.getByRole('button', { name: 'Summarize' }).click();
    const summary = page.locator('.long-text').first();
    await summary.waitFor();
    expect((await summary.innerText()).length).toBeGreaterThan(20);
    expect((await page.getByRole('region', { name: 'Transcript' }).innerText()).length).toBeGreaterThan(100);
    const moments = page.getByRole('link', { name: /^Watch from \d+:\d\d$/ });
    expect(await moments.count()).toBeGreaterThan(3);
    expect(await moments.last().getAttribute('href')).toMatch(new RegExp(`v=${VIDEOS.englishTalk.id}&t=[1-9]\\d*s$`));
    // It is still there when another screen was open meanwhile.
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Video', exact: true }).click();
    await summary.waitFor();
    // The browser reads what was typed from its database, after the screen was shown.
    await expect.poll(() => page.getByLabel('Link to the video').inputValue()).toContain(VIDEOS.englishTalk.id);
    await page.getByText('399 summaries left').waitFor();
  });

  it('summarizes a text of your own, and tells what the service says about a failure', async () => {
    await using opened = await openScreen('video', /503/);
    const { page } = opened;
    const summarize = page.getByRole('button', { name: 'Summarize' });
    await page.getByText('Enter a link or a text first.').waitFor();
    expect(await summarize.isDisabled()).toBe(true);
    await page.getByText('Use a text of your own').click();
    await page.getByLabel('Transcript').fill('大家好，今日我哋一齊去大嶼山。我哋會坐船去。');
    // Without a link, the text alone is summarized, which needs a language model.
    await page.getByRole('button', { name: 'Minutes' }).click();
    await summarize.click();
    await page.getByText('LLM_BASE_URL').waitFor();
    await page.getByLabel('Link to the video').fill(VIDEOS.englishTalk.id);
    await page.getByLabel('Language of the summary').selectOption('english');
    await summarize.click();
    const detail = page.getByRole('alert').locator('.failure-detail');
    await detail.waitFor();
    expect(await detail.innerText()).toMatch(
      /LLM_BASE_URL and LLM_MODEL are not set: the built-in summarizer cannot write English .* \(request [0-9a-f-]{36}\)$/,
    );
    await page.getByLabel('Language of the summary').selectOption('cantonese');
    await summarize.click();
    await page.locator('.long-text').first().waitFor();
    await page.getByLabel('Link to the video').fill(VIDEOS.private.id);
    await page.getByRole('button', { name: 'Show the captions' }).click();
    const notice = page.locator('.notice', { hasText: 'YouTube gave no captions.' });
    await notice.getByText(/^Failed to fetch caption tracks \(request /).waitFor();
  });

  it('describes what ships with the service in the language of the page, and leaves own texts alone', async () => {
    const { id } = await client.corpora.create({
      name: 'finance',
      description: 'My words.',
      entries: [{ text: '旺角' }],
    });
    await using opened = await openScreen('corpora');
    const { page } = opened;
    await page.getByText('Stocks, banking, the economy').waitFor();
    await page.getByRole('link', { name: 'My words.' }).getByText('1 word ·').waitFor();
    await signIn(page, service.baseUrl, { language: 'zh-HK', theme: 'light' });
    const show = async (screen: string) => page.goto(`${service.baseUrl}/console/#/${screen}`);
    await show('corpora');
    await page.getByText('股票、銀行、經濟、樓市、會計和保險').waitFor();
    await page.getByText('My words.').waitFor();
    expect(await page.locator('.corpora').last().innerText()).not.toMatch(/[a-z]{4}/i);
    await show('corpora/finance');
    await page.getByText('股票、銀行、經濟、樓市、會計和保險').waitFor();
    await show('voices');
    await page.getByText('年輕女聲，明亮活潑。').waitFor();
    expect(await page.locator('.voices').last().innerText()).not.toMatch(/[a-z]+ [a-z]+/);
    await show('settings');
    await page.getByLabel('安裝其他模型').selectOption('kokoro');
    await page.getByText('Kokoro 82M 1.0：英語和普通話聲線').waitFor();
    await client.corpora.delete(id);
  });

  it('says when the service has no connection to YouTube', async () => {
    await platform.close();
    await using opened = await openScreen('video');
    const { page } = opened;
    await page.getByLabel('Link to the video').fill(VIDEOS.chineseReport.id);
    await page.getByRole('button', { name: 'Summarize' }).click();
    await page.getByText('The service cannot reach YouTube.').waitFor();
    expect(await page.getByText('YouTube gave no captions.').count()).toBe(0);
  });
});

async function openScreen(screen: string, expectedErrors?: RegExp) {
  const opened = await openConsole(browser, service.baseUrl, screen, { expectedErrors });
  opened.page.on('dialog', (dialog) => void dialog.accept());
  return opened;
}

/** A promise of the drafts, as JSON, that the browser keeps; runs in the page. */
const KEPT_DRAFTS = `new Promise((resolve) => {
  indexedDB.open('jyutsing-drafts').onsuccess = ({ target }) => {
    const asking = target.result.transaction('drafts').objectStore('drafts').getAll();
    asking.onsuccess = () => resolve(JSON.stringify(asking.result));
  };
})`;

const wav = (samples: Float32Array) => Buffer.from(wavBytes({ channels: [samples], sampleRateHz: 16_000 }));

/** Pastes a text into the field with the focus, as a spreadsheet puts it there. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`
    clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  `);
}
