import type { FastifyInstance } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';

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
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0]?.replace(/(?<=.)\/$/, '') ?? '';
    const allowed = [...routes.values()]
      .filter(({ matches }) => matches.test(path))
      .flatMap(({ methods }) => [...methods]);
    // A route for all files of a folder hands over those that do not exist.
    if (allowed.length === 0 || allowed.includes(request.method)) throw new AppError('not_found');
    const allow = [...new Set(allowed)].sort().join(', ');
    reply.header('allow', allow);
    throw new AppError('method_not_allowed', `This URL does not support ${request.method}, only ${allow}.`);
  });
}

/** `/a/:id/*` as a regular expression. */
function patternOf(url: string): RegExp {
  const parts = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${parts.replaceAll('*', '.*')}$`);
}
