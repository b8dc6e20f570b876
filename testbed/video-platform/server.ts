import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readRequest, trackOf, usualAnswer, type PlatformRequest } from './answers.ts';
import { VIDEOS_BY_ID } from './catalogue.ts';
import { createGate, type Gate } from './gate.ts';
import { startOtherHost } from './other-host.ts';
import type { Links } from './player.ts';
import { react, type ReactionEnv } from './reactions.ts';
import type { Place, Playability, Reaction, Video } from './videos.ts';

/** A rule for requests that match all of its conditions; the latest matching rule applies. */
export type Behavior = {
  at: Place;
  /** Default: any video. */
  videoId?: string;
  /** Upper-case name; default: any client. */
  client?: string;
  reaction?: Reaction;
  /** The playability for matching clients. */
  playability?: Playability;
  /** Number of requests; default: all. */
  times?: number;
};

/** An invented video platform. */
export type VideoPlatform = Pick<Gate, 'hold' | 'release' | 'waits' | 'held' | 'untilHeld'> & {
  /** Value for YOUTUBE_BASE_URL. */
  baseUrl: string;
  /** In order of arrival. */
  requests: PlatformRequest[];
  /** Requests of a kind, optionally for one video. */
  requestsAt(place: Place, videoId?: string): PlatformRequest[];
  clearRequests(): void;
  behave(behavior: Behavior): void;
  /** Removes rules, held responses and delays. */
  behaveAsUsual(): void;
  /** Adds or replaces a video. */
  add(video: Video): void;
  /** A server that must never get requests; `calls` lists those that it got. */
  other: { url: string; calls: string[] };
  /** Connections closed by the client before the response was complete. */
  abandoned(): number;
  /** Bytes sent in endless responses. */
  endlessBytes(): number;
  close(): Promise<void>;
};

type VideoPlatformOptions = {
  /** Default 0: any free port. */
  port?: number;
  /** Hosts of the links: `own` (default), this server; `real`, the hosts of the platform. */
  links?: 'own' | 'real';
  /** Pause between 64-byte pieces of a slow response. */
  dripMs?: number;
};

const CAPTIONS_HOST = 'https://www.youtube.com';
const CONSENT_PAGE = 'https://consent.youtube.com/m';
const SORRY_PAGE = 'https://www.google.com/sorry/index';
const SOUND_HOST = 'https://rr3---sn-invented-5hne.googlevideo.com';
/** Six hours, as on the platform. */
const LINKS_LAST_SECONDS = 21_600;
const MAX_BODY_BYTES = 1_000_000;

/** Starts a platform with the videos of the catalogue. */
export async function startVideoPlatform(options: VideoPlatformOptions = {}): Promise<VideoPlatform> {
  const { port = 0, links = 'own', dripMs = 50 } = options;
  const other = await startOtherHost();
  const gate = createGate();
  const requests: PlatformRequest[] = [];
  const videos = new Map(VIDEOS_BY_ID);
  const isReal = links === 'real';
  let behaviors: Behavior[] = [];
  const counts = { abandoned: 0, endlessBytes: 0 };
  const expireAtSeconds = Math.floor(Date.now() / 1_000) + LINKS_LAST_SECONDS;
  let baseUrl = '';

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('close', () => {
      if (!response.writableEnded) counts.abandoned += 1;
    });
    const { method = 'GET', url = '/', headers } = request;
    const platformRequest = readRequest(method, url, headers, await readText(request));
    requests.push(platformRequest);
    await gate.pass(platformRequest.place);
    const rule = takeRule(behaviors, platformRequest);
    const video = videos.get(platformRequest.videoId ?? '') ?? null;
    const env: ReactionEnv = {
      baseUrl,
      consentUrl: isReal ? CONSENT_PAGE : `${baseUrl}/consent`,
      sorryUrl: isReal ? SORRY_PAGE : `${baseUrl}/sorry/index`,
      otherUrl: other.url,
      dripMs,
      onEndlessBytes: (bytes) => void (counts.endlessBytes += bytes),
    };
    const leadTo: Links = {
      captions: isReal ? CAPTIONS_HOST : baseUrl,
      sound: isReal ? SOUND_HOST : baseUrl,
      other: other.url,
      expireAtSeconds,
    };
    const usualOf = () => usualAnswer(platformRequest, video, leadTo, rule?.playability ?? null);
    await react(rule?.reaction ?? ownReaction(video, platformRequest), request, response, usualOf, env);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { hold, release, waits, held, untilHeld } = gate;
  return {
    baseUrl,
    requests,
    other,
    hold,
    release,
    waits,
    held,
    untilHeld,
    requestsAt: (place, videoId) =>
      requests.filter((request) => request.place === place && (videoId === undefined || request.videoId === videoId)),
    clearRequests: () => void (requests.length = 0),
    behave: (behavior) => void behaviors.unshift({ ...behavior }),
    behaveAsUsual() {
      behaviors = [];
      waits(0);
      release();
    },
    add: (video) => void videos.set(video.id, video),
    abandoned: () => counts.abandoned,
    endlessBytes: () => counts.endlessBytes,
    async close() {
      release();
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), other.close()]);
    },
  };
}

function takeRule(behaviors: readonly Behavior[], { place, videoId, client }: PlatformRequest): Behavior | null {
  const rule = behaviors.find(
    (behavior) =>
      behavior.at === place &&
      (behavior.videoId === undefined || behavior.videoId === videoId) &&
      (behavior.client === undefined || behavior.client === client) &&
      behavior.times !== 0,
  );
  if (rule?.times !== undefined) rule.times -= 1;
  return rule ?? null;
}

/** A track may have its own reaction. */
function ownReaction(video: Video | null, { place, path }: PlatformRequest): Reaction {
  const isTrack = place === 'captions' && video !== null;
  const track = isTrack ? trackOf(video, new URL(path, 'http://platform.invalid').searchParams) : undefined;
  return track?.reaction ?? video?.reactions?.[place] ?? 'usual';
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += (chunk as Buffer).length;
    if (sizeBytes <= MAX_BODY_BYTES) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
