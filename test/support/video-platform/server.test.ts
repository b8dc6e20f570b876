import { Innertube } from 'youtubei.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseCaptions } from '#engines/youtube/formats/parse-captions.ts';
import { VIDEOS } from './catalogue.ts';
import { startVideoPlatform, type VideoPlatform } from './server.ts';

let platform: VideoPlatform;

beforeAll(async () => {
  platform = await startVideoPlatform();
});

afterEach(() => {
  platform.behaveAsUsual();
  platform.clearRequests();
});

afterAll(() => platform.close());

type Tracks = { baseUrl: string; name?: { simpleText?: string; runs?: { text: string }[] } }[];
type PlayerAnswer = {
  playabilityStatus: { status: string; reason?: string };
  captions?: { playerCaptionsTracklistRenderer: { captionTracks: Tracks } };
  videoDetails?: { title?: string };
};

const ANDROID = { clientName: 'ANDROID', clientVersion: '21.03.36', androidSdkVersion: 36 };

async function ask(videoId: string, client: object = ANDROID): Promise<Response> {
  return fetch(`${platform.baseUrl}/youtubei/v1/player?prettyPrint=false`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ videoId, context: { client } }),
  });
}

async function tracksOf(videoId: string, client: object = ANDROID): Promise<Tracks> {
  const answer = (await (await ask(videoId, client)).json()) as PlayerAnswer;
  return answer.captions?.playerCaptionsTracklistRenderer.captionTracks ?? [];
}

it('an app is given links that work, in every format', async () => {
  const [track] = await tracksOf(VIDEOS.cantoneseTalk.id);
  for (const format of ['json3', 'srv3', 'vtt', '']) {
    const body = await (await fetch(track!.baseUrl.replace('fmt=srv3', `fmt=${format}`))).text();
    expect(parseCaptions(body)?.[0]?.text).toBe('大家好，歡迎返嚟收聽我哋今日嘅節目。');
  }
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
  for (const client of ['ANDROID', 'IOS', 'ANDROID_VR', 'VISIONOS', 'TV', 'MWEB', 'WEB_EMBEDDED'] as const) {
    const info = await innertube.getBasicInfo(VIDEOS.cantoneseTalk.id, { client });
    expect(info.basic_info.title).toBe(VIDEOS.cantoneseTalk.title);
    expect(info.captions?.caption_tracks?.map(({ name }) => name.toString())).toEqual(['Cantonese (Hong Kong)']);
  }
});
