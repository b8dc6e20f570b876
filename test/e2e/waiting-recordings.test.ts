import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startTranscriptionServer, type TranscriptionServer } from '#test/openai/transcription-server.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import { request, requestIdOf, submission, temporaryFolder, waitForResult } from '#testbed/service/service.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');

describe.each(postgres)('recordings that wait on $name', (database) => {
  let opened: OpenedDatabase;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let recognizer: TranscriptionServer;
  const services: ServiceHere[] = [];

  beforeAll(async () => {
    [opened, folder, recognizer] = await Promise.all([database.open(), temporaryFolder(), startTranscriptionServer()]);
  });
  afterAll(async () => {
    await recognizer.close();
    await Promise.all(services.map((service) => service.stop()));
    await opened.close();
    await folder[Symbol.asyncDispose]();
  });

  const start = async (roles: string) => {
    const service = await startServiceHere(folder.path, {
      DATABASE_URL: opened.databaseUrl ?? '',
      ROLES: roles,
      STT_ENGINE: 'openai-compatible',
      STT_BASE_URL: recognizer.baseUrl,
    });
    services.push(service);
    return service;
  };

  it('are taken by a process that is free, not kept by one that is busy', async () => {
    recognizer.behave(() => ({ kind: 'hang' }));
    const api = await start('api,transcribe');
    const submit = async (text: string) => {
      const audio = wavBytes(await speak(toJyutping(text)));
      return requestIdOf(await request(`${api.baseUrl}/api/stt`, submission(audio, { skip_fusion: 'true' })));
    };
    await submit('早晨');
    await vi.waitFor(() => expect(recognizer.busy()).toBeGreaterThan(0), { timeout: 60_000 });
    // The first process stays busy.
    recognizer.behave(() => ({ kind: 'transcription', text: '你好' }));
    const waiting = await submit('你好');
    await start('transcribe');
    expect(await waitForResult(api.baseUrl, waiting)).toMatchObject({ status: 'completed' });
    expect(recognizer.busy()).toBeGreaterThan(0);
  });
});
