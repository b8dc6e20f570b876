import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { unzipSync, strFromU8 } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Word } from '@jyutsing/contracts/transcript';
import type { LanguageModel } from '@jyutsing/contracts/language-model';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { withKey } from '#testbed/clients/requests.ts';
import { startAfterServer, translated, type AfterServer } from '#test/after-server.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { buildConsole, CONSOLE_DIST } from '../../scripts/build-console.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TEXTS = ['各位早晨，歡迎嚟到今日嘅會議', '我哋今日講下個月嘅預算', '聽日大家記得交計劃'];

let llm: AfterServer;
let model: LanguageModel;
let server: TestServer;
let browser: TestBrowser;
let accountId: string;
let key: string;

describe.skipIf(CHROMIUM === null)('what comes after a transcript, in the console', () => {
  beforeAll(async () => {
    await buildConsole();
    llm = await startAfterServer();
    const settings = { LLM_BASE_URL: llm.baseUrl, LLM_MODEL: 'qwen3:8b' };
    const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings };
    const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
    model = await engines.open(engines.select('language-model'));
    server = await startTestServer({
      consoleDir: CONSOLE_DIST,
      languageModels: { open: () => Promise.resolve(model), run: (signal, work) => work(signal) },
    });
    ({ id: accountId, key } = await server.newAccount('pro'));
    await insert('例會');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await model.close();
    await llm.close();
  });

  it('a translation is shown beside the transcript, and goes away again', async () => {
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByRole('link', { name: '例會' }).click();
    const button = page.getByRole('button', { name: 'Translation' });
    await button.press('Enter');
    const language = page.getByRole('dialog').getByLabel('Language');
    const translate = page.getByRole('button', { name: 'Translate' });
    llm.delayMs(4_000);
    await language.selectOption('japanese');
    await translate.press('Enter');
    await page.getByText('Translating:').waitFor();
    // It goes on when the window is closed, and is shown when that is opened again.
    await page.keyboard.press('Escape');
    await button.press('Enter');
    await language.selectOption('japanese');
    await page.getByText('Translating:').waitFor();
    expect(await translate.count()).toBe(0);
    await page.getByRole('button', { name: 'Show beside the transcript' }).press('Enter');
    llm.delayMs(0);
    const shown = page.locator('.segment .translation[lang=ja]');
    await expect.poll(() => shown.allTextContents()).toEqual(TEXTS.map((text) => translated(text)));
    const sideBySide = async () => {
      const [text, translation] = await Promise.all(
        [0, 1].map((at) => page.locator('.segment p').nth(at).boundingBox()),
      );
      return text!.x + text!.width <= translation!.x;
    };
    expect(await sideBySide()).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sideBySide()).toBe(false);
    await button.press('Enter');
    await page.getByRole('dialog').getByLabel('Language').selectOption('original');
    await page.getByRole('button', { name: 'Show the transcript alone' }).press('Enter');
    await expect.poll(() => shown.count()).toBe(0);

    // One whose window was closed says why it failed, though the request that begins it is still on
    // its way when the window is opened again.
    llm.behave('refuses');
    const reopened = Promise.withResolvers<void>();
    await page.route(/\/translations$/u, async (route) => {
      if (route.request().method() === 'POST') await reopened.promise;
      await route.continue();
    });
    await button.press('Enter');
    await language.selectOption('mandarin');
    await translate.press('Enter');
    await page.keyboard.press('Escape');
    const listed = page.waitForResponse(
      (response) => response.url().endsWith('/translations') && response.request().method() === 'GET',
    );
    await button.press('Enter');
    await listed;
    await language.selectOption('mandarin');
    reopened.resolve();
    await page.getByText('The language model gave no usable answer').first().waitFor();
    llm.behave('right');
  });

  it('a translation is offered once it is known that there is none, and the offer stays', async () => {
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByRole('link', { name: '例會' }).click();
    await page.getByRole('button', { name: 'Translation' }).press('Enter');
    const language = page.getByRole('dialog').getByLabel('Language');
    await language.waitFor();
    // A press of a key on a button that is taken away and put back is lost.
    await page.evaluate(`
      offers = [];
      new MutationObserver((changes) => {
        const nodes = (list) => [...list].filter((node) => node.textContent.includes('Translate')).length;
        for (const { addedNodes, removedNodes } of changes) offers.push(nodes(addedNodes) - nodes(removedNodes));
      }).observe(document.querySelector('dialog'), { subtree: true, childList: true });
    `);
    await language.selectOption('korean');
    await page.getByRole('button', { name: 'Translate' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('offers.filter((offer) => offer !== 0)')).toEqual([1]);
  });

  it('the last letters of a long transcript are kept when its tab is closed', async () => {
    const text = '我哋今日講下個月嘅預算';
    const words = [...text].map((character) => ({ ...newResult().segments[0]!.words[0]!, text: character }));
    await insert(
      '三個鐘',
      Array.from({ length: 1_000 }, () => text),
      words,
    );
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByRole('link', { name: '三個鐘' }).click();
    const title = page.getByLabel('Title');
    await title.fill('Typed in the last moment');
    const address = page.url();
    await page.goto(`${server.baseUrl}/health`);
    await page.goto(address);
    await expect.poll(() => title.inputValue()).toBe('Typed in the last moment');
  });

  it('a phone shows the text beside long names, and below the tools when it is held sideways', async () => {
    const texts = Array.from({ length: 20 }, () => '我哋今日講下個月嘅預算，聽日大家記得交計劃');
    const id = await insert('手提電話', texts);
    const speakers = { SPEAKER_00: 'Aleksandra-Wilhelmina-von-Hohenzollern-Sigmaringen' };
    const saved = await fetch(`${server.baseUrl}/api/speech-to-text/${id}`, {
      method: 'PATCH',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ speakers }),
    });
    expect(saved.status).toBe(200);
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.baseUrl}/console/#/transcripts/${id}`);
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const box = await page.locator('.segment-text').first().boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 844, height: 390 });
    await page.locator('.segment').nth(10).scrollIntoViewIfNeeded();
    const isText = `document.elementFromPoint(422, 110).closest('.segments') !== null`;
    await expect.poll(() => page.evaluate(isText)).toBe(true);
  });

  it('several transcripts are saved in one archive, or deleted', async () => {
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await insert('甲 <b>');
    await insert('乙');
    await page.getByRole('link', { name: 'Transcripts' }).click();
    for (const title of ['甲 <b>', '乙']) await page.getByLabel(`Choose ${title}`).press('Space');
    await page.getByText('2 transcripts chosen').waitFor();
    const before = await page.locator('.recent li').count();
    await page.getByLabel('Format').selectOption('srt');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download (ZIP)' }).press('Enter');
    const files = unzipSync(await readFile(await (await downloading).path()));
    expect(Object.keys(files).sort()).toEqual(['乙.srt', '甲 b.srt']);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await page.getByText('2 transcripts deleted.').waitFor();
    await expect.poll(() => page.locator('.recent li').count()).toBe(before - 2);
  });

  it('a transcript gets tags, by which the list is limited', async () => {
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByRole('button', { name: /Tags of 例會/ }).press('Enter');
    await page.keyboard.type('work, 預算');
    await page.keyboard.press('Enter');
    const filter = page.getByRole('group', { name: 'Tags' });
    await filter.getByRole('button', { name: '#預算' }).press('Enter');
    await expect.poll(() => page.locator('.recent li').count()).toBe(1);
    expect(await page.getByRole('button', { name: /Tags of 例會/ }).textContent()).toBe('#work #預算');
    const { tags } = (await (await fetch(`${server.baseUrl}/api/speech-to-text/tags`, withKey(key))).json()) as {
      tags: unknown;
    };
    expect(tags).toEqual([
      { tag: 'work', count: 1 },
      { tag: '預算', count: 1 },
    ]);
    await page.getByRole('button', { name: /Tags of 例會/ }).press('Enter');
    await page.getByRole('textbox', { name: 'Tags of 例會' }).fill('');
    await page.keyboard.press('Enter');
    await filter.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /Tags of 例會/ })
      .getByText('+ tag')
      .waitFor();
  });

  it('a transcript is found by jyutping, summarized, translated and saved as a Word document by keyboard', async () => {
    await using opened = await browser.open(`${server.baseUrl}/console/#key=${key}`);
    const { page } = opened;
    await page.getByRole('link', { name: 'Transcripts' }).click();
    await page.getByLabel('Search in all transcripts').focus();
    await page.keyboard.type('zou2 san4');
    await page.locator('.found mark').waitFor();
    expect(await page.locator('.found mark').textContent()).toBe('早晨');
    await page.locator('.found .match').focus();
    await page.keyboard.press('Enter');
    // The place that was found is shown and marked.
    await page.locator('.segment.active', { hasText: '早晨' }).waitFor();

    await page.getByRole('button', { name: 'Summarize' }).press('Enter');
    await page.getByRole('button', { name: 'Write' }).press('Enter');
    await page.getByText(`佢哋講到${TEXTS[0]}`).waitFor();
    await page.getByLabel('Ask the transcript').fill('聽日做咩？');
    await page.keyboard.press('Enter');
    await page.locator('.statements').getByText(TEXTS[2]!).waitFor();
    // Each text costs a credit, so this browser keeps them; a time leads to its segment.
    await page.waitForTimeout(400);
    await page.reload();
    await page.getByRole('button', { name: 'Summarize' }).press('Enter');
    await page.getByRole('heading', { name: '聽日做咩？' }).waitFor();
    const copied = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).last().press('Enter');
    expect((await copied).suggestedFilename()).toBe('例會 Summary.md');
    await page.getByRole('button', { name: /^Said at 0:08/ }).press('Enter');
    await page.locator('.segment.active', { hasText: TEXTS[2]! }).waitFor();

    await page.getByRole('button', { name: 'Export' }).press('Enter');
    await page.getByRole('button', { name: 'DOCX' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Language').selectOption('english');
    await page.getByRole('button', { name: 'Translate' }).press('Enter');
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await page.getByRole('switch', { name: 'Both languages' }).press('Space');
    await page.evaluate(await readFile(AXE, 'utf8'));
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string; impact: string }[] };
    expect(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))).toEqual([]);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('例會.yue-en.docx');
    const xml = strFromU8(unzipSync(await readFile(await download.path()))['word/document.xml']!);
    for (const text of TEXTS) for (const part of [text, translated(text)]) expect(xml).toContain(part);
  });
});

async function insert(title: string, texts = TEXTS, words: Word[] = []): Promise<string> {
  const segments = texts.map((text, index) => ({
    text,
    startMs: index * 4_000,
    endMs: index * 4_000 + 3_500,
    words: words.map((word) => ({ ...word, startMs: index * 4_000, endMs: index * 4_000 })),
    speaker: 'a',
    confidence: null,
  }));
  const result = { ...newResult(), segments };
  const change = { status: 'completed', blobKey: null, result, title, durationMs: texts.length * 4_000 } as const;
  const record = newRecord(accountId, change);
  await server.store.transcriptions.insert(record);
  return record.id;
}
