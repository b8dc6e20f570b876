import { setTimeout as sleep } from 'node:timers/promises';
import { goalOfZero, type Measurement } from '../../bench/report.ts';
import { request, requestIdOf, submission, waitForResult } from '#testbed/service/service.ts';
import { REQUESTS_PER_MINUTE, type Cluster } from './cluster.ts';
import { listRecords } from './list-records.ts';
import type { Keys, LoadResult } from './load.ts';
import type { Recording } from './recordings.ts';

const DELIVERED_WITHIN_MS = 120_000;
const SETTLED_WITHIN_MS = 1_000;

/** Texts of the recordings by the given language, before anything breaks. */
export async function referenceTexts(
  { addresses }: Cluster,
  key: string,
  recordings: readonly Recording[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const [baseUrl = ''] = addresses('api');
  for (const recording of recordings) {
    for (const language of [recording.language, 'auto']) {
      const fields = { api_key: key, language, context: crypto.randomUUID(), skip_fusion: 'true' };
      const id = requestIdOf(await request(`${baseUrl}/api/stt`, submission(recording.audio, fields)));
      const record = await waitForResult(baseUrl, id, { key, timeoutMs: 120_000 });
      texts.set(`${language} ${recording.seconds}`, String(record['transcription']));
    }
  }
  return texts;
}

/** Compares what clients got with what the cluster shows afterwards, over HTTP only. */
export async function verifyLoad(
  cluster: Cluster,
  keys: Keys,
  load: LoadResult,
  texts: ReadonlyMap<string, string>,
  killedMs: readonly number[],
): Promise<Measurement[]> {
  const { accepted, speech, scores, violations } = load;
  const languageOf = (work: (typeof accepted)[number]) => (isBatch(work) ? 'auto' : work.recording.language);
  const sizes = Map.groupBy(accepted, ({ name }) => name);
  const isBatch = ({ name }: { name: string }) => (sizes.get(name)?.length ?? 0) > 1;
  const textOf = (work: (typeof accepted)[number]) => texts.get(`${languageOf(work)} ${work.recording.seconds}`);
  const isRight = (work: (typeof accepted)[number]) =>
    work.record?.['status'] === 'completed' && work.record['transcription'] === textOf(work);
  const [baseUrl = ''] = cluster.addresses('api');
  const listed = await listRecords(baseUrl, keys.transcription);
  const acceptedIds = new Set(accepted.map(({ id }) => id));
  const credits = listed.reduce((total, { credits_used: used }) => total + (used ?? 0), 0);
  const owed = accepted.reduce((total, { recording }) => total + Math.ceil(recording.seconds), 0);
  const [usedSeconds, usedCharacters] = await settledUse(cluster, keys, credits);
  const followed = accepted.flatMap(({ events, record }) => (events === null ? [] : [{ events, record }]));
  const charged = (list: typeof speech) => list.reduce((total, work) => total + work.charged, 0);
  const complete = speech.filter(({ isComplete }) => isComplete);
  // A process that is killed before it settles the charge of a stream charges nothing.
  const isSettled = ({ arrivedMs, tookMs }: (typeof speech)[number]) =>
    killedMs.every((atMs) => Math.abs(atMs - arrivedMs - tookMs) > SETTLED_WITHIN_MS);
  const due = charged(complete.filter(isSettled));
  const delivered = await deliveries(cluster, accepted);
  for (const violation of violations.slice(0, 10)) console.error(`  ${violation}`);
  const problems = followed.flatMap(({ events }) => events.problems);
  for (const problem of problems.slice(0, 10)) console.error(`  events: ${problem}`);
  const wrong = accepted.filter((work) => work.record !== null && !isRight(work));
  for (const work of wrong.slice(0, 5)) console.error(`  wrong: ${JSON.stringify(work.record)} not ${textOf(work)}`);
  return [
    goalOfZero('answers that no client expects', violations.length),
    goalOfZero(
      `lost of ${accepted.length} accepted transcriptions`,
      accepted.filter(({ record }) => record === null).length,
    ),
    goalOfZero('transcriptions that failed or have a wrong text', wrong.length),
    goalOfZero(
      `records that no client was told of, of ${listed.length}`,
      listed.filter(({ request_id: id }) => !acceptedIds.has(id)).length - texts.size,
    ),
    goalOfZero('accepted transcriptions that the list lacks', acceptedIds.size + texts.size - listed.length),
    goalOfZero(`seconds of quota too many or too few, of ${credits}`, usedSeconds - credits),
    goalOfZero('credits other than one for each begun second', accepted.length === 0 ? 0 : creditsOf(accepted) - owed),
    {
      label: `characters charged for ${complete.length} complete and ${speech.length - complete.length} broken streams`,
      value: String(usedCharacters),
      goal: `${due} to ${charged(speech)}`,
      met: usedCharacters >= due && usedCharacters <= charged(speech),
    },
    goalOfZero('complete streams without sound', complete.filter(({ bytes }) => bytes === 0).length),
    goalOfZero(
      `different scores of one recording, of ${scores.length}`,
      new Set(scores.map(({ score }) => score)).size - 1,
    ),
    goalOfZero(
      `streams of events without the right end, of ${followed.length}`,
      followed.filter(({ events, record }) => events.end !== 'completed' || events.text !== record?.['transcription'])
        .length,
    ),
    goalOfZero('events out of order', problems.length),
    goalOfZero('records that were not delivered', delivered.missing),
    goalOfZero(`deliveries of one record under several ids, of ${delivered.count}`, delivered.severalIds),
  ];
}

/** Sends twice as many requests as a minute allows through both processes at once. */
export async function verifyRateLimit(cluster: Cluster, when: string): Promise<Measurement> {
  const key = await cluster.newKey('few');
  const addresses = cluster.addresses('api');
  const requests = Array.from({ length: REQUESTS_PER_MINUTE * 2 }, (_, index) =>
    request(`${addresses[index % addresses.length]}/api/usage`, { headers: { 'x-api-key': key } }),
  );
  const granted = (await Promise.all(requests)).filter(({ status }) => status === 200).length;
  return {
    label: `requests granted by both API processes together, ${when}`,
    value: String(granted),
    goal: String(REQUESTS_PER_MINUTE),
    met: granted === REQUESTS_PER_MINUTE,
  };
}

/** Seconds and characters used; waits for reservations of killed processes to be released. */
async function settledUse(
  cluster: Cluster,
  keys: Keys,
  credits: number,
): Promise<[seconds: number, characters: number]> {
  const [baseUrl = ''] = cluster.addresses('api');
  const used = async (key: string, quota: 'stt_seconds' | 'tts_characters') => {
    const { body } = await request(`${baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
    return (body['quotas'] as Record<typeof quota, { used: number }>)[quota].used;
  };
  for (let left = 60; left > 0 && (await used(keys.transcription, 'stt_seconds')) !== credits; left -= 1) {
    await sleep(1_000);
  }
  return [await used(keys.transcription, 'stt_seconds'), await used(keys.speech, 'tts_characters')];
}

async function deliveries({ receiver }: Cluster, accepted: LoadResult['accepted']) {
  const expected = new Set(accepted.map(({ id }) => id));
  const idsByRecord = () => {
    const ids = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.received) {
      const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(/"request_id":"([^"]+)"/.exec(body)?.[1] ?? '')?.[0] ?? '';
      ids.set(id, (ids.get(id) ?? new Set()).add(headers['webhook-id'] ?? ''));
    }
    return ids;
  };
  const missing = () => {
    const ids = idsByRecord();
    return [...expected].filter((id) => !ids.has(id)).length;
  };
  const deadlineMs = performance.now() + DELIVERED_WITHIN_MS;
  while (missing() > 0 && performance.now() < deadlineMs) await sleep(1_000);
  const severalIds = [...idsByRecord().values()].filter((ids) => ids.size > 1).length;
  return { missing: missing(), severalIds, count: receiver.received.length };
}

function creditsOf(accepted: LoadResult['accepted']): number {
  return accepted.reduce((total, { record }) => total + Number(record?.['credits_used'] ?? 0), 0);
}
