import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '#testbed/servers/free-port.ts';
import { startServiceHere } from '#test/service-here.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { ROOT } from '../../scripts/source-files.ts';
import { Jyutsing } from './index.ts';

it('a restart of the service loses no transcription, and charges nothing twice', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  // The stop interrupts all of the work.
  const env = { PORT: String(await freePort()), WORKERS: '1', DRAIN_SECONDS: '0' };
  const first = await startServiceHere(dataDir, env);
  const jyut = new Jyutsing({ baseUrl: first.baseUrl, apiKey: OWNER_KEY });
  const sample = await readFile(join(ROOT, 'docs/samples/meeting.mp3'));
  // The recordings differ, so that none is answered with the text of another.
  const recordings = [1, 2, 3].map((times) => new Uint8Array(Buffer.concat(Array(times).fill(sample))));
  const jobs = await Promise.all(recordings.map((recording) => jyut.transcribe(recording)));
  const waiting = jobs.map((job) => job.wait({ pollInterval: 200 }));
  const speech = () => jyut.speak('聽日見！', { idempotencyKey: 'before and after' }).blob();
  await speech();

  expect(await first.stop()).toBe(true);
  const second = await startServiceHere(dataDir, env);
  try {
    const transcripts = await Promise.all(waiting);
    expect(transcripts.map(({ text }) => text.includes('開會'))).toEqual([true, true, true]);
    expect((await speech()).size).toBeGreaterThan(1_000);
    const records = await Promise.all(jobs.map((job) => job.record()));
    const credits = records.reduce((sum, { credits_used: recordCredits = 0 }) => sum + recordCredits, 0);
    const { quotas } = await jyut.usage();
    expect([quotas['stt_seconds']!.used, quotas['tts_characters']!.used]).toEqual([credits, 4]);
    let listed = 0;
    for await (const _ of jyut.transcriptions.list()) listed += 1;
    expect(listed).toBe(3);
  } finally {
    await second.stop();
  }
});
