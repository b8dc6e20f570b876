import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '#testbed/service/accounts.ts';
import { startServiceHere } from '#test/service-here.ts';
import { request, temporaryFolder } from '#testbed/service/service.ts';

test('a start without the plan of an account says so, and its requests are refused', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const plansFile = join(folder.path, 'plans.json');
  const quotas = { stt_seconds: 60, tts_characters: 60, video_summaries: 1 };
  await writeFile(
    plansFile,
    JSON.stringify({ team: { quotas, requestsPerMinute: 9, pollsPerMinute: 9, streamingTts: false } }),
  );
  const first = await startServiceHere(dataDir, { PLANS_FILE: plansFile });
  const { key } = await createAccount(first.baseUrl, 'team');
  const usage = (baseUrl: string) => request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
  expect((await usage(first.baseUrl)).status).toBe(200);
  await first.stop();
  expect(first.output()).not.toContain('PLANS_FILE lacks');

  const second = await startServiceHere(dataDir);
  try {
    expect(second.output()).toMatch(/"plan":"team".*accounts have a plan that PLANS_FILE lacks/);
    expect(await usage(second.baseUrl)).toMatchObject({ status: 403, body: { error: { code: 'plan_required' } } });
  } finally {
    await second.stop();
  }
});
