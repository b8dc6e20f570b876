import { AppError } from '@jyutsing/contracts/errors';
import { parseVideoLink } from '#features/video-summary/video-link.ts';
import type { Caller } from '#http/authentication.ts';
import { charged } from '#http/charge.ts';
import type { HttpServices } from '#http/services.ts';
import type { Listener } from '#http/client-connection.ts';
import { viewSummary } from './answers.ts';
import type { SummarizeAsk } from './schema.ts';

/** The id of a link. Throws `invalid_video_link`. */
export function videoIdOf(link: string): string {
  const videoId = parseVideoLink(link);
  if (videoId === null) throw new AppError('invalid_video_link');
  return videoId;
}

/**
 * Summarises a video and sends the answer, for one credit, which is kept only when the whole answer has left this process. Throws
 * `invalid_video_link`, `empty_transcript` and `video_quota_exceeded` before any work, what `VideoSummarizer.summarize` throws, and the
 * reason of the listener's signal; none of them costs anything.
 */
export async function sendSummary(
  services: Pick<HttpServices, 'store' | 'logger' | 'videoSummarizer'>,
  { url, ...ask }: SummarizeAsk,
  { caller, listener }: { caller: Caller; listener: Listener },
): Promise<void> {
  const videoId = videoIdOf(url);
  if (ask.transcript === '') throw new AppError('empty_transcript');
  listener.signal.throwIfAborted();
  const hasLeft = () => listener.hasLeft();
  await charged(services, { caller, unit: 'video_summaries', amount: 1, hasLeft, whenLeft: 'release' }, async () => {
    const made = await services.videoSummarizer.summarize({ videoId, ...ask }, listener.signal);
    const body = JSON.stringify(viewSummary(made));
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    };
    await listener.send(headers, alone(body));
  }).catch((failure: unknown) => {
    // Elsewhere a used-up quota is an error of its own status; here the caller is to look at it himself.
    const isUsedUp = failure instanceof AppError && failure.code === 'quota_exceeded';
    throw isUsedUp ? new AppError('video_quota_exceeded', undefined, { cause: failure }) : failure;
  });
}

async function* alone(text: string): AsyncGenerator<string> {
  yield text;
}
