import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { describeUnknownVariables } from './unknown-variables.ts';

const ROOT = join(import.meta.dirname, '../..');
const trusted = (text: string) => loadConfig({ TRUST_PROXY: text }).http.trustProxy;

describe('configuration', () => {
  it('has a default for everything', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: null, s3: null });
    expect(config.stt).toMatchObject({
      maxUploadBytes: 1024 ** 3,
      maxDurationMs: 36_000_000,
      blockingByDefault: false,
      keepAudio: false,
    });
  });

  it.each([
    ['PORT', 'eighty'],
    ['TLS', 'on'],
    ['TLS_CERT_FILE', 'alone.pem'],
    ['PORT', '70000'],
    ['WORKERS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://db'],
    ['STT_BLOCKING_BY_DEFAULT', 'perhaps'],
    ['BOOTSTRAP_API_KEY', 'short'],
    ['S3_ENDPOINT', 'somewhere'],
    ['S3_ACCESS_KEY_ID', 'alone'],
    ['STT_BASE_URL', 'localhost:8000'],
    ['STT_LANGUAGES', 'klingon=100'],
    ['STT_CONCURRENCY', '0'],
    ['STT_THREADS', 'many'],
    ['MODELS_DEVICE', 'cuda'],
    ['TTS_BASE_URL', 'ftp://speech.example'],
    ['TTS_CLONES', 'perhaps'],
    ['LLM_BASE_URL', 'http://user:secret@llm.example/v1'],
    ['LLM_CONTEXT_TOKENS', '100'],
    ['YOUTUBE_BASE_URL', 'http://localhost:8099/path'],
    ['YOUTUBE_CLIENTS', 'NETSCAPE/4'],
    ['MODELS_BASE_URL', 'ftp://mirror'],
    ['MODELS_BASE_URL', 'https://me:secret@mirror.example'],
    ['MODELS_STALL_SECONDS', '0'],
    ['MODELS_RETRIES', 'many'],
    ['TRUST_PROXY', 'true'],
    ['CORS_ORIGINS', 'app.example'],
    ['CORS_ORIGINS', 'https://app.example/path'],
    ['METRICS_PORT', '70000'],
    ['WYOMING_PORT', '10300'],
    ['TRUST_PROXY', '-1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1, everyone'],
    ['CONNECTIONS_PER_ADDRESS', '0'],
  ])('a bad %s stops with its name and what it must be, but not with its value', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Bad configuration\\. .*${name}.* must be `));
  });

  it('a bad value is not repeated, as it may be a secret', () => {
    expect(() => loadConfig({ LLM_BASE_URL: 'http://user:secret@llm.example' })).not.toThrow(/secret/);
  });

  it('names every bad variable at once', () => {
    expect(() => loadConfig({ PORT: 'x', LLM_BASE_URL: 'y' })).toThrow(/PORT must be .* LLM_BASE_URL must be /);
  });

  it('a misspelt variable is reported with the name that was probably meant', () => {
    expect(
      describeUnknownVariables({ STT_ENGNE: 'x', STT_ENGINE: 'auto', PATH: '/bin', LLM_TEMPERATURE: '1' }),
    ).toEqual([
      'STT_ENGNE is not a variable of jyutsing and is ignored; did you mean STT_ENGINE?',
      'LLM_TEMPERATURE is not a variable of jyutsing and is ignored.',
    ]);
  });

  it('downloads of models have defaults and a mirror', () => {
    expect(loadConfig({}).models).toEqual({
      autoPull: 'recommended',
      baseUrl: null,
      indexUrl: null,
      pullOverHttp: true,
      stallTimeoutMs: 30_000,
      retries: 4,
    });
    expect(loadConfig({ MODELS_AUTO_PULL: 'off' }).models.autoPull).toBe('off');
    expect(loadConfig({ MODELS_AUTO_PULL: 'open' }).models.autoPull).toBe('open');
    expect(() => loadConfig({ MODELS_AUTO_PULL: 'on' })).toThrow(/MODELS_AUTO_PULL.*recommended/);
    expect(loadConfig({ MODELS_BASE_URL: 'https://mirror.example/gh/' }).models.baseUrl).toBe(
      'https://mirror.example/gh/',
    );
  });

  it('TRUST_PROXY is a number of proxies or a list of their addresses', () => {
    expect([trusted(''), trusted('false'), trusted('0'), trusted('2')]).toEqual([0, 0, 0, 2]);
    expect(trusted(' loopback, 10.0.0.0/8,2001:db8::/32 ,192.0.2.1')).toEqual([
      'loopback',
      '10.0.0.0/8',
      '2001:db8::/32',
      '192.0.2.1',
    ]);
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

it('the keys of the documentation are refused where other machines reach the service', () => {
  const pages = globSync('{README.md,docs/**/*.md,deploy/**/*,examples/**/*.md}', { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const keys = new Set(pages.flatMap((page) => page.match(/(?<=BOOTSTRAP_API_KEY=)[A-Za-z0-9_-]+/g) ?? []));
  expect(keys.size).toBeGreaterThan(0);
  for (const BOOTSTRAP_API_KEY of keys) {
    expect(() => loadConfig({ BOOTSTRAP_API_KEY, HOST: '0.0.0.0' })).toThrow(/BOOTSTRAP_API_KEY .* openssl rand/);
    expect(loadConfig({ BOOTSTRAP_API_KEY }).bootstrapApiKey).toBe(BOOTSTRAP_API_KEY);
    expect(loadConfig({ BOOTSTRAP_API_KEY, HOST: '::1' }).host).toBe('::1');
  }
});
