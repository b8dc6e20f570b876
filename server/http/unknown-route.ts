import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import { FAMILY_HEADER } from './elevenlabs/route-family.ts';

/**
 * Answers requests without a route: 405 with `Allow` when the path has other methods, else 404.
 * Call before adding routes, because it collects them.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // The answers to browsers that ask before they call.
    if (url === '*') return;
    const entry = routes.get(url) ?? { matches: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) entry.methods.add(name);
    routes.set(url, entry);
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?', 1)[0]?.replace(/(?<=.)\/$/, '') ?? '';
    const matching = [...routes].filter(([, { matches }]) => matches.test(path));
    // `/api/voices/check` is no voice, nor is `x.srt` the id of a record.
    const nearest = Math.max(...matching.map(([url]) => literalsOf(url)));
    const allowed = matching.flatMap(([url, { methods }]) => (literalsOf(url) === nearest ? [...methods] : []));
    // A route for all files of a folder hands over those that do not exist.
    if (allowed.length === 0 || allowed.includes(request.method)) throw notFound(request);
    const allow = [...new Set(allowed)].sort().join(', ');
    reply.header('allow', allow);
    throw new AppError('method_not_allowed', `This URL does not support ${request.method}, only ${allow}.`);
  };
  // Before the body, which some methods must declare: QUERY without one would be 400.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) refuse(request, reply);
  });
  app.setNotFoundHandler(async (request, reply) => refuse(request, reply));
}

function notFound({ headers }: FastifyRequest): AppError {
  if (headers[FAMILY_HEADER] === undefined) return new AppError('not_found');
  const served = 'POST /v1/speech-to-text, /v1/text-to-speech/{voice} and /v1/text-to-speech/{voice}/stream';
  return new AppError('not_found', `There is nothing at this URL. Of ElevenLabs' requests, ${served} are answered.`);
}

/** `/a/:id/*` as a regular expression. */
function patternOf(url: string): RegExp {
  const parts = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${parts.replaceAll('*', '.*')}$`);
}

/** Characters of a route that stand for themselves. */
function literalsOf(url: string): number {
  return url.replaceAll(/:\w+|\*/g, '').length;
}
