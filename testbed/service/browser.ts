import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** The path is null when no browser is installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path)) ?? null;

/** Chromium without the parts around a page, such as windows, extensions and its own services. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** A busy machine may take long for what usually takes milliseconds. */
const WAIT_AT_MOST_MS = 180_000;

type BrowserOptions = {
  /** A wav file that the microphone hears, repeated; with null no page may use a microphone. */
  microphonePath?: string | null;
  /** More flags of Chromium. */
  flags?: readonly string[];
  /**
   * By default a page continues the process, cache and profile of the one before, with emptied
   * storage, which takes a third of the processor's time. Measurements need new ones.
   */
  isFreshForEachPage?: boolean;
  /**
   * Opens the browser of users. By default pages are shown by the headless shell of Chromium, where
   * it is installed: each takes a third of the processor's time.
   */
  isWhole?: boolean;
};

type PageOptions = {
  /** Addresses that the page may ask, beside its own. */
  services?: readonly string[];
  /** Messages of the console that the test provokes, such as a refused request. */
  expectedErrors?: RegExp | undefined;
  /** The storage of the page has these values until the page changes it. */
  stored?: Readonly<Record<string, string>>;
};

/** A browser without a window; certificates are not checked. */
export type TestBrowser = AsyncDisposable & {
  /**
   * Opens a page with storage of its own and waits until it is loaded. Disposing of it fails when
   * the page logged an error, was stopped by its content security policy, or asked another host.
   */
  open(url: string, options?: PageOptions): Promise<OpenedPage>;
};

export type OpenedPage = AsyncDisposable & { page: Page };

export async function openBrowser({
  microphonePath,
  flags = [],
  isFreshForEachPage = false,
  isWhole = false,
}: BrowserOptions = {}): Promise<TestBrowser> {
  const hears = typeof microphonePath === 'string' ? [`--use-file-for-fake-audio-capture=${microphonePath}`] : [];
  const answer = microphonePath === null ? '--deny-permission-prompts' : '--use-fake-ui-for-media-stream';
  const oneProcess = isFreshForEachPage ? [] : ['--renderer-process-limit=1'];
  const browser = await chromium.launch({
    executablePath: (!isWhole && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM) ?? '',
    args: [answer, '--use-fake-device-for-media-stream', ...oneProcess, ...hears, ...flags],
  });
  const idle: Profile[] = [];
  return {
    async open(url, options = {}) {
      const profile = idle.pop() ?? (await createProfile(browser, isFreshForEachPage ? null : url));
      const page = await profile.context.newPage();
      if (options.stored !== undefined) await page.addInitScript(storingMissing(options.stored));
      const problems = watch(page, url, options);
      await page.goto(url);
      return {
        page,
        async [Symbol.asyncDispose]() {
          if (isFreshForEachPage) {
            await profile.context.close();
          } else {
            await empty(profile, new URL(url));
            idle.push(profile);
          }
          expect(problems).toEqual([]);
        },
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** `keeper` is a page of the same site, which asks for nothing: the process of the pages stays. */
type Profile = { context: BrowserContext; keeper: Page | null };

async function createProfile(browser: Browser, keptUrl: string | null): Promise<Profile> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
  context.setDefaultTimeout(WAIT_AT_MOST_MS);
  if (keptUrl?.startsWith('http') !== true) return { context, keeper: null };
  const keeper = await context.newPage();
  await keeper.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await keeper.goto(keptUrl);
  return { context, keeper };
}

/** Closes the pages and forgets what they stored. */
async function empty({ context, keeper }: Profile, { origin }: URL): Promise<void> {
  for (const page of context.pages()) if (page !== keeper) await page.close();
  await context.setOffline(false);
  await context.clearCookies();
  if (keeper === null) return;
  const session = await context.newCDPSession(keeper);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}

/** Opens a page in a browser of its own, which ends with the page. */
export async function openPage(url: string, options: BrowserOptions & PageOptions = {}): Promise<OpenedPage> {
  await using ending = new AsyncDisposableStack();
  const browser = ending.use(await openBrowser(options));
  const { page } = ending.use(await browser.open(url, options));
  const rest = ending.move();
  return { page, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

/** A script for the start of each page. Pages without an address have no storage. */
function storingMissing(items: Readonly<Record<string, string>>): string {
  return `if (location.protocol.startsWith('http'))
    for (const [name, value] of Object.entries(${JSON.stringify(items)})) localStorage[name] ??= value;`;
}

/** Collects what must not happen on a page while it is open. */
function watch(page: Page, url: string, { services = [], expectedErrors }: PageOptions): string[] {
  const problems: string[] = [];
  const allowed = new Set([url, ...services].map((address) => new URL(address).host));
  const checkHost = (address: string) => {
    const { protocol, host } = new URL(address);
    if (/^(https?|wss?):$/.test(protocol) && !allowed.has(host)) problems.push(`asked ${address}`);
  };
  page.on('request', (request) => checkHost(request.url()));
  page.on('websocket', (socket) => checkHost(socket.url()));
  page.on('pageerror', (error) => problems.push(`threw ${String(error)}`));
  page.on('console', (message) => {
    // Chromium reports what a content security policy stops as errors too.
    if (message.type() !== 'error' || expectedErrors?.test(message.text()) === true) return;
    const { url: place } = message.location();
    // The browser requests the icon by itself.
    if (!place.endsWith('/favicon.ico')) problems.push(`logged "${message.text()}" at ${place}`);
  });
  return problems;
}
