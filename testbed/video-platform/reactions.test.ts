import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIDEOS } from './catalogue.ts';
import { startVideoPlatform, type VideoPlatform } from './server.ts';
import { readTracks } from './testing.ts';
import type { Reaction } from './videos.ts';

let platform: VideoPlatform;

beforeAll(async () => {
  platform = await startVideoPlatform({ dripMs: 0 });
});

afterAll(() => platform.close());

/** Requests captions to which a reaction is applied. */
async function fetchCaptions(reaction: Reaction, init: RequestInit = {}): Promise<Response> {
  platform.behave({ at: 'captions', reaction });
  return fetch(await captionLink(), init);
}

async function captionLink(): Promise<string> {
  const [track] = await readTracks(platform.baseUrl, VIDEOS.cantoneseTalk.id);
  return track?.baseUrl.replace('srv3', 'json3') ?? '';
}

describe('responses that end', () => {
  it.each([
    ['empty', 200, /^$/],
    ['blank', 200, /^\s+$/],
    ['html', 200, /^<!DOCTYPE html>/],
    ['truncated', 200, /^\{\s+"wireMagic".*[^}]$/s],
    ['no-json', 200, /^\)\]\}'/],
    ['null', 200, /^null$/],
    ['other-json', 200, /^\{"events":"none"/],
    ['consent', 200, /Before you continue to YouTube/],
    ['consent-page', 200, /consent\.youtube\.com\/save/],
    ['captcha', 429, /g-recaptcha/],
    ['captcha-redirect', 429, /g-recaptcha/],
    ['unusual-traffic', 200, /^(?!.*g-recaptcha).*unusual traffic/s],
    ['too-many-requests', 429, /RESOURCE_EXHAUSTED/],
    ['forbidden', 403, /That’s an error/],
    ['not-found', 404, /That’s an error/],
    ['server-error', 500, /INTERNAL/],
    ['bad-gateway', 502, /That’s an error/],
    ['overloaded', 503, /UNAVAILABLE/],
    ['gzip', 200, /"wireMagic": "pb3".*\}$/s],
    // `fetch` accepts truncated gzip data.
    ['gzip-broken', 200, /"wireMagic": "pb3".*[^}]$/s],
    ['drip', 200, /"wireMagic": "pb3".*\}$/s],
  ] as const)('%s has status %i and its body', async (reaction, status, body) => {
    const answer = await fetchCaptions(reaction);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(body);
  });
});

describe('broken connections', () => {
  it.each(['reset', 'reset-midway', 'cut-short'] as const)('%s fails the request', async (reaction) => {
    await expect(fetchCaptions(reaction).then((answer) => answer.text())).rejects.toThrow(/fetch failed|terminated/);
  });

  it('a redirect loop fails the request after more than five requests', async () => {
    await expect(fetchCaptions('redirect-loop')).rejects.toThrow('fetch failed');
    expect(platform.requestsAt('redirect-loop').length).toBeGreaterThan(5);
  });
});

describe('endless responses', () => {
  it('never: no status is sent, and the abandoned request is counted', async () => {
    const before = platform.abandoned();
    const stop = new AbortController();
    const pending = fetchCaptions('never', { signal: stop.signal });
    const arrived = platform.requestsAt('captions').length;
    while (platform.requestsAt('captions').length === arrived) await new Promise(setImmediate);
    stop.abort();
    await expect(pending).rejects.toThrow('aborted');
    while (platform.abandoned() === before) await new Promise(setImmediate);
    expect(platform.abandoned()).toBe(before + 1);
  });

  it.each(['stalls', 'endless', 'huge-announced'] as const)(
    '%s does not end before the client aborts',
    async (reaction) => {
      const stop = new AbortController();
      const answer = await fetchCaptions(reaction, { signal: stop.signal });
      let sizeBytes = 0;
      const read = async () => {
        for await (const piece of answer.body!) {
          sizeBytes += piece.length;
          if (sizeBytes > 5_000_000 || reaction === 'stalls') stop.abort();
        }
      };
      await expect(read()).rejects.toThrow('aborted');
      expect(sizeBytes > 5_000_000).toBe(reaction !== 'stalls');
      expect(platform.endlessBytes() > 0).toBe(reaction !== 'stalls');
    },
  );

  it('a gzip bomb has less than 2 MB on the wire and more than 40 MB decompressed', async () => {
    const stop = new AbortController();
    const answer = await fetchCaptions('gzip-bomb', { signal: stop.signal });
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(2_000_000);
    let sizeBytes = 0;
    const read = async () => {
      for await (const piece of answer.body!) {
        sizeBytes += piece.length;
        if (sizeBytes > 40_000_000) stop.abort();
      }
    };
    await expect(read()).rejects.toThrow('aborted');
  });
});

describe('redirects to other servers', () => {
  it('requests to the other server are recorded', async () => {
    const answer = await fetchCaptions('redirect-elsewhere', { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(`${platform.other.url}/latest/meta-data/`);
    expect(platform.other.calls).toEqual([]);
    await fetch(answer.headers.get('location') ?? '');
    expect(platform.other.calls).toEqual(['GET /latest/meta-data/']);
  });

  it('redirect-to-metadata points to a link-local address', async () => {
    const answer = await fetchCaptions('redirect-to-metadata', { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('169.254.169.254');
  });
});
