import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { headerKey } from '#http/authentication.ts';
import { replyForDeepgram } from '#http/deepgram/errors.ts';
import { encodeHeader } from '#http/encode-header.ts';
import { parseFields } from '#http/fields.ts';
import { readKeyedBody } from '#http/json-body.ts';
import { IGNORED_MODEL_HEADER } from '#http/known-model.ts';
import { addLiveRoute, type LiveRouteDeps } from '#http/live/live-route.ts';
import { speakRequest } from '#http/openai-speech/route.ts';
import { SpeechBody } from '#http/openai-speech/schema.ts';
import { HEADER_KEY } from '#http/openapi.ts';
import type { AddRoute, BodyReader } from '#http/route.ts';
import { IGNORED_SSML_HEADER } from '#http/synthesis/cast-script.ts';
import { SUBSTITUTED_VOICE_HEADER } from '#http/synthesis/find-voice.ts';
import { CHARGE_HEADER, SPEECH_AUTH, SPEECH_ERRORS, SPEECH_QUOTA, type SpeechDeps } from '#http/synthesis/speak.ts';
import { speechTextField } from '#http/synthesis/speech-text-field.ts';
import type { SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { createSpeakProtocol } from './protocol.ts';
import { parseSpeakQuery, parseSpeakStreamQuery, rawSoundFor, SpeakQuery, SpeakStreamQuery } from './query.ts';
import { createTurnsProtocol } from './turns-protocol.ts';

const DESCRIPTION = `The request of Deepgram's clients, with the voice in \`model\`. Costs what \`/v1/audio/speech\` costs.`;
const STREAM_DESCRIPTION = `Deepgram's messages for text that is still written: \`Speak\`, \`Flush\`, \`Clear\` and \`Close\`; binary sound,
\`Metadata\`, \`Flushed\`, \`Cleared\` and \`Warning\` come back. Complete sentences are spoken at once where the plan has streaming.`;

const TURNS_DESCRIPTION = `As \`/v1/speak\`, with the messages of Deepgram's Flux: turns that \`Flush\` completes, \`Interrupt\`, which says what
was heard, and \`Configure\` with a speed.`;

const Body = z.object({ text: speechTextField('The text, or SSML.') });
type Input = { text: string; query: SpeakQuery };

const body: BodyReader<Input> = {
  security: HEADER_KEY,
  config: { bodies: { 'application/json': Body }, bodyExample: { text: '早晨，今日天氣好好。' } },
  async read(unread) {
    const caller = await unread.authorize(headerKey(unread.request));
    const query = parseSpeakQuery(unread.request.query);
    const { object } = await readKeyedBody(unread, { keyFirst: 'header' });
    return { caller, input: { ...parseFields(Body, object()), query } };
  },
};

const sound = { schema: z.string().meta({ format: 'binary' }) };
const MEDIA_TYPES = ['mpeg', 'wav', 'ogg', 'flac', 'aac', 'l16', 'mulaw', 'alaw'];
const RAW_AND_FILES = Object.fromEntries(MEDIA_TYPES.map((type) => [`audio/${type}`, sound]));

/** Both take the same text; each is described, since their GET requests differ. */
const POSTS = [
  ['/v1/speak', 'speakForDeepgram'],
  ['/v2/speak', 'speakTurnForDeepgram'],
] as const;

/** /v1/speak and /v2/speak of Deepgram: POST for a text, GET (WebSocket) for a conversation. */
export function addSpeakRoutes(
  app: FastifyInstance,
  addRoute: AddRoute,
  deps: SpeechDeps & SpeakTextDeps & LiveRouteDeps,
): void {
  for (const [path, operationId] of POSTS) addPost(addRoute, deps, { path, operationId });
  const conversations = [
    {
      path: '/v1/speak',
      create: createSpeakProtocol,
      docs: {
        operationId: 'speakLive',
        summary: 'Synthesize text while it is written, for clients of Deepgram (WebSocket)',
        description: STREAM_DESCRIPTION,
      },
    },
    {
      path: '/v2/speak',
      create: createTurnsProtocol,
      docs: {
        operationId: 'speakInTurns',
        summary: 'Synthesize the turns of an agent, for clients of Deepgram Flux (WebSocket)',
        description: TURNS_DESCRIPTION,
      },
    },
  ];
  for (const { path, create, docs } of conversations) {
    addLiveRoute(
      app,
      {
        path,
        speaks: true,
        docs: { ...docs, querystring: SpeakStreamQuery },
        prepare({ query, id: requestId }) {
          const parsed = parseSpeakStreamQuery(query);
          return (client, connection) => create(deps, { ...client, query: parsed, requestId }, connection);
        },
      },
      deps,
    );
  }
}

/** Adds a request that is answered with the sound of its text. */
function addPost(
  addRoute: AddRoute,
  deps: SpeechDeps,
  { path, operationId }: { path: string; operationId: string },
): void {
  addRoute({
    method: 'POST',
    paths: [path],
    docs: {
      tags: ['Speech'],
      operationId,
      summary: 'Synthesize a text for clients of Deepgram',
      description: DESCRIPTION,
      querystring: SpeakQuery,
      ok: { description: 'The sound.', content: RAW_AND_FILES },
      errors: [...SPEECH_ERRORS, 'invalid_parameter'],
    },
    auth: SPEECH_AUTH,
    body,
    quota: SPEECH_QUOTA,
    concurrent: 'speech',
    config: {
      role: 'speak',
      answerHeaders: {
        ...CHARGE_HEADER,
        ...SUBSTITUTED_VOICE_HEADER,
        ...IGNORED_MODEL_HEADER,
        ...IGNORED_SSML_HEADER,
      },
    },
    options: { errorHandler: replyForDeepgram },
    sends: true,
    async run(context) {
      const { text, query } = context.input;
      const { request, reply } = context;
      reply.headers({
        'dg-request-id': request.id,
        'dg-model-name': encodeHeader(query.model ?? 'jyutsing'),
        'dg-model-uuid': request.id,
        'dg-char-count': [...text].length,
      });
      const raw = rawSoundFor(query);
      const format = raw === null ? query.encoding : 'pcm';
      const { model: voice, speed, corpus_ids } = query;
      const order = { input: text, voice, speed, corpus_ids, response_format: format };
      await speakRequest(context, parseFields(SpeechBody, order, 'invalid_parameter'), deps, raw);
    },
  });
}
