import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generousPlan } from '../bench/plan.ts';
import { descendants, treeRssBytes } from '../bench/processes.ts';
import { quantile, type Measurement } from '../bench/report.ts';
import { startService, temporaryFolder } from '#test/service.ts';
import { startVideoPlatform } from '#test/video-platform/server.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { createSoakRequests } from './soak-requests.ts';

const MIB = 1_024 ** 2;
const CLIENTS = 3;
const SAMPLES = 240;
/** Resident memory of all processes may differ by this part between the middle and the end. */
const GROWTH = 0.05;
const FILES_MORE = 5;

/** Of the service and all processes below it. */
type Sample = { rssBytes: number; files: number; processes: number };

/**
 * Sends requests of all kinds for a time and compares the resources of the middle third with those
 * of the last; in the first, models are loaded and caches filled.
 */
export async function measureSoak(minutes: number): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  await using receiver = await startWebhookReceiver();
  const platform = await startVideoPlatform();
  const dataDir = join(folder.path, 'data');
  const service = await startService(dataDir, {
    PLANS_FILE: await generousPlan(folder.path),
    YOUTUBE_BASE_URL: platform.baseUrl,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  });
  const requests = Object.entries(await createSoakRequests(service.baseUrl, folder.path, receiver.baseUrl));
  const pid = service.process.pid ?? 0;
  const samples: Sample[] = [];
  const timer = setInterval(() => samples.push(takeSample(pid)), (minutes * 60_000) / SAMPLES);
  const endMs = performance.now() + minutes * 60_000;
  const counts = new Map<string, { sent: number; failed: number }>();
  const client = async (_: unknown, index: number) => {
    for (let next = index; performance.now() < endMs; next += 1) {
      const [name, send] = requests[next % requests.length]!;
      const count = counts.get(name) ?? { sent: 0, failed: 0 };
      counts.set(name, count);
      count.sent += 1;
      await send().catch((error: unknown) => {
        count.failed += 1;
        if (count.failed <= 3) console.error(`  ${name}: ${String(error)}`);
      });
      // The receiver would keep the bodies of all deliveries.
      receiver.received.length = 0;
    }
  };
  const reporting = setInterval(() => console.error(`  ${JSON.stringify(samples.at(-1))}`), 60_000);
  await Promise.all(Array.from({ length: CLIENTS }, client));
  clearInterval(timer);
  clearInterval(reporting);
  await sleep(1_000);
  const left = filesIn(join(dataDir, 'incoming'));
  await service.stop();
  await platform.close();
  const all = [...counts.values()];
  const sum = (of: (count: { sent: number; failed: number }) => number) =>
    all.reduce((total, each) => total + of(each), 0);
  console.error(`  sent: ${[...counts].map(([name, { sent }]) => `${name} ${sent}`).join(', ')}`);
  return [
    none(
      `failed of ${sum(({ sent }) => sent)} requests of ${requests.length} kinds`,
      sum(({ failed }) => failed),
    ),
    none('kinds that were never sent', requests.length - counts.size),
    compare(
      'memory of all processes (MiB)',
      samples,
      ({ rssBytes }) => rssBytes / MIB,
      (middle) => middle * GROWTH,
    ),
    compare(
      'open files of all processes',
      samples,
      ({ files }) => files,
      () => FILES_MORE,
    ),
    compare(
      'processes',
      samples,
      ({ processes }) => processes,
      () => 0,
    ),
    none('uploads left behind', left),
  ];
}

function takeSample(pid: number): Sample {
  const members = [pid, ...descendants(pid)];
  return {
    rssBytes: treeRssBytes(pid),
    files: members.reduce((total, member) => total + filesIn(`/proc/${member}/fd`), 0),
    processes: members.length,
  };
}

/** Entries of a folder at all depths; 0 when it is gone, as is that of an ended process. */
function filesIn(path: string): number {
  try {
    return readdirSync(path, { withFileTypes: true }).reduce(
      (total, entry) => total + (entry.isDirectory() ? filesIn(join(path, entry.name)) : 1),
      0,
    );
  } catch {
    return 0;
  }
}

function none(label: string, value: number): Measurement {
  return { label, value: String(value), goal: '0', met: value === 0 };
}

/** Compares the medians of the middle third and the last. */
function compare(
  label: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number,
  mayGrow: (middle: number) => number,
): Measurement {
  const third = Math.ceil(samples.length / 3);
  const median = (part: readonly Sample[]) => quantile(part.map(of), 0.5);
  const [middle, last] = [median(samples.slice(third, 2 * third)), median(samples.slice(2 * third))];
  const value = `${middle.toFixed(0)} → ${last.toFixed(0)}`;
  return { label, value, goal: `≤ ${(middle + mayGrow(middle)).toFixed(0)}`, met: last <= middle + mayGrow(middle) };
}
