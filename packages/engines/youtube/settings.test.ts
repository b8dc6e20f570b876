import { expect, it } from 'vitest';
import { engine } from './caption-source.ts';
import { createPlatformHosts } from './platform-hosts.ts';
import { readSettings } from './settings.ts';
import { onlyModel } from '#test/only-model.ts';

const env = (settings: Record<string, string>) => ({
  builtinModelsDir: '/nowhere',
  modelsDir: '/nowhere',
  settings,
});

it('no setting is required', () => {
  expect(onlyModel(engine, env({})).availability).toEqual({ available: true });
  expect(readSettings({ YOUTUBE_BASE_URL: '', YOUTUBE_PROXY: '', YOUTUBE_YT_DLP: '' })).toEqual(readSettings({}));
  expect(readSettings({})).toMatchObject({
    settings: {
      baseUrl: 'https://www.youtube.com',
      isCustomHost: false,
      proxyUrl: null,
      timeoutMs: 15_000,
      maxAnswerBytes: 16_777_216,
      ytDlp: { path: 'auto' },
    },
  });
  expect(readSettings({ YOUTUBE_BASE_URL: 'https://www.youtube.com/' })).toMatchObject({
    settings: { isCustomHost: false },
  });
});

it.each([
  ['YOUTUBE_BASE_URL', 'youtube'],
  ['YOUTUBE_BASE_URL', 'ftp://www.youtube.com'],
  ['YOUTUBE_BASE_URL', 'http://localhost:8099/path'],
  ['YOUTUBE_BASE_URL', 'http://user:secret@localhost'],
  ['YOUTUBE_BASE_URL', 'http://localhost/?a=b'],
  ['YOUTUBE_CLIENTS', 'ANDROID'],
  ['YOUTUBE_CLIENTS', 'ANDROID/'],
  ['YOUTUBE_CLIENTS', 'NOKIA/1.0'],
  ['YOUTUBE_CLIENTS', 'ANDROID/20.1\r\nx-evil: 1'],
  ['YOUTUBE_CLIENTS', ','],
  ['YOUTUBE_CLIENTS', '/nowhere/clients.json'],
  ['YOUTUBE_CLIENTS', import.meta.filename],
  ['YOUTUBE_CLIENTS', 'constructor/1'],
  ['YOUTUBE_CLIENTS', Array.from({ length: 9 }, () => 'IOS/20.1').join(',')],
  ['YOUTUBE_PROXY', 'socks5://127.0.0.1'],
  ['YOUTUBE_PROXY', '127.0.0.1:8080'],
  ['YOUTUBE_TIMEOUT_SECONDS', '0'],
  ['YOUTUBE_TIMEOUT_SECONDS', 'soon'],
  ['YOUTUBE_MAX_ANSWER_MIB', '-1'],
  ['YOUTUBE_YT_DLP', 'yt-dlp'],
  ['YOUTUBE_YT_DLP', '../yt-dlp'],
])('%s=%s is reported by name, without the value', async (name, value) => {
  const reason = `invalid value of ${name}`;
  expect(onlyModel(engine, env({ [name]: value })).availability).toEqual({ available: false, reason });
  await expect(engine.open(env({ [name]: value }), 'youtube')).rejects.toMatchObject({ code: 'engine_unavailable' });
});

it('only the hosts of the platform are requested', () => {
  const { resolve } = createPlatformHosts({ baseUrl: 'https://www.youtube.com', isCustomHost: false });
  expect(resolve('/api/timedtext?v=x').href).toBe('https://www.youtube.com/api/timedtext?v=x');
  for (const link of [
    'https://m.youtube.com/a',
    'https://rr4---sn-x.googlevideo.com/videoplayback',
    'https://youtubei.googleapis.com/youtubei/v1/player',
  ]) {
    expect(resolve(link).href).toBe(link);
  }
  for (const link of [
    'http://www.youtube.com/',
    'https://www.youtube.com:8443/',
    'https://user@www.youtube.com/',
    'https://www.youtube.com.example.org/',
    'https://notyoutube.com/',
    'https://www.google.com/',
    'https://storage.googleapis.com/',
    'https://169.254.169.254/',
    'http://[::1]/',
    '//example.org/x',
    '\\\\example.org\\x',
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://www.youtube.com。example.org/',
  ]) {
    expect(() => resolve(link)).toThrow(/link/);
  }
});

it('a custom base URL gets every request', () => {
  const { resolve } = createPlatformHosts({ baseUrl: 'http://127.0.0.1:9', isCustomHost: true });
  expect(resolve('https://www.youtube.com/api/timedtext?v=x#y').href).toBe('http://127.0.0.1:9/api/timedtext?v=x');
  expect(resolve('https://r1.googlevideo.com//example.org/x').href).toBe('http://127.0.0.1:9//example.org/x');
  expect(resolve('http://127.0.0.1:9/a').href).toBe('http://127.0.0.1:9/a');
  for (const link of ['http://127.0.0.1:10/a', 'http://127.0.0.1/a', 'https://127.0.0.1:9/a', 'http://localhost:9/a']) {
    expect(() => resolve(link)).toThrow('link to another host');
  }
});
