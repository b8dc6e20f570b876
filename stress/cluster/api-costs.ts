import { setTimeout as sleep } from 'node:timers/promises';
import { request, requestIdOf, submission } from '#testbed/service/service.ts';
import type { Cluster } from './cluster.ts';
import { countConnections } from './count-connections.ts';
import { cpuSecondsOf, postgresCpuSeconds } from './processor-time.ts';
import type { Recording } from './recordings.ts';

/** CPU seconds of the API processes and of PostgreSQL. */
type Cost = { api: number; postgres: number };

export type ApiCosts = {
  /** CPU seconds for one poll of a transcription that waits. */
  poll: Cost;
  /** CPU seconds for one second of a connection to the events of a waiting transcription. */
  eventStreamSecond: Cost;
  /** Connections to PostgreSQL of one API process under these polls. */
  connections: number;
};

const CLIENTS = 16;
const POLL_FOR_MS = 6_000;
const STREAMS = 200;
const SETTLE_MS = 2_000;
const STREAM_FOR_MS = 10_000;

/** Waits for a recording that no process transcribes, with polls and with streams of events. */
export async function measureApiCosts(cluster: Cluster, recording: Recording): Promise<ApiCosts> {
  const key = await cluster.newKey('load');
  const addresses = cluster.addresses('api');
  const headers = { 'x-api-key': key };
  const fields = { api_key: key, context: crypto.randomUUID(), skip_fusion: 'true' };
  const id = requestIdOf(await request(`${addresses[0]}/api/stt`, submission(recording.audio, fields)));
  const pids = cluster.machines.flatMap((machine) => machine.pids().service);
  const read = (): Cost => ({ api: cpuSecondsOf(pids), postgres: postgresCpuSeconds() });

  let polls = 0;
  const poll = async (endMs: number) => {
    while (performance.now() < endMs) {
      const baseUrl = addresses[polls++ % addresses.length] ?? '';
      const { status } = await request(`${baseUrl}/api/speech-to-text/get-result?id=${id}`, { headers });
      // A refusal costs less than a poll.
      if (status !== 200) throw new Error(`a poll was answered ${status}`);
    }
  };
  const pollFor = (ms: number) => Promise.all(Array.from({ length: CLIENTS }, () => poll(performance.now() + ms)));
  await pollFor(SETTLE_MS);
  polls = 0;
  const beforePolls = read();
  await pollFor(POLL_FOR_MS);
  const perPoll = costBetween(beforePolls, read(), polls);
  const connections = (await countConnections(cluster)) / pids.length;

  const end = new AbortController();
  const streams = Array.from({ length: STREAMS }, (_, index) =>
    fetch(`${addresses[index % addresses.length]}/api/speech-to-text/${id}/events`, { headers, signal: end.signal })
      .then((response) => response.text())
      .then(
        () => 'ended',
        () => (end.signal.aborted ? 'open' : 'failed'),
      ),
  );
  await sleep(SETTLE_MS);
  const beforeStreams = read();
  await sleep(STREAM_FOR_MS);
  const perStreamSecond = costBetween(beforeStreams, read(), (STREAMS * STREAM_FOR_MS) / 1_000);
  end.abort();
  const ended = (await Promise.all(streams)).filter((outcome) => outcome !== 'open');
  if (ended.length > 0) throw new Error(`${ended.length} streams of events ended too early`);
  await request(`${addresses[0]}/api/speech-to-text/${id}`, { method: 'DELETE', headers });
  return { poll: perPoll, eventStreamSecond: perStreamSecond, connections };
}

function costBetween(before: Cost, after: Cost, count: number): Cost {
  return { api: (after.api - before.api) / count, postgres: (after.postgres - before.postgres) / count };
}

export function viewApiCosts({ poll, eventStreamSecond, connections }: ApiCosts): string {
  return (
    `CPU of the API + PostgreSQL: ${viewCost(poll)} for a poll, ${viewCost(eventStreamSecond)} for each second of a stream ` +
    `of events; ${connections} connections of an API process under polls`
  );
}

function viewCost({ api, postgres }: Cost): string {
  return `${(api * 1_000).toFixed(2)} + ${(postgres * 1_000).toFixed(2)} ms`;
}
