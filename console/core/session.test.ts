import { effect } from '@preact/signals';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A storage of a browser, with what it holds. */
function fakeStorage() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  };
  return { stored, storage };
}

/** A browser in which each key belongs to the account of the same name. */
function fakeBrowser() {
  const usedKeys: (string | null)[] = [];
  const [tab, computer] = [fakeStorage(), fakeStorage()];
  const reload = vi.fn();
  vi.stubGlobal('document', { baseURI: 'http://service.test/console/' });
  vi.stubGlobal('location', { hash: '', pathname: '/console/', reload });
  vi.stubGlobal('sessionStorage', tab.storage);
  vi.stubGlobal('localStorage', computer.storage);
  vi.stubGlobal('fetch', (_url: string, { headers }: RequestInit) => {
    const key = new Headers(headers).get('x-api-key') ?? '';
    usedKeys.push(key);
    return Promise.resolve(Response.json({ success: true, account: { id: key, name: key }, key: { scopes: ['tts'] } }));
  });
  return { usedKeys, tab: tab.stored, computer: computer.stored, reload };
}

it('asks only for the scopes of the present key, and remembers them', async () => {
  const { usedKeys, tab } = fakeBrowser();
  const first = await import('./session.ts');
  await first.signIn('first', { remembered: false });
  expect([first.isAllowed('stt'), first.isAllowed('tts'), first.isAllowed(null)]).toEqual([false, true, true]);
  vi.resetModules();
  expect((await import('./session.ts')).isAllowed('stt')).toBe(false);
  first.signOut();
  vi.resetModules();
  const { account, isAllowed, loadScopes, signOut, startSession } = await import('./session.ts');
  const dispose = effect(() => void loadScopes(new AbortController().signal));
  startSession({ key: 'second', scopes: null, account: null });
  await expect.poll(() => isAllowed('stt')).toBe(false);
  expect(account.value).toEqual({ id: 'second', name: 'second' });
  signOut();
  dispose();
  expect(usedKeys).toEqual(['first', 'second']);
  expect(tab).toEqual(new Map());
});

it('is remembered on the computer only when usedKeys to, and until the user signs out', async () => {
  const { tab, computer } = fakeBrowser();
  const { isRemembered, remember, signIn, signOut } = await import('./session.ts');
  await signIn('key', { remembered: false });
  expect([tab.size, computer.size, isRemembered.value]).toEqual([1, 0, false]);
  remember(true);
  expect([tab.size, computer.size]).toEqual([0, 1]);
  vi.resetModules();
  const next = await import('./session.ts');
  expect([next.currentKey(), next.isRemembered.value]).toEqual(['key', true]);
  next.remember(false);
  expect([tab.size, computer.size]).toEqual([1, 0]);
  next.remember(true);
  signOut();
  expect([tab.size, computer.size]).toEqual([0, 0]);
});

it('a page that has shown one account is loaded again before it shows another', async () => {
  const { reload } = fakeBrowser();
  const { currentKey, signIn, signOut, startSession } = await import('./session.ts');
  await signIn('one', { remembered: false });
  signOut('refused');
  await signIn('one', { remembered: false });
  expect(reload).not.toHaveBeenCalled();
  await signIn('other', { remembered: false });
  expect([reload.mock.calls.length, currentKey()]).toEqual([1, 'one']);
  startSession({ key: 'unknown', scopes: null, account: null });
  expect([reload.mock.calls.length, currentKey()]).toEqual([2, 'one']);
  vi.resetModules();
  expect((await import('./session.ts')).currentKey()).toBe('unknown');
});
