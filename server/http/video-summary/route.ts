import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Administration } from '#features/accounts/administration.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { SummaryFailed } from '#features/video-summary/summarize-video.ts';
import { parseVideoLink } from '#features/video-summary/video-link.ts';
import type { ServerDeps } from '#http/deps.ts';
import { replyWithError } from '#http/errors.ts';
import { parseFields } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import {
  CreditsAnswer,
  failureAnswer,
  SummaryAnswer,
  TracksAnswer,
  viewCredits,
  viewSummary,
  viewTracks,
  viewTranscript,
} from './answers.ts';
import { parseSummarizeRequest, SummarizeBody, TracksBody, TracksQuery } from './schema.ts';

/** Exceeds the transcript of a day of speech. */
const MAX_BODY_BYTES = 4 * 1024 ** 2;

const EXAMPLE = { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' };

const TAGS = ['Video summary'];

const SUMMARIZE_DESCRIPTION = `Downloads the captions of the video, or takes the transcript of the request, and answers with the
whole transcript and a summary. A summary costs one credit; failed requests and requests whose client disconnects cost none. Problems of
the video itself are answered with status 200 and \`success: false\`; docs/video-summary.md explains each \`message\`.`;

const TRACKS_DESCRIPTION = `The caption tracks of a video, in the order of the platform; \`name\` is a value for \`subtitleLanguage\`. Costs no
credit.`;

const FAILURES = [
  'invalid_video_link',
  'no_subtitles',
  'caption_tracks_failed',
  'transcript_download_failed',
  'empty_transcript',
  'video_quota_exceeded',
  'summary_failed',
] as const;

const Failure = failureAnswer('VideoFailure', FAILURES);

const BODY_ERRORS = ['payload_too_large', 'unsupported_media_type'] as const;
const TRACKS_ANSWER = answered('The tracks, or why there are none.', z.union([TracksAnswer, Failure]));
const SUMMARY_ANSWER = answered('The summary, or why there is none.', z.union([SummaryAnswer, Failure]));

type RouteDeps = Pick<ServerDeps, 'videoSummarizer'> & { administration: Pick<Administration, 'usage'> };

/** Summaries of videos. Clients use either prefix. */
export function addVideoSummaryRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  addSummarizeRoute(addRoute, deps);
  addTrackRoutes(addRoute, deps);
  addUsageRoute(addRoute, deps);
}

const pathsOf = (name: string) => [`/api/video-summary/${name}`, `/api/youtube-summary/${name}`];

function addSummarizeRoute(addRoute: AddRoute, { videoSummarizer }: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: pathsOf('summarize-from-url'),
    docs: {
      tags: TAGS,
      operationId: 'summarizeVideo',
      summary: 'Summarize a video',
      description: SUMMARIZE_DESCRIPTION,
      ok: SUMMARY_ANSWER,
      errors: BODY_ERRORS,
    },
    auth: { scope: 'video', rateLimit: 'request' },
    body: jsonBody(SummarizeBody, {
      keyFirst: 'header',
      maxBytes: MAX_BODY_BYTES,
      example: { ...EXAMPLE, summaryLanguage: 'cantonese' },
    }),
    // Charged only when the whole answer was sent.
    quota: { unit: 'video_summaries', whenClientLeaves: 'release', exceeded: 'video_quota_exceeded' },
    options: { errorHandler: replyWithTranscript },
    sends: true,
    async run(context) {
      const { connection } = context;
      const { url, ...request } = parseSummarizeRequest(context.input);
      const videoId = url === null ? null : videoIdOf(url);
      if (request.transcript === '') throw new AppError('empty_transcript');
      connection.signal.throwIfAborted();
      await context.charge(1, async () => {
        const summary = await videoSummarizer.summarize({ ...request, videoId }, connection.signal);
        const body = Buffer.from(JSON.stringify(viewSummary(summary)));
        const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
        await connection.send(headers, oneChunk(body));
      });
    },
  });
}

function addTrackRoutes(addRoute: AddRoute, { videoSummarizer }: RouteDeps): void {
  const listTracks = async (url: string, { connection }: RouteContext<unknown>) => {
    const videoId = videoIdOf(url);
    return { videoId, ...(await videoSummarizer.listTracks(videoId, connection.signal)) };
  };
  const docs = {
    tags: TAGS,
    summary: 'Caption tracks of a video',
    description: TRACKS_DESCRIPTION,
    ok: TRACKS_ANSWER,
  };
  const auth = { scope: 'video', rateLimit: 'request' } as const;
  addRoute({
    method: 'GET',
    paths: pathsOf('list-languages'),
    docs: { ...docs, operationId: 'listCaptionTracks', querystring: TracksQuery },
    auth,
    body: noBody,
    run: (context) => listTracks(parseFields(TracksQuery, context.request.query).url, context),
    answer: viewTracks,
  });
  addRoute({
    method: 'POST',
    paths: pathsOf('list-languages'),
    docs: { ...docs, operationId: 'findCaptionTracks', errors: BODY_ERRORS },
    auth,
    body: jsonBody(TracksBody, { keyFirst: 'header', example: EXAMPLE }),
    run: (context) => listTracks(context.input.url, context),
    answer: viewTracks,
  });
}

function addUsageRoute(addRoute: AddRoute, { administration }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: pathsOf('get-usage'),
    docs: {
      tags: TAGS,
      operationId: 'getVideoSummaryUsage',
      summary: 'Credits of the current period',
      ok: CreditsAnswer,
    },
    auth: { scope: 'video', rateLimit: 'poll' },
    body: noBody,
    run: ({ caller }) => administration.usage(caller.account.id),
    answer: viewCredits,
  });
}

/** A transcript that was fetched is worth keeping where only its summary failed. */
function replyWithTranscript(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  return replyWithError(error, request, reply, error instanceof SummaryFailed ? viewTranscript(error.made) : {});
}

/** Throws `invalid_video_link`. */
function videoIdOf(link: string): string {
  const videoId = parseVideoLink(link);
  if (videoId === null) throw new AppError('invalid_video_link');
  return videoId;
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function answered(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } };
}
