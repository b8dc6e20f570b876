import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jyutsing } from '@jyutsing/client';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { CHROMIUM, openBrowser, type TestBrowser } from '#testbed/service/browser.ts';
import { openConsole } from '#testbed/service/console.ts';
import { sha256, startDownloadHost, type DownloadHost } from '#test/download-host.ts';
import { enginesWith } from '#test/engines-with.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { testArchive } from '#test/test-archive.ts';
import { buildConsole } from '../../scripts/build-console.ts';

const PATH = '/made-up/recognizer.tar.bz2';
const archive = testArchive('recognizer');
const PACKAGE: ModelPackage = {
  name: 'small-test-model',
  title: 'A recognizer for tests',
  purpose: 'recognizer',
  languages: ['cantonese'],
  licence: 'Apache-2.0',
  homepage: 'https://github.com',
  url: `https://github.com${PATH}`,
  archive: 'tar.bz2',
  sizeBytes: archive.length,
  files: ['model.int8.onnx', 'tokens.txt'],
  checksum: { kind: 'sha256', value: sha256(archive) },
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let host: DownloadHost;
let service: ServiceHere;
let browser: TestBrowser;

describe.skipIf(CHROMIUM === null)('models in the console', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    await buildConsole();
    host = await startDownloadHost();
    service = await start('open', {});
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await service.stop();
    await host.close();
    await folder[Symbol.asyncDispose]();
  });

  it('installs a model, shows how far it is, why it failed, and offers it no more', async () => {
    await using opened = await openConsole(browser, service.baseUrl, 'settings');
    const { page } = opened;
    const choice = page.getByLabel('Install another model');
    await choice.selectOption('small-test-model');
    await page.getByText('A recognizer for tests').waitFor();
    const install = page.getByRole('button', { name: 'Install it' });
    await install.click();
    await page.getByText('small-test-model could not be installed.').waitFor();
    host.files.set(PATH, { content: archive, stallsAfterBytes: 300 });
    await install.click();
    await page.getByText(/small-test-model is being installed: \d/).waitFor();
    expect(await install.isDisabled()).toBe(true);
    host.files.set(PATH, { content: archive });
    await page.getByText('small-test-model is installed and used from the next request on.').waitFor();
    await expect.poll(() => choice.locator('option[value=small-test-model]').count()).toBe(0);
  });

  it('refuses others than owners, unknown names, and all where the deployment forbids it', async () => {
    const owner = new Jyutsing({ baseUrl: service.baseUrl, apiKey: OWNER_KEY });
    await expect(owner.models.pull('no-such-model')).rejects.toMatchObject({ status: 404 });
    const { id } = await owner.accounts.create({ name: 'Guest', plan: 'pro' });
    const { api_key: apiKey } = await owner.keys.create(id, { scopes: ['stt'] });
    const guest = new Jyutsing({ baseUrl: service.baseUrl, apiKey });
    await expect(guest.models.pull('small-test-model')).rejects.toMatchObject({ status: 403 });
    await expect(guest.models.pullable()).rejects.toMatchObject({ status: 403 });
    const closed = await start('closed', { MODELS_PULL_OVER_HTTP: 'false' });
    try {
      const there = new Jyutsing({ baseUrl: closed.baseUrl, apiKey: OWNER_KEY });
      expect(await there.models.pullable()).toEqual([]);
      await expect(there.models.pull('small-test-model')).rejects.toMatchObject({ status: 409 });
    } finally {
      await closed.stop();
    }
  });
});

async function start(name: string, env: Record<string, string>): Promise<ServiceHere> {
  return startServiceHere(join(folder.path, name), {
    MODELS_DIR: join(folder.path, `${name}-models`),
    MODELS_BASE_URL: host.url,
    MODELS_RETRIES: '1',
    MODELS_STALL_SECONDS: '1',
    WORKERS: '1',
    TEST_ENGINES_DIR: await enginesWith([PACKAGE], join(folder.path, `${name}-engines`)),
    ...env,
  });
}
