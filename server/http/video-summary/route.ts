import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Administration } from '#features/accounts/administration.ts';
import { bodyKey, headerKey, type Admission, type Authenticator } from '#http/authentication.ts';
import { parseForm } from '#http/form-fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { errorResponses, HEADER_KEY, HEADER_OR_FIELD_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { listening, type OpenListener } from '#http/client-connection.ts';
import { CreditsAnswer, failureAnswer, SummaryAnswer, TracksAnswer, viewCredits, viewTracks } from './answers.ts';
import { SummarizeBody, TracksBody, TracksQuery, viewSummarizeAsk } from './schema.ts';
import { sendSummary, videoIdOf } from './summarize.ts';

/** Both are the same; clients in the field call either. */
const PREFIXES = ['/api/video-summary', '/api/youtube-summary'];

/** A day of speech is less. */
const MAX_BODY_BYTES = 4 * 1024 ** 2;

const SUMMARIZE_DESCRIPTION = `Downloads the captions of the video, or takes the transcript that is sent along, and answers with the whole
transcript and a summary of it. A summary costs one credit; what fails, and what the client does not wait for, costs none. What callers are to
look at themselves is answered with status 200 and \`success: false\`; docs/video-summary.md says what each \`message\` means.`;

const TRACKS_DESCRIPTION = `The caption tracks of a video, in the order of the platform; \`name\` is what \`subtitleLanguage\` takes. Costs no
credit.`;

const TRACK_FAILURES = ['invalid_video_link', 'no_subtitles', 'caption_tracks_failed'] as const;
const SUMMARY_FAILURES = [
  ...TRACK_FAILURES,
  'transcript_download_failed',
  'empty_transcript',
  'video_quota_exceeded',
  'summary_failed',
] as const;

const BODY_ERRORS = errorResponses(...KEY_ERRORS, 'payload_too_large', 'unsupported_media_type');
const TRACKS = {
  tags: ['Video summary'],
  summary: 'Caption tracks of a video',
  description: TRACKS_DESCRIPTION,
};
const TRACKS_ANSWER = answered(
  'The tracks, or why there are none.',
  z.union([TracksAnswer, failureAnswer('VideoCaptionTracksFailure', TRACK_FAILURES)]),
);
const SUMMARY_ANSWER = answered(
  'The summary, or why there is none.',
  z.union([SummaryAnswer, failureAnswer('VideoSummaryFailure', SUMMARY_FAILURES)]),
);

type Room = {
  services: HttpServices;
  administration: Pick<Administration, 'usage'>;
  authenticator: Authenticator;
  openListener: OpenListener;
};

/** Summaries of videos, under both prefixes. To be registered where bodies are read as JSON. */
export function videoSummaryRoutes(room: Room) {
  return async function routes(app: FastifyInstance): Promise<void> {
    for (const prefix of PREFIXES) {
      addSummarize(app, `${prefix}/summarize-from-url`, room);
      addTracks(app, `${prefix}/list-languages`, room);
      addUsage(app, `${prefix}/get-usage`, room);
    }
  };
}

/** The key is looked for in the headers first, where the interface has it first. */
function admit({ authenticator }: Room, request: FastifyRequest, reply: FastifyReply, counted: Admission['counted']) {
  return authenticator.admit(headerKey(request) ?? bodyKey(request), { scope: 'video', counted }, request, reply);
}

function addSummarize(app: FastifyInstance, url: string, room: Room): void {
  app.post(url, {
    bodyLimit: MAX_BODY_BYTES,
    schema: {
      tags: ['Video summary'],
      summary: 'Summarise a video',
      description: SUMMARIZE_DESCRIPTION,
      security: HEADER_OR_FIELD_KEY,
      response: { 200: SUMMARY_ANSWER, ...BODY_ERRORS },
    },
    config: { bodies: { 'application/json': SummarizeBody } },
    handler: (request, reply) =>
      listening({ request, reply, openListener: room.openListener }, async (listener) => {
        const caller = await admit(room, request, reply, 'request');
        const ask = viewSummarizeAsk(jsonBody(SummarizeBody, request));
        await sendSummary(room.services, ask, { caller, listener });
      }),
  });
}

function addTracks(plainApp: FastifyInstance, url: string, room: Room): void {
  const app = plainApp.withTypeProvider<ZodTypeProvider>();
  /** Nothing is charged, so Fastify may send the answer: nobody needs to know whether it arrived. */
  const list = async (request: FastifyRequest, reply: FastifyReply, linkOf: () => string) => {
    using listener = room.openListener(reply);
    await admit(room, request, reply, 'request');
    const videoId = videoIdOf(linkOf());
    return viewTracks(videoId, await room.services.videoSummarizer.listTracks(videoId, listener.signal));
  };
  app.get(url, {
    // Checked by hand, after the key.
    validatorCompiler: () => (value) => ({ value }),
    schema: {
      ...TRACKS,
      security: HEADER_KEY,
      querystring: TracksQuery,
      response: { 200: TRACKS_ANSWER, ...errorResponses(...KEY_ERRORS) },
    },
    handler: (request, reply) =>
      list(request, reply, () => {
        const sent = new Map(Object.entries<string>(request.query));
        return parseForm(TracksQuery, sent, 'invalid_request').url;
      }),
  });
  app.post(url, {
    schema: { ...TRACKS, security: HEADER_OR_FIELD_KEY, response: { 200: TRACKS_ANSWER, ...BODY_ERRORS } },
    config: { bodies: { 'application/json': TracksBody } },
    handler: (request, reply) => list(request, reply, () => jsonBody(TracksBody, request).url),
  });
}

function addUsage(app: FastifyInstance, url: string, room: Room): void {
  app.withTypeProvider<ZodTypeProvider>().get(url, {
    schema: {
      tags: ['Video summary'],
      summary: 'Credits of the present period',
      security: HEADER_KEY,
      response: { 200: CreditsAnswer, ...errorResponses(...KEY_ERRORS) },
    },
    handler: async (request, reply) => {
      const { account } = await admit(room, request, reply, 'poll');
      return viewCredits(await room.administration.usage(account.id));
    },
  });
}

function answered(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } };
}
