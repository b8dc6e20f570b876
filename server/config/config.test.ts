import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';

describe('configuration', () => {
  it('has a default for everything', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: null, s3: null });
    expect(config.stt).toMatchObject({
      maxUploadBytes: 1024 ** 3,
      maxDurationMs: 36_000_000,
      blockingByDefault: false,
    });
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['WORKERS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://db'],
    ['STT_BLOCKING_BY_DEFAULT', 'perhaps'],
    ['BOOTSTRAP_API_KEY', 'short'],
  ])('a bad %s stops with its name', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value })).toThrow(name);
  });

  it('an empty variable counts as absent', () => {
    expect(loadConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ databaseUrl: null, port: 8080 });
  });

  it('engines see variables with the prefix of an engine and those that programs need, and no others', () => {
    const { settings } = loadConfig({
      STT_BASE_URL: 'http://x',
      DATABASE_URL: 'postgres://secret',
      PATH: '/bin',
      HTTPS_PROXY: 'http://user:secret@proxy',
    }).engines;
    expect(settings).toEqual({ STT_BASE_URL: 'http://x', PATH: '/bin' });
  });

  it('switches accept true, false, 1 and 0 in any case', () => {
    expect(loadConfig({ STT_BLOCKING_BY_DEFAULT: 'TRUE' }).stt.blockingByDefault).toBe(true);
    expect(loadConfig({ STT_BLOCKING_BY_DEFAULT: '0' }).stt.blockingByDefault).toBe(false);
  });
});
