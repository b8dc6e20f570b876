import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
} from '#testbed/service/service.ts';

const TEXT = '早晨';

it('a service that has heard, spoken and scored leaves nothing outside its data folder', async () => {
  await using folder = await temporaryFolder();
  const [home, temporary] = [join(folder.path, 'home'), join(folder.path, 'temporary')];
  for (const path of [home, temporary]) await mkdir(path);
  const service = await startService(join(folder.path, 'data'), { HOME: home, TMPDIR: temporary });
  const audio = wavBytes(await speak(toJyutping(TEXT)));
  try {
    const submitted = await request(`${service.baseUrl}/api/stt`, submission(audio, { with_diarization: 'true' }));
    expect(await waitForResult(service.baseUrl, requestIdOf(submitted))).toMatchObject({ status: 'completed' });
    const spoken = await fetch(`${service.baseUrl}/api/tts`, {
      method: 'POST',
      headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text: TEXT }),
    });
    expect([spoken.status, (await spoken.arrayBuffer()).byteLength > 10_000]).toEqual([200, true]);
    const scored = await request(`${service.baseUrl}/api/score`, submission(audio, { text: TEXT }, 'audio'));
    expect(scored.status).toBe(200);
    // While its processes run, which hold their files open.
    expect(await readdir(home, { recursive: true })).toEqual([]);
    expect(await readdir(temporary, { recursive: true })).toEqual([]);
  } finally {
    await service.stop();
  }
  expect(await readdir(home, { recursive: true })).toEqual([]);
  expect(await readdir(temporary, { recursive: true })).toEqual([]);
});
