import { describe, expect, it } from 'vitest';
import { MODEL_PURPOSES } from '@jyutsing/contracts/model-package';
import { PACKAGE_NAME } from '#engines/runtime/model-files/installed.ts';
import { LIVE_MODELS } from './live-models.ts';
import { SHERPA_MODELS } from './models.ts';
import { packages } from './packages.ts';
import { PUNCTUATION_PACKAGE } from './punctuation.ts';

/** Packages without a known digest, which depend on the publisher's list. */
const WITHOUT_DIGEST = ['whisper-tiny', 'zipformer-cantonese', 'kokoro', 'matcha-mandarin', 'matcha-english'];

const CPU = { threads: 1, provider: 'cpu' } as const;

describe('the catalogue', () => {
  it.each(packages.map((pack) => [pack.name, pack] as const))('%s can be pulled', (name, pack) => {
    expect(name).toMatch(PACKAGE_NAME);
    expect(MODEL_PURPOSES).toContain(pack.purpose);
    const { pathname, protocol, host } = new URL(pack.url);
    expect([protocol, host]).toEqual(['https:', 'github.com']);
    expect(pack.archive).toBe(pathname.endsWith('.tar.bz2') ? 'tar.bz2' : 'none');
    expect(pack.files.length).toBeGreaterThan(0);
    expect(pack.sizeBytes).toBeGreaterThan(100_000);
    const folder = pack.url.slice(0, pack.url.lastIndexOf('/'));
    const list = { kind: 'list', url: `${folder}/checksum.txt` };
    const pinned = { kind: 'sha256', value: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(pack.checksum).toEqual(WITHOUT_DIGEST.includes(name) ? list : pinned);
    for (const required of pack.requires ?? []) expect(packages.map((candidate) => candidate.name)).toContain(required);
  });

  it('the transducer for Cantonese has the penalty on blanks of its published commands', () => {
    const model = SHERPA_MODELS.find(({ name }) => name === 'zipformer-cantonese');
    expect(model?.config('/models', 'cantonese', CPU)).toMatchObject({ blankPenalty: 1.2 });
  });

  it('a single file keeps its name', () => {
    for (const { archive, url, files } of packages.filter((pack) => pack.archive === 'none')) {
      expect([archive, ...files]).toEqual(['none', url.slice(url.lastIndexOf('/') + 1)]);
    }
  });

  it('names are unique', () => {
    expect(new Set(packages.map(({ name }) => name)).size).toBe(packages.length);
  });

  it('every recognizer has a configuration for its languages that uses only its files', () => {
    const recognizers = packages.filter(({ purpose }) => purpose === 'recognizer');
    expect(SHERPA_MODELS.map(({ name }) => name).toSorted()).toEqual(recognizers.map(({ name }) => name).toSorted());
    for (const { name, languages, files } of recognizers) {
      const model = SHERPA_MODELS.find((candidate) => candidate.name === name);
      expect(Object.keys(model?.quality ?? {}).toSorted()).toEqual([...languages].toSorted());
      const { numThreads, provider, debug, ...config } =
        model?.config('/m', 'mandarin', { threads: 3, provider: 'cuda' }).modelConfig ?? {};
      expect([numThreads, provider, debug]).toEqual([3, 'cuda', 0]);
      const paths = JSON.stringify(config).match(/\/m\/[^"]+/gu) ?? [];
      for (const path of paths) expect(files.some((file) => `/m/${file}`.startsWith(path))).toBe(true);
    }
  });

  it('every live recognizer runs with the given threads and device', () => {
    for (const model of LIVE_MODELS) {
      const { modelConfig } = model.config('/m', { threads: 3, provider: 'cuda' });
      expect(modelConfig).toMatchObject({ numThreads: 3, provider: 'cuda' });
    }
  });

  it('every live recognizer has a configuration that uses only its files', () => {
    const live = packages.filter(({ purpose }) => purpose === 'live-recognizer');
    expect(LIVE_MODELS.map(({ name }) => name).toSorted()).toEqual(live.map(({ name }) => name).toSorted());
    for (const { name, languages, files } of live) {
      const model = LIVE_MODELS.find((candidate) => candidate.name === name);
      expect(Object.keys(model?.quality ?? {}).toSorted()).toEqual([...languages].toSorted());
      const paths = JSON.stringify(model?.config('/m', CPU)).match(/\/m\/[^"]+/gu) ?? [];
      expect(paths.toSorted()).toEqual(files.map((file) => `/m/${file}`).toSorted());
    }
  });

  it('the punctuation model is listed', () => {
    expect(packages.find(({ name }) => name === PUNCTUATION_PACKAGE)?.purpose).toBe('punctuation');
  });
});
