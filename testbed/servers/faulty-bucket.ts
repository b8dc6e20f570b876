import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Faults of an S3 server, or of the connection to it, that pass. */
export const FAULTS = [
  'SlowDown',
  'InternalError',
  // Two names for a wrong clock: of Amazon, and of `rclone serve s3`.
  'RequestTimeTooSkewed',
  'AccessDenied',
  'closes',
  'closes amid the request',
  'closes after the work',
  'breaks off',
  'NoSuchKey',
] as const;
export type Fault = (typeof FAULTS)[number];
const HOUR_MS = 3_600_000;

/** A bucket in memory that fails the first request of each kind to an object. */
export function faultyBucket(fault: Fault): RequestListener {
  const objects = new Map<string, Buffer>();
  const failed = new Set<string>();
  const hasOtherClock = fault === 'RequestTimeTooSkewed' || fault === 'AccessDenied';
  const clockMs = () => Date.now() + (hasOtherClock ? HOUR_MS : 0);
  return async (request, response) => {
    const { method = '', url = '' } = request;
    const key = url.split('?')[0]!;
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/xml', date: new Date(clockMs()).toUTCString() });
      response.end(method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    };
    const isFirst = !failed.has(method + key);
    failed.add(method + key);
    if (isFirst && fault === 'closes') return void request.socket.destroy();
    if (isFirst && fault === 'closes amid the request') request.once('data', () => request.socket.destroy());
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    if (hasOtherClock) {
      const [, year, month, day, hour, minute, second] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(
        String(request.headers['x-amz-date']),
      )!;
      const sentMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      if (Math.abs(sentMs - clockMs()) > HOUR_MS / 4) return refuse(403, fault);
    } else if (isFirst && fault === 'SlowDown') return refuse(503, 'SlowDown');
    else if (isFirst && fault === 'InternalError') return refuse(500, 'InternalError');
    if (method === 'PUT') objects.set(key, body);
    if (method === 'DELETE') objects.delete(key);
    if (isFirst && fault === 'closes after the work') return void request.socket.destroy();
    const object = objects.get(key);
    const isRead = method === 'GET' || method === 'HEAD';
    // A new object may be found late where several servers hold it.
    const isLate = isFirst && isRead && fault === 'NoSuchKey';
    if (method !== 'DELETE' && (object === undefined || isLate)) return refuse(404, 'NoSuchKey');
    response.writeHead(200, isRead ? { 'content-length': object!.length } : {});
    if (method !== 'GET') return void response.end();
    if (!isFirst || fault !== 'breaks off') return void response.end(object);
    response.write(object!.subarray(0, object!.length >> 1), () => request.socket.destroy());
  };
}
