import type { Measurement } from '../../bench/report.ts';
import { request, requestIdOf, submission, waitForResult } from '#test/service.ts';
import type { Cluster } from './cluster.ts';
import { createMachine, type Machine } from './machines.ts';
import { makeLongRecording } from './recordings.ts';

export type Throughput = { workers: number; audioSeconds: number; wallSeconds: number; cpuSeconds: number };

/** CPU seconds per audio second may be larger with more workers by this part. */
const MAY_GROW = 0.15;

/** Transcribes `count` recordings with 1, 2 and 4 processes that do nothing else. */
export async function measureThroughput(cluster: Cluster, key: string, count: number): Promise<Throughput[]> {
  const recording = await makeLongRecording();
  const measured: Throughput[] = [];
  for (const machine of cluster.machines) if (!machine.roles.includes('api')) await machine.stop();
  for (const workers of [1, 2, 4]) {
    const machines = Array.from({ length: workers }, (_, index) =>
      createMachine(`worker-${10 * workers + index}`, 'transcribe', cluster.folder, cluster.env),
    );
    await Promise.all(machines.map((machine) => machine.start()));
    // The first of each loads the models.
    await transcribeAll(cluster, key, recording.audio, workers * 2);
    const before = usedBy(machines);
    const startedMs = performance.now();
    await transcribeAll(cluster, key, recording.audio, count);
    measured.push({
      workers,
      audioSeconds: count * recording.seconds,
      wallSeconds: (performance.now() - startedMs) / 1_000,
      cpuSeconds: usedBy(machines) - before,
    });
    await Promise.all(machines.map((machine) => machine.stop()));
  }
  return measured;
}

export function viewThroughput(measured: readonly Throughput[]): Measurement[] {
  const costOf = ({ cpuSeconds, audioSeconds }: Throughput) => cpuSeconds / audioSeconds;
  const most = costOf(measured[0]!) * (1 + MAY_GROW);
  return measured.map((each) => ({
    label: `CPU seconds per audio second with ${each.workers} of the role transcribe`,
    value: `${costOf(each).toFixed(4)} (${(each.audioSeconds / each.wallSeconds).toFixed(1)} × real time)`,
    goal: `≤ ${most.toFixed(4)}`,
    met: costOf(each) <= most,
  }));
}

const usedBy = (machines: readonly Machine[]) => machines.reduce((total, machine) => total + machine.cpuSeconds(), 0);

async function transcribeAll(cluster: Cluster, key: string, audio: Uint8Array, count: number): Promise<void> {
  const addresses = cluster.addresses('api');
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const baseUrl = addresses[index % addresses.length] ?? '';
      const fields = { api_key: key, context: crypto.randomUUID(), skip_fusion: 'true' };
      const id = requestIdOf(await request(`${baseUrl}/api/stt`, submission(audio, fields)));
      const record = await waitForResult(baseUrl, id, { key, timeoutMs: 300_000 });
      if (record['status'] !== 'completed') throw new Error(`a recording failed: ${String(record['error'])}`);
    }),
  );
}
