import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { noBody, type AddRoute } from '#http/route.ts';
import { replyForDeepgram } from './errors.ts';

const Project = z.object({ project_id: z.string().describe('The id of the account.'), name: z.string() });
const Projects = z.object({ projects: z.array(Project) });

const DESCRIPTION = `Clients of Deepgram check their key here. The one project is the account of the key.`;

/** GET /v1/projects and /v1/projects/{id}. */
export function addProjectRoutes(addRoute: AddRoute): void {
  const auth = { scope: null, rateLimit: 'request' } as const;
  addRoute({
    method: 'GET',
    paths: ['/v1/projects'],
    docs: {
      tags: ['Account'],
      operationId: 'listProjects',
      summary: 'The account, for clients of Deepgram',
      description: DESCRIPTION,
      ok: Projects,
    },
    auth,
    options: { errorHandler: replyForDeepgram },
    body: noBody,
    run: async ({ caller }) => ({ projects: [viewProject(caller.account)] }),
  });
  addRoute({
    method: 'GET',
    paths: ['/v1/projects/:id'],
    docs: {
      tags: ['Account'],
      operationId: 'getProject',
      summary: 'The account, for clients of Deepgram',
      ok: Project,
      params: z.object({ id: z.string() }),
      errors: ['not_found'],
    },
    auth,
    options: { errorHandler: replyForDeepgram },
    body: noBody,
    async run({ caller, request }) {
      if ((request.params as { id?: string }).id !== caller.account.id) throw new AppError('not_found');
      return viewProject(caller.account);
    },
  });
}

function viewProject({ id, name }: { id: string; name: string }): z.output<typeof Project> {
  return { project_id: id, name };
}
