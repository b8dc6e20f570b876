import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generousPlan } from '../bench/plan.ts';
import { descendants, treePssBytes } from '../bench/processes.ts';
import { quantile, type Measurement } from '../bench/report.ts';
import { createRequests } from '../bench/request-kinds.ts';
import { startService, temporaryFolder } from '#test/service.ts';
import { startVideoPlatform } from '#test/video-platform/server.ts';

const MIB = 1_024 ** 2;
const CLIENTS = 3;
const SAMPLE_EVERY_MS = 5_000;
/** Models are loaded and caches filled in the first part of the run. */
const WARM_UP = 0.25;
const GOAL_GROWTH_MIB = 64;

type Sample = { pssBytes: number; files: number; processes: number };

/** Sends requests of all kinds for a time; compares the resources of its first and last parts. */
export async function measureSoak(minutes: number): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const platform = await startVideoPlatform();
  const service = await startService(join(folder.path, 'data'), {
    PLANS_FILE: await generousPlan(folder.path),
    YOUTUBE_BASE_URL: platform.baseUrl,
  });
  const pid = service.process.pid ?? 0;
  const samples: Sample[] = [];
  const timer = setInterval(() => samples.push(takeSample(pid)), SAMPLE_EVERY_MS);
  const requests = await createRequests(service.baseUrl, folder.path);
  const endMs = performance.now() + minutes * 60_000;
  const failures: unknown[] = [];
  let sent = 0;
  const client = async (_: unknown, index: number) => {
    for (let next = index; performance.now() < endMs; next += 1) {
      sent += 1;
      await requests[next % requests.length]?.().catch((error: unknown) => failures.push(error));
      if (sent % 100 === 0) console.error(`${sent} requests: ${JSON.stringify(samples.at(-1))}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  clearInterval(timer);
  await sleep(SAMPLE_EVERY_MS);
  await service.stop();
  await platform.close();
  for (const failure of failures.slice(0, 5)) console.error(failure);
  const left = readdirSync(join(folder.path, 'data/incoming')).length;
  return [
    {
      label: `failed of ${sent} requests of all kinds`,
      value: String(failures.length),
      goal: '0',
      met: failures.length === 0,
    },
    compare('memory of all processes (MiB)', samples, ({ pssBytes }) => pssBytes / MIB, GOAL_GROWTH_MIB),
    compare('open files of the server', samples, ({ files }) => files, 5),
    compare('processes', samples, ({ processes }) => processes, 0),
    { label: 'uploads left behind', value: String(left), goal: '0', met: left === 0 },
  ];
}

function takeSample(pid: number): Sample {
  return {
    pssBytes: treePssBytes(pid),
    files: readdirSync(`/proc/${pid}/fd`).length,
    processes: descendants(pid).length + 1,
  };
}

/** Compares the medians of the second and the last quarter. */
function compare(label: string, samples: readonly Sample[], of: (sample: Sample) => number, goal: number): Measurement {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP)).map(of);
  const third = Math.ceil(warm.length / 3);
  const [early, late] = [quantile(warm.slice(0, third), 0.5), quantile(warm.slice(-third), 0.5)];
  const value = `${early.toFixed(0)} → ${late.toFixed(0)}`;
  return { label, value, goal: `+ ${goal} at most`, met: late - early <= goal };
}
