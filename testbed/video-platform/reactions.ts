import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { consentPage, errorPage, plainPage, sorryPage } from './pages.ts';
import type { Reaction } from './videos.ts';

/** A response before a reaction changes it. */
export type Answer = { status: number; headers: Record<string, string>; body: string | Buffer };

/** URLs and settings used by reactions. */
export type ReactionEnv = {
  /** This fake platform. */
  baseUrl: string;
  /** The consent page. */
  consentUrl: string;
  /** The captcha page. */
  sorryUrl: string;
  /** A server that clients must not follow redirects to. */
  otherUrl: string;
  /** Pause between pieces of a slow response. */
  dripMs: number;
  /** Called with the number of bytes sent in endless responses. */
  onEndlessBytes(bytes: number): void;
};

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' };
/** Piece size of endless responses. */
const PIECE_BYTES = 65_536;
const DRIP_BYTES = 64;
const HUGE_BYTES = 20_000_000_000;
/** About 1 GB of spaces in 1 MB: a gzip file may consist of several concatenated members. */
const BOMB_MEMBER_BYTES = 16_000_000;
const BOMB_MEMBERS = 64;
let bomb: Buffer | null = null;

/** Sends the response as changed by the reaction. `usualOf` creates the unchanged response. */
export async function react(
  reaction: Reaction,
  request: IncomingMessage,
  response: ServerResponse,
  usualOf: () => Promise<Answer>,
  env: ReactionEnv,
): Promise<void> {
  const url = `${env.baseUrl}${request.url ?? ''}`;
  const replaced = replacement(reaction, url, env);
  if (replaced !== null) return send(response, replaced);
  const usual = await usualOf();
  const body = Buffer.from(usual.body);
  switch (reaction) {
    case 'usual':
      return send(response, usual);
    case 'truncated':
      return send(response, { ...usual, body: body.subarray(0, Math.floor(body.length * 0.6)) });
    case 'gzip':
      return send(response, gzipped(usual, gzipSync(body)));
    case 'gzip-broken':
      return send(response, gzipped(usual, gzipSync(body).subarray(0, -20)));
    case 'reset-midway':
      response.writeHead(usual.status, { ...usual.headers, 'content-length': body.length });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.resetAndDestroy());
      return;
    case 'cut-short':
      response.writeHead(usual.status, { ...usual.headers, 'content-length': body.length });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.destroy());
      return;
    case 'stalls':
      response.writeHead(usual.status, { ...usual.headers, 'content-length': body.length });
      return void response.write(body.subarray(0, Math.floor(body.length / 2)));
    case 'drip':
      return drip(response, usual, env.dripMs);
    case 'endless':
      response.writeHead(200, usual.headers);
      response.write(body.subarray(0, Math.max(1, body.length - 4)));
      return endless(response, env);
    case 'huge-announced':
      response.writeHead(200, { ...usual.headers, 'content-length': HUGE_BYTES });
      return endless(response, env);
    case 'reset':
      return void request.socket.resetAndDestroy();
    default:
    // 'never': the connection stays open until the client or the server closes it.
  }
}

/** Returns the response of a reaction that replaces the usual one; null for other reactions. */
function replacement(reaction: Reaction, url: string, env: ReactionEnv): Answer | null {
  const { baseUrl, consentUrl, sorryUrl, otherUrl } = env;
  switch (reaction) {
    case 'empty':
      return { status: 200, headers: HTML, body: '' };
    case 'blank':
      return { status: 200, headers: JSON_TYPE, body: ' \n\n ' };
    case 'html':
      return { status: 200, headers: HTML, body: plainPage() };
    case 'no-json':
      return { status: 200, headers: JSON_TYPE, body: ")]}'\n[[not json" };
    case 'null':
      return { status: 200, headers: JSON_TYPE, body: 'null' };
    case 'other-json':
      return { status: 200, headers: JSON_TYPE, body: '{"events":"none","playabilityStatus":[],"captions":7}' };
    case 'consent':
      return redirect(`${consentUrl}?continue=${encodeURIComponent(url)}&gl=DE&m=0&pc=yt&hl=en&src=1`);
    case 'consent-page':
      return { status: 200, headers: HTML, body: consentPage(url) };
    case 'captcha':
      return { status: 429, headers: { ...HTML, 'retry-after': '3600' }, body: sorryPage(url, true) };
    case 'captcha-redirect':
      return redirect(`${sorryUrl}?continue=${encodeURIComponent(url)}&q=EgQ`);
    case 'unusual-traffic':
      return { status: 200, headers: HTML, body: sorryPage(url, false) };
    case 'too-many-requests':
      return apiError(429, 'Resource has been exhausted (e.g. check quota).', 'RESOURCE_EXHAUSTED');
    case 'forbidden':
      return { status: 403, headers: HTML, body: errorPage(403, 'Your client does not have permission.') };
    case 'not-found':
      return { status: 404, headers: HTML, body: errorPage(404, 'The requested URL was not found on this server.') };
    case 'server-error':
      return apiError(500, 'Internal error encountered.', 'INTERNAL');
    case 'bad-gateway':
      return { status: 502, headers: HTML, body: errorPage(502, 'The server encountered a temporary error.') };
    case 'overloaded':
      return apiError(503, 'The service is currently unavailable.', 'UNAVAILABLE');
    case 'redirect-loop':
      return redirect(`${baseUrl}/redirect-loop?hop=1`);
    case 'redirect-elsewhere':
      return redirect(`${otherUrl}/latest/meta-data/`);
    case 'redirect-to-metadata':
      return redirect('http://169.254.169.254/latest/meta-data/');
    case 'gzip-bomb':
      bomb ??= gzipBomb();
      return gzipped({ status: 200, headers: JSON_TYPE, body: '' }, bomb);
    default:
      return null;
  }
}

/** An error response in the format of the platform's API. */
export function apiError(status: number, message: string, reason: string): Answer {
  const error = { code: status, message, errors: [{ message, domain: 'global', reason }], status: reason };
  return { status, headers: JSON_TYPE, body: JSON.stringify({ error }, null, 2) };
}

export function redirect(location: string): Answer {
  return { status: 302, headers: { ...HTML, location }, body: `<HTML><A HREF="${location}">here</A></HTML>` };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function gzipped(answer: Answer, body: Buffer): Answer {
  return { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' }, body };
}

function gzipBomb(): Buffer {
  const member = gzipSync(Buffer.alloc(BOMB_MEMBER_BYTES, ' '));
  return Buffer.concat(Array.from({ length: BOMB_MEMBERS }, () => member));
}

/** Sends a few bytes at a time. */
async function drip(response: ServerResponse, { status, headers, body }: Answer, everyMs: number): Promise<void> {
  response.writeHead(status, headers);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length && !response.destroyed; at += DRIP_BYTES) {
    response.write(bytes.subarray(at, at + DRIP_BYTES));
    await sleep(everyMs);
  }
  response.end();
}

/** Sends as fast as the client reads, until it closes the connection. */
function endless(response: ServerResponse, { onEndlessBytes }: ReactionEnv): void {
  const piece = Buffer.alloc(PIECE_BYTES, ' ');
  const pieces = new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      onEndlessBytes(PIECE_BYTES);
      this.push(piece);
    },
  });
  response.once('close', () => pieces.destroy());
  pieces.pipe(response);
}
