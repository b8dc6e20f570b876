import { clientNameOf, introduce, type Client } from './clients.ts';
import { consentPage, errorPage, sorryPage, watchPage } from './pages.ts';
import { playerAnswer, SIGNATURE, unknownVideo, updateAnswer, type Links } from './player.ts';
import { apiError, redirect, type Answer } from './reactions.ts';
import { soundOf } from './sound.ts';
import { captionFile, formatOf } from './timed-text.ts';
import type { Place, Playability, Track, Video } from './videos.ts';

/** A request as the fake platform received it. */
export type PlatformRequest = {
  method: string;
  /** Including the query. */
  path: string;
  place: Place;
  /** The id is null when the request names no video. */
  videoId: string | null;
  /** Upper-case client name; null when the request has none. */
  client: string | null;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown;
};

const WEB: Client = { name: 'WEB', isWeb: true, isApp: false, oldestMajor: 2 };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PLACES: readonly [RegExp, Place][] = [
  [/^\/youtubei\/v1\/player$/, 'player'],
  [/^\/youtubei\/v1\/get_transcript$/, 'transcript'],
  [/^\/youtubei\/v1\/config$/, 'config'],
  [/^\/api\/timedtext$/, 'captions'],
  [/^\/(watch|embed\/[\w-]+|shorts\/[\w-]+)$/, 'watch'],
  [/^\/videoplayback$/, 'sound'],
  [/^\/sorry\/index$/, 'sorry'],
  [/^\/consent$/, 'consent'],
  [/^\/redirect-loop$/, 'redirect-loop'],
];

/** Classifies a request and extracts its video ID and client. */
export function readRequest(
  method: string,
  path: string,
  headers: PlatformRequest['headers'],
  text: string,
): PlatformRequest {
  const address = new URL(path, 'http://platform.invalid');
  const place = PLACES.find(([pattern]) => pattern.test(address.pathname))?.[1] ?? 'other';
  const body = parseJson(text);
  const parameter = place === 'sound' ? 'id' : 'v';
  const inPath = place === 'watch' ? (/\/(?:embed|shorts)\/([\w-]+)/.exec(address.pathname)?.[1] ?? null) : null;
  const inBody = (body as { videoId?: unknown } | null)?.videoId;
  const videoId = typeof inBody === 'string' ? inBody : (address.searchParams.get(parameter) ?? inPath);
  return { method, path, place, videoId, client: clientNameOf(body), headers, body };
}

/** The response without a reaction. */
export async function usualAnswer(
  request: PlatformRequest,
  video: Video | null,
  links: Links,
  playability: Playability | null,
): Promise<Answer> {
  const parameters = new URL(request.path, 'http://platform.invalid').searchParams;
  const shown = video === null || playability === null ? video : withPlayability(video, playability);
  switch (request.place) {
    case 'player':
      return request.method === 'POST' ? player(request, shown, links) : notFound();
    case 'transcript':
      return apiError(400, 'Precondition check failed.', 'FAILED_PRECONDITION');
    case 'config':
      return json({ responseContext: { globalConfigGroup: {} }, configData: 'invented' });
    case 'captions':
      return captions(parameters, shown);
    case 'watch':
      return watch(shown, links);
    case 'sound':
      return sound(request, parameters, shown);
    case 'sorry':
      return { status: 429, headers: HTML, body: sorryPage(parameters.get('continue') ?? '', true) };
    case 'consent':
      return { status: 200, headers: HTML, body: consentPage(parameters.get('continue') ?? '') };
    case 'redirect-loop':
      return redirect(`${links.captions}/redirect-loop?hop=${Number(parameters.get('hop')) + 1}`);
    case 'other':
      return notFound();
  }
}

async function player(request: PlatformRequest, video: Video | null, links: Links): Promise<Answer> {
  const introduction = introduce(request.body);
  if (introduction.is === 'refused') return apiError(400, introduction.message, introduction.reason);
  if (introduction.is === 'update-required') return json(updateAnswer());
  if (video === null) return json(unknownVideo(request.videoId ?? ''));
  return json(playerAnswer(video, introduction.client, links, await soundFilesOf(video)));
}

function captions(parameters: URLSearchParams, video: Video | null): Answer {
  const format = formatOf(parameters);
  const track = video === null ? undefined : trackOf(video, parameters);
  const isSigned = parameters.get('signature') === SIGNATURE;
  // Links for browsers have `exp=xpe` and require a proof-of-origin token (`pot`).
  const isProven = parameters.get('exp') !== 'xpe' || (parameters.get('pot') ?? '') !== '';
  if (track === undefined || !isSigned || !isProven) return { status: 200, headers: HTML, body: '' };
  const { contentType, body } = captionFile(track, format);
  return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'private, max-age=21536' }, body };
}

/**
 * The track of a caption link. The `track` parameter exists only in links of this fake and is
 * optional.
 */
export function trackOf(video: Video, parameters: URLSearchParams): Track | undefined {
  const index = parameters.get('track');
  if (index !== null) return video.tracks?.[Number(index)];
  return video.tracks?.find(
    ({ languageCode, isAutomatic, label }) =>
      languageCode === parameters.get('lang') &&
      isAutomatic === (parameters.get('kind') === 'asr') &&
      (label ?? '') === (parameters.get('name') ?? ''),
  );
}

async function watch(video: Video | null, links: Links): Promise<Answer> {
  const answer = video === null ? unknownVideo('') : playerAnswer(video, WEB, links, await soundFilesOf(video));
  return { status: 200, headers: HTML, body: watchPage(video?.title ?? '', answer) };
}

const SOUND_NEEDS_TOKEN = ['ANDROID', 'ANDROID_VR', 'IOS', 'MWEB', 'WEB'];

async function sound(request: PlatformRequest, parameters: URLSearchParams, video: Video | null): Promise<Answer> {
  const files = video === null ? [] : await soundFilesOf(video);
  const file = files.find(({ itag }) => String(itag) === parameters.get('itag'));
  // Sound for these apps requires a proof-of-origin token (`pot`).
  const needsToken = SOUND_NEEDS_TOKEN.includes(parameters.get('c') ?? '') && !parameters.has('pot');
  if (file === undefined || needsToken || parameters.get('sig') !== SIGNATURE) {
    return { status: 403, headers: { 'content-type': 'text/plain' }, body: '' };
  }
  const headers = { 'content-type': file.mimeType.split(';')[0] ?? '', 'accept-ranges': 'bytes' };
  // The platform also accepts a `range` query parameter.
  const range = /^(?:bytes=)?(\d+)-(\d*)$/.exec(String(request.headers['range'] ?? parameters.get('range') ?? ''));
  if (range === null) return { status: 200, headers, body: file.bytes };
  const size = file.bytes.length;
  const from = Number(range[1]);
  const to = Math.min(range[2] === '' ? size - 1 : Number(range[2]), size - 1);
  if (from > to) return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: '' };
  const isPartial = request.headers['range'] !== undefined;
  return {
    status: isPartial ? 206 : 200,
    headers: isPartial ? { ...headers, 'content-range': `bytes ${from}-${to}/${size}` } : headers,
    body: file.bytes.subarray(from, to + 1),
  };
}

async function soundFilesOf(video: Video) {
  return video.says === undefined ? [] : await soundOf(video.says);
}

function withPlayability(video: Video, playability: Playability): Video {
  const { playabilityFor: _, ...rest } = video;
  return { ...rest, playability };
}

function json(body: object): Answer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify(body) };
}

function notFound(): Answer {
  return { status: 404, headers: HTML, body: errorPage(404, 'The requested URL was not found on this server.') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
