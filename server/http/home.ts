import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CONSOLE_PATH } from './console/console-files.ts';
import type { ServerDeps } from './deps.ts';

const HomeAnswer = z
  .object({
    name: z.literal('jyutsing'),
    version: z.string(),
    console: z.string().describe('The web console.'),
    docs: z.string().describe('The interface as a page.'),
    openapi: z.string().describe('The interface as an OpenAPI document.'),
    health: z.string(),
  })
  .meta({ id: 'Home' });

/** GET /: sends a browser to the console, and tells a program what this is. */
export function addHome(app: FastifyInstance, { config }: Pick<ServerDeps, 'config'>): void {
  app.get('/', {
    schema: {
      tags: ['Server'],
      operationId: 'getServiceInfo',
      summary: 'Name, version and addresses of the service',
      description: 'A browser is sent to the console instead.',
      response: { 200: HomeAnswer },
    },
    config: { whileStarting: true },
    handler: async ({ headers }, reply) => {
      reply.header('vary', 'Accept');
      if (headers.accept?.includes('text/html') === true) return reply.redirect(CONSOLE_PATH);
      return {
        name: 'jyutsing',
        version: config.version,
        console: CONSOLE_PATH,
        docs: '/docs',
        openapi: '/openapi.json',
        health: '/health',
      };
    },
  });
}
