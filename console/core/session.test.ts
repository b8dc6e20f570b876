import { effect } from '@preact/signals';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

it('asks only for the scopes of the present key, and remembers them', async () => {
  const usedKeys: (string | null)[] = [];
  const location = { hash: '', pathname: '/console/' };
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  };
  vi.stubGlobal('document', { baseURI: 'http://service.test/console/' });
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { replaceState: () => {} });
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('fetch', (_url: string, { headers }: RequestInit) => {
    usedKeys.push(new Headers(headers).get('x-api-key'));
    return Promise.resolve(Response.json({ success: true, key: { scopes: ['tts'] } }));
  });
  const { isAllowed, loadScopes, signIn, signOut, takeKeyFromAddress } = await import('./session.ts');
  await signIn('first');
  expect([isAllowed('stt'), isAllowed('tts'), isAllowed(null)]).toEqual([false, true, true]);
  vi.resetModules();
  expect((await import('./session.ts')).isAllowed('stt')).toBe(false);
  const dispose = effect(() => void loadScopes(new AbortController().signal));
  location.hash = '#key=second';
  takeKeyFromAddress();
  await expect.poll(() => isAllowed('stt')).toBe(false);
  signOut();
  dispose();
  expect(usedKeys).toEqual(['first', 'second']);
  expect(stored).toEqual(new Map());
});
