// `npm run pictures [-- folder [screen…]]`: photographs the console, filled with an example, into
// docs/pictures/console or the folder; with screens, only those, in both languages and themes,
// from a telephone to 4K.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '#testbed/service/browser.ts';
import { fillConsole, signIn } from '#testbed/service/console.ts';
import { startService, temporaryFolder } from '#testbed/service/service.ts';
import { buildConsole } from '../../scripts/build-console.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_BYTES = 150_000;

type Picture = {
  name: string;
  screen: string;
  language: 'en' | 'zh-HK';
  theme: 'light' | 'dark';
  width: number;
  height: number;
  /** A button that is pressed before. */
  pressed?: string;
  /** The selector of something that appears later. */
  shown?: string;
};

const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };
const huge = { width: 3_840, height: 2_160 };
const KEPT: readonly Picture[] = [
  {
    name: 'transcript',
    screen: 'transcripts',
    language: 'zh-HK',
    theme: 'light',
    ...wide,
    height: 720,
    pressed: '粵拼',
  },
  { name: 'transcript-dark', screen: 'transcripts', language: 'en', theme: 'dark', ...wide },
  { name: 'home', screen: '', language: 'en', theme: 'light', ...wide },
  { name: 'home-phone', screen: '', language: 'zh-HK', theme: 'dark', ...narrow },
  { name: 'word-list', screen: 'corpora', language: 'en', theme: 'light', ...wide, shown: '.entry-note' },
  { name: 'settings', screen: 'settings', language: 'zh-HK', theme: 'dark', ...wide },
];

const [folder = join(ROOT, 'docs/pictures/console'), ...screens] = process.argv.slice(2);
const pictures = screens.length === 0 ? KEPT : screens.flatMap(everyFormOf);

await buildConsole();
await mkdir(folder, { recursive: true });
await using data = await temporaryFolder();
const service = await startService(join(data.path, 'data'), { YOUTUBE_BASE_URL: 'http://127.0.0.1:9' });
const browser = await openBrowser({ isWhole: true });
try {
  const example = await fillConsole(service.baseUrl);
  await using opened = await browser.open(`${service.baseUrl}/console/`);
  const { page } = opened;
  for (const picture of pictures) {
    await signIn(page, service.baseUrl, picture);
    await page.setViewportSize(picture);
    const id = { transcripts: example.transcriptId, corpora: example.corpusId }[picture.screen];
    await photograph(
      page,
      `${service.baseUrl}/console/#/${picture.screen}${id === undefined ? '' : `/${id}`}`,
      picture,
    );
  }
} finally {
  await browser[Symbol.asyncDispose]();
  await service.stop();
}

async function photograph(page: Page, address: string, { name, pressed, shown }: Picture): Promise<void> {
  await page.goto(address);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  if (pressed !== undefined) await page.getByRole('button', { name: pressed }).click();
  if (shown !== undefined) await page.locator(shown).first().waitFor();
  const path = join(folder, `${name}.png`);
  await writeFile(path, await page.screenshot({ animations: 'disabled', fullPage: screens.length > 0 }));
  const { size } = await stat(path);
  console.log(`${path}: ${Math.round(size / 1_000)} kB${size > MAX_BYTES ? ', which is too large to keep' : ''}`);
}

function everyFormOf(screen: string): Picture[] {
  const name = screen === '' ? 'home' : screen;
  return [
    { name: `${name}-en-wide`, screen, language: 'en', theme: 'light', ...wide },
    { name: `${name}-zh-narrow`, screen, language: 'zh-HK', theme: 'dark', ...narrow },
    { name: `${name}-en-4k`, screen, language: 'en', theme: 'light', ...huge },
  ];
}
