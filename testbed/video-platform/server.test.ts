import { Innertube } from 'youtubei.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseCaptions } from '#packages/engines/youtube/formats/parse-captions.ts';
import { VIDEOS } from './catalogue.ts';
import { startVideoPlatform, type VideoPlatform } from './server.ts';
import { ANDROID, askPlayer, IOS, readPlayer, readTracks, WEB } from './testing.ts';

let platform: VideoPlatform;

beforeAll(async () => {
  platform = await startVideoPlatform();
});

afterEach(() => {
  platform.behaveAsUsual();
  platform.clearRequests();
});

afterAll(() => platform.close());

describe('captions', () => {
  it('apps are given links that work, in every format', async () => {
    for (const client of [ANDROID, IOS]) {
      const [track] = await readTracks(platform.baseUrl, VIDEOS.cantoneseTalk.id, client);
      expect(track).toMatchObject({ name: { runs: [{ text: 'Cantonese (Hong Kong)' }] }, vssId: '.yue-HK' });
      for (const format of ['json3', 'srv3', 'vtt', '']) {
        const body = await (await fetch(track!.baseUrl.replace('fmt=srv3', `fmt=${format}`))).text();
        expect(parseCaptions(body)?.[0]?.text).toBe('大家好，歡迎返嚟收聽我哋今日嘅節目。');
      }
    }
  });

  it('links of apps ask for srv3 already: a second format behind it has no effect', async () => {
    const [track] = await readTracks(platform.baseUrl, VIDEOS.cantoneseTalk.id);
    expect(await (await fetch(`${track!.baseUrl}&fmt=json3`)).text()).toMatch(/^<\?xml/);
  });

  it('links of the web client are empty without a token, with status 200', async () => {
    const [track] = await readTracks(platform.baseUrl, VIDEOS.cantoneseTalk.id, WEB);
    expect(track).toMatchObject({ name: { simpleText: 'Cantonese (Hong Kong)' } });
    const empty = await fetch(`${track!.baseUrl}&fmt=json3`);
    expect([empty.status, await empty.text()]).toEqual([200, '']);
    expect(parseCaptions(await (await fetch(`${track!.baseUrl}&fmt=json3&pot=x`)).text())).not.toBeNull();
  });

  it('links without their signature are empty', async () => {
    const link = `${platform.baseUrl}/api/timedtext?v=${VIDEOS.englishTalk.id}&lang=en&fmt=json3`;
    expect(await (await fetch(link)).text()).toBe('');
  });

  it('links are good for six hours, as they say', async () => {
    const [track] = await readTracks(platform.baseUrl, VIDEOS.englishTalk.id);
    const expiresAtMs = Number(new URL(track!.baseUrl).searchParams.get('expire')) * 1_000;
    expect(Math.abs(expiresAtMs - Date.now() - 6 * 3_600_000)).toBeLessThan(600_000);
  });

  it('automatic tracks say so, and tracks of one language are told apart', async () => {
    const tracks = await readTracks(platform.baseUrl, VIDEOS.manyTracks.id);
    expect(tracks.slice(0, 4).map(({ vssId, kind }) => [vssId, kind])).toEqual([
      ['.en', undefined],
      ['a.en', 'asr'],
      ['.en-GB', undefined],
      ['.en.Commentary', undefined],
    ]);
    const bodies = await Promise.all(tracks.map(async ({ baseUrl }) => (await fetch(baseUrl)).text()));
    expect(new Set(bodies.map((body) => body.length)).size).toBeGreaterThan(6);
    // Without the stand-in's own number of the track.
    const commentary = await fetch(tracks[3]!.baseUrl.replace('&track=3', ''));
    expect(await commentary.text()).toBe(bodies[3]);
  });

  it('tracks may share a name, have none or no code, be absent, or lead to another host', async () => {
    const named = (videoId: string) => readTracks(platform.baseUrl, videoId);
    const texts = (await named(VIDEOS.duplicateNames.id)).map(({ name }) => name?.runs?.[0]?.text);
    expect(texts).toEqual(['Chinese (Hong Kong)', 'Chinese (Hong Kong)']);
    expect((await named(VIDEOS.codelessTrack.id)).map(({ languageCode }) => languageCode)).toEqual([
      'zh-HK',
      undefined,
    ]);
    expect((await named(VIDEOS.namelessTrack.id)).map(({ name }) => name)).toEqual([undefined]);
    expect(await named(VIDEOS.emptyTrackList.id)).toEqual([]);
    expect((await readPlayer(platform.baseUrl, VIDEOS.silent.id)).captions).toBeUndefined();
    const [astray] = await named(VIDEOS.trackElsewhere.id);
    expect(astray?.baseUrl).toBe(`${platform.other.url}/api/timedtext?v=x`);
  });
});

describe('the player', () => {
  it.each([
    ['a client that nobody knows', { ...ANDROID, clientName: 'FRIDGE' }, 'INVALID_ARGUMENT'],
    ['no client', undefined, 'INVALID_ARGUMENT'],
    ['an old version', { ...ANDROID, clientVersion: '19.09.37' }, 'FAILED_PRECONDITION'],
    ['a version that is none', { ...ANDROID, clientVersion: 'latest' }, 'FAILED_PRECONDITION'],
    ['an app that does not say its Android', { ...ANDROID, androidSdkVersion: undefined }, 'FAILED_PRECONDITION'],
  ])('refuses %s with status 400', async (_, client, reason) => {
    const answer = await askPlayer(platform.baseUrl, VIDEOS.englishTalk.id, client ?? {});
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 400, status: reason } });
  });

  it('tells very old apps to update', async () => {
    const answer = await readPlayer(platform.baseUrl, VIDEOS.englishTalk.id, { ...IOS, clientVersion: '16.1.0' });
    expect(answer.playabilityStatus).toMatchObject({ status: 'ERROR', reason: expect.stringContaining('update') });
  });

  it.each([
    ['a check for bots', VIDEOS.botCheck.id, 'LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot'],
    ['private', VIDEOS.private.id, 'LOGIN_REQUIRED', 'This video is private'],
    ['age', VIDEOS.ageRestricted.id, 'LOGIN_REQUIRED', 'Sign in to confirm your age'],
    ['unavailable', VIDEOS.unavailable.id, 'ERROR', 'Video unavailable'],
    ['removed', VIDEOS.removed.id, 'ERROR', 'Video unavailable'],
    ['region', VIDEOS.region.id, 'UNPLAYABLE', 'Video unavailable'],
    ['members only', VIDEOS.membersOnly.id, 'UNPLAYABLE', expect.stringContaining('members-only')],
    ['offline', VIDEOS.offline.id, 'LIVE_STREAM_OFFLINE', expect.stringContaining('begin')],
    ['unknown', 'neverExists', 'ERROR', 'This video is unavailable'],
  ])('says why there is no video: %s', async (_, id, status, reason) => {
    for (const client of [ANDROID, IOS, WEB]) {
      const answer = await readPlayer(platform.baseUrl, id, client);
      expect(answer.playabilityStatus).toMatchObject({ status, reason });
      expect(answer.captions).toBeUndefined();
    }
  });

  it('some clients are asked to sign in, and others are served', async () => {
    const { id } = VIDEOS.botCheckForPhones;
    const statusFor = async (client: object) =>
      (await readPlayer(platform.baseUrl, id, client)).playabilityStatus.status;
    const headset = { clientName: 'ANDROID_VR', clientVersion: '1.65.10', androidSdkVersion: 32 };
    const statuses = await Promise.all([ANDROID, IOS, headset, WEB].map(statusFor));
    expect(statuses).toEqual(['LOGIN_REQUIRED', 'LOGIN_REQUIRED', 'OK', 'OK']);
  });

  it('titles come as they are, or not at all, and some answers are about another video', async () => {
    const [strange, missing] = await Promise.all(
      [VIDEOS.strangeTitle.id, VIDEOS.missingTitle.id].map((id) => readPlayer(platform.baseUrl, id)),
    );
    expect(strange?.videoDetails?.title).toBe(VIDEOS.strangeTitle.title);
    const other = await readPlayer(platform.baseUrl, VIDEOS.anotherVideo.id);
    expect(other.videoDetails?.videoId).not.toBe(VIDEOS.anotherVideo.id);
    expect(missing?.videoDetails).not.toHaveProperty('title');
  });

  it('get_transcript fails, other paths are not found', async () => {
    const transcript = await fetch(`${platform.baseUrl}/youtubei/v1/get_transcript`, { method: 'POST', body: '{}' });
    expect([transcript.status, await transcript.text()]).toEqual([400, expect.stringContaining('FAILED_PRECONDITION')]);
    expect((await fetch(`${platform.baseUrl}/playlist?list=PL1`)).status).toBe(404);
  });

  it('the page of a video holds the answer for the web client', async () => {
    const page = await (await fetch(`${platform.baseUrl}/watch?v=${VIDEOS.englishTalk.id}`)).text();
    const inPage = /ytInitialPlayerResponse = (\{.*?\});var/s.exec(page)?.[1] ?? '';
    const inAnswer = await readPlayer(platform.baseUrl, VIDEOS.englishTalk.id, WEB);
    expect(JSON.parse(inPage)).toEqual(inAnswer);
  });
});

describe('tests steer it', () => {
  it('a behavior holds for its video, its client and its number of requests', async () => {
    const { id } = VIDEOS.englishTalk;
    platform.behave({ at: 'player', videoId: id, client: 'IOS', reaction: 'overloaded', times: 1 });
    platform.behave({ at: 'player', videoId: VIDEOS.koreanTalk.id, playability: 'private' });
    const statuses = [];
    for (const client of [ANDROID, IOS, IOS]) statuses.push((await askPlayer(platform.baseUrl, id, client)).status);
    expect(statuses).toEqual([200, 503, 200]);
    const isPrivate = await readPlayer(platform.baseUrl, VIDEOS.koreanTalk.id);
    expect(isPrivate.playabilityStatus.status).toBe('LOGIN_REQUIRED');
    platform.behaveAsUsual();
    expect((await readPlayer(platform.baseUrl, VIDEOS.koreanTalk.id)).playabilityStatus.status).toBe('OK');
  });

  it('answers are held until they are let go', async () => {
    platform.hold('player');
    const answers = [1, 2, 3].map(() => readPlayer(platform.baseUrl, VIDEOS.englishTalk.id));
    await platform.untilHeld(3);
    expect(platform.held()).toBe(3);
    expect(platform.requestsAt('player', VIDEOS.englishTalk.id)).toHaveLength(3);
    platform.release();
    expect((await Promise.all(answers)).map(({ playabilityStatus }) => playabilityStatus.status)).toEqual([
      'OK',
      'OK',
      'OK',
    ]);
  });

  it('requests are recorded with their headers and bodies', async () => {
    await askPlayer(platform.baseUrl, VIDEOS.englishTalk.id);
    expect(platform.requests).toEqual([
      {
        method: 'POST',
        path: '/youtubei/v1/player?prettyPrint=false',
        place: 'player',
        videoId: VIDEOS.englishTalk.id,
        client: 'ANDROID',
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: { videoId: VIDEOS.englishTalk.id, context: { client: ANDROID } },
      },
    ]);
  });

  it('links may lead to the real hosts', async () => {
    const real = await startVideoPlatform({ links: 'real' });
    const [track] = await readTracks(real.baseUrl, VIDEOS.englishTalk.id);
    const page = `${real.baseUrl}/watch?v=${VIDEOS.consent.id}`;
    const consent = await fetch(page, { redirect: 'manual' });
    await real.close();
    expect(track?.baseUrl).toMatch(/^https:\/\/www\.youtube\.com\/api\/timedtext\?v=/);
    expect(consent.headers.get('location')).toMatch(/^https:\/\/consent\.youtube\.com\/m\?continue=http/);
  });

  it('closes although answers are held and others never come', async () => {
    const secondPlatform = await startVideoPlatform();
    secondPlatform.hold('captions');
    const never = askPlayer(secondPlatform.baseUrl, VIDEOS.never.id);
    const held = fetch(`${secondPlatform.baseUrl}/api/timedtext`);
    const ends = Promise.allSettled([never, held]);
    await secondPlatform.untilHeld(1);
    await secondPlatform.close();
    expect((await ends)[0].status).toBe('rejected');
  });
});

/** As the engine does: whatever host is meant, the platform's address is asked. */
async function toPlatform(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const address = new URL(request.url);
  const { method, headers } = request;
  const body = method === 'POST' ? { body: await request.text() } : {};
  return fetch(`${platform.baseUrl}${address.pathname}${address.search}`, { method, headers, ...body });
}

it('youtubei.js reads its answers', async () => {
  const innertube = await Innertube.create({
    fetch: toPlatform,
    retrieve_player: false,
    generate_session_locally: true,
  });
  for (const client of ['ANDROID', 'IOS', 'ANDROID_VR', 'VISIONOS', 'TV', 'MWEB', 'WEB', 'WEB_EMBEDDED'] as const) {
    const info = await innertube.getBasicInfo(VIDEOS.cantoneseTalk.id, { client });
    expect(info.basic_info.title).toBe(VIDEOS.cantoneseTalk.title);
    expect(info.captions?.caption_tracks?.map(({ name }) => name.toString())).toEqual(['Cantonese (Hong Kong)']);
  }
  await expect(innertube.getBasicInfo(VIDEOS.unavailable.id, { client: 'IOS' })).rejects.toThrow('unavailable');
  const refused = await innertube.getBasicInfo(VIDEOS.botCheck.id, { client: 'ANDROID' });
  expect(refused.playability_status?.reason).toBe('Sign in to confirm you’re not a bot');
});
