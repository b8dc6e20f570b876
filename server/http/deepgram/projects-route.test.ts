import { afterAll, beforeAll, expect, it } from 'vitest';
import { DeepgramClient } from '@deepgram/sdk';
import { send } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it('the client of Deepgram finds one project, which is the account of its key', async () => {
  const { id, key } = await server.newAccount('small', ['tts']);
  const other = await server.newAccount('small');
  const base = server.baseUrl;
  const environment = { base, production: base, agent: base, agentRest: base };
  const deepgram = new DeepgramClient({ apiKey: key, environment });
  expect(await deepgram.manage.v1.projects.list()).toEqual({
    projects: [{ project_id: id, name: expect.any(String) as string }],
  });
  expect(await deepgram.manage.v1.projects.get(id)).toMatchObject({ project_id: id });
  await expect(deepgram.manage.v1.projects.get(other.id)).rejects.toMatchObject({ statusCode: 404 });
  expect((await send(`${base}/v1/projects`)).status).toBe(401);
});
