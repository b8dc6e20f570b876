import type { FastifyInstance } from 'fastify';
import { addConsole } from './console/console-files.ts';
import type { ServerDeps } from './deps.ts';
import { addDocsPage } from './docs-page.ts';
import { addHome } from './home.ts';

/** The addresses that people open in a browser. */
export function addPages(app: FastifyInstance, deps: ServerDeps): void {
  addDocsPage(app);
  app.register(async (scope) => addHome(scope, deps));
  app.register((scope) => addConsole(scope, deps));
}
