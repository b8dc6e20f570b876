import { setTimeout as sleep } from 'node:timers/promises';
import { request, submission, type Answer } from '#testbed/service/service.ts';
import { scoreRequest } from '#testbed/clients/pronunciation-scoring.ts';
import { anyVoice } from '../../bench/tts/client.ts';
import type { Cluster } from './cluster.ts';
import { followEvents, type FollowedEvents } from './follow-events.ts';
import type { Recording } from './recordings.ts';

/** A recording whose submission was answered. */
export type Accepted = {
  id: string;
  /** Last part of the address that its record is delivered to; null in a batch. */
  name: string;
  recording: Recording;
  arrivedMs: number;
  endedMs: number;
  record: Record<string, unknown> | null;
  events: FollowedEvents | null;
};

export type Speech = { arrivedMs: number; tookMs: number; charged: number; bytes: number; isComplete: boolean };

export type LoadResult = {
  accepted: Accepted[];
  speech: Speech[];
  scores: { arrivedMs: number; tookMs: number; score: number }[];
  /** Answers that no client expects, and clients that gave up. */
  violations: string[];
  /** Requests sent again after 503, 409 or a broken connection. */
  retries: number;
};

export type Keys = { transcription: string; speech: string };

const SENTENCE = '今日天氣好好，我哋去公園行下。';
const ATTEMPT_MS = 30_000;
const GIVE_UP_MS = 300_000;
const PAUSE_MS = 300;
/**
 * Statuses after which a careful client sends the same request again, besides the code
 * `outcome_unknown`.
 */
const PASSING: ReadonlySet<number> = new Set([409, 502, 503]);
const BATCH_SIZE = 3;

/** Sends requests of all kinds until `isOver`, then waits for the results of all. */
export async function sendLoad(
  cluster: Cluster,
  keys: Keys,
  recordings: readonly Recording[],
  isOver: () => boolean,
): Promise<LoadResult> {
  const result: LoadResult = { accepted: [], speech: [], scores: [], violations: [], retries: 0 };
  const startedMs = performance.now();
  const nowMs = () => performance.now() - startedMs;
  const voice = await anyVoice(cluster.addresses('api')[0] ?? '');

  /**
   * Sends a request to the processes of a role in turn until one answers; null after `GIVE_UP_MS`.
   */
  const ask = async (role: string, turn: number, what: string, send: (baseUrl: string) => Promise<Answer>) => {
    const deadlineMs = performance.now() + GIVE_UP_MS;
    for (let attempt = turn; performance.now() < deadlineMs; attempt += 1) {
      const addresses = cluster.addresses(role);
      const baseUrl = addresses[attempt % Math.max(1, addresses.length)];
      const answer = baseUrl === undefined ? null : await send(baseUrl).catch(() => null);
      if (answer?.status === 200) return answer;
      if (answer !== null && !PASSING.has(answer.status) && codeOf(answer) !== 'outcome_unknown') {
        result.violations.push(`${what}: status ${answer.status}, ${JSON.stringify(answer.body).slice(0, 200)}`);
        return null;
      }
      result.retries += 1;
      await sleep(PAUSE_MS);
    }
    result.violations.push(`${what}: not answered for ${GIVE_UP_MS / 1_000} s`);
    return null;
  };
  const headers = { 'x-api-key': keys.transcription };

  const poll = async (work: Accepted, turn: number) => {
    const deadlineMs = performance.now() + GIVE_UP_MS;
    while (performance.now() < deadlineMs) {
      const path = `/api/speech-to-text/get-result?id=${work.id}`;
      const answer = await ask('api', turn, 'poll', (baseUrl) => request(baseUrl + path, limited({ headers })));
      const record = answer?.body['transcription'] as Record<string, unknown> | undefined;
      if (record === undefined) return;
      if (record['status'] === 'completed' || record['status'] === 'failed') {
        work.record = record;
        work.endedMs = nowMs();
        return;
      }
      await sleep(PAUSE_MS);
    }
    result.violations.push(`transcription ${work.id} did not end within ${GIVE_UP_MS / 1_000} s`);
  };

  const transcribe = async (turn: number) => {
    const recording = recordings[turn % recordings.length]!;
    const name = crypto.randomUUID();
    const fields = {
      api_key: keys.transcription,
      language: recording.language,
      // A different context for every recording prevents a cached result.
      context: name,
      skip_fusion: 'true',
      callback_url: `${cluster.receiver.baseUrl}/${name}`,
    };
    const arrivedMs = nowMs();
    const init = () => limited({ ...submission(recording.audio, fields), headers: { 'idempotency-key': name } });
    const answer = await ask('api', turn, 'transcription', (baseUrl) => request(`${baseUrl}/api/stt`, init()));
    if (answer === null) return;
    const id = (answer.body['data'] as { request_id: string }).request_id;
    const work: Accepted = { id, name, recording, arrivedMs, endedMs: 0, record: null, events: null };
    result.accepted.push(work);
    // The record is read from the process that did not accept the recording.
    if (turn % 2 === 0) {
      work.events = await followEvents(() => cluster.addresses('api').toReversed(), turn, id, keys.transcription);
      work.endedMs = nowMs();
    }
    await poll(work, turn + 1);
  };

  const transcribeBatch = async (turn: number) => {
    const name = crypto.randomUUID();
    const batch = Array.from({ length: BATCH_SIZE }, (_, index) => recordings[index % recordings.length]!);
    const arrivedMs = nowMs();
    const init = () => {
      const form = new FormData();
      form.append('api_key', keys.transcription);
      form.append('context', name);
      form.append('language', 'auto');
      form.append('skip_fusion', 'true');
      form.append('callback_url', `${cluster.receiver.baseUrl}/${name}`);
      for (const { audio } of batch) form.append('data', new Blob([new Uint8Array(audio)]), 'recording.wav');
      return limited({ method: 'POST', body: form, headers: { 'idempotency-key': name } });
    };
    const answer = await ask('api', turn, 'batch', (baseUrl) => request(`${baseUrl}/api/stt`, init()));
    if (answer === null) return;
    const { transcriptions } = answer.body['data'] as { transcriptions: { request_id: string }[] };
    if (transcriptions.length !== BATCH_SIZE) result.violations.push(`a batch has ${transcriptions.length} records`);
    const list = transcriptions.map(({ request_id: id }, index): Accepted => {
      const recording = batch[index]!;
      return { id, name, recording, arrivedMs, endedMs: 0, record: null, events: null };
    });
    result.accepted.push(...list);
    for (const work of list) await poll(work, turn + 1);
  };

  const speak = async (turn: number) => {
    const arrivedMs = nowMs();
    const speech: Speech = { arrivedMs, tookMs: 0, charged: 0, bytes: 0, isComplete: false };
    const body = JSON.stringify({ api_key: keys.speech, text: SENTENCE, voice_id: voice });
    const json = { 'content-type': 'application/json' };
    const send = async (baseUrl: string): Promise<Answer> => {
      const response = await fetch(`${baseUrl}/api/tts-stream`, limited({ method: 'POST', headers: json, body }));
      if (response.status !== 200) {
        const refused = (await response.json().catch(() => ({}))) as Answer['body'];
        return { status: response.status, headers: response.headers, body: refused };
      }
      speech.charged = Number(response.headers.get('x-characters-charged'));
      result.speech.push(speech);
      try {
        for await (const chunk of response.body ?? []) speech.bytes += (chunk as Uint8Array).length;
        speech.isComplete = true;
      } catch {
        // The process died; the client would ask for the speech again.
      }
      speech.tookMs = nowMs() - arrivedMs;
      return { status: 200, headers: response.headers, body: {} };
    };
    await ask('speak', turn, 'speech', send);
  };

  const scored = recordings[0]!;
  const score = async (turn: number) => {
    const arrivedMs = nowMs();
    const fields = { api_key: keys.speech, text: SENTENCE };
    const send = (baseUrl: string) =>
      request(`${baseUrl}/api/score-pronunciation`, limited(scoreRequest(scored.audio, fields)));
    const answer = await ask('score', turn, 'score', send);
    if (answer === null) return;
    result.scores.push({ arrivedMs, tookMs: nowMs() - arrivedMs, score: Number(answer.body['score']) });
  };

  const client = async (send: (turn: number) => Promise<void>, first: number) => {
    for (let turn = first; !isOver(); turn += 1) {
      await send(turn);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([
    client(transcribe, 0),
    client(transcribe, 1),
    client(transcribe, 2),
    client(transcribeBatch, 0),
    client(speak, 0),
    client(score, 0),
  ]);
  return result;
}

function limited(init: RequestInit): RequestInit {
  return { ...init, signal: AbortSignal.timeout(ATTEMPT_MS) };
}

function codeOf({ body }: Answer): string | undefined {
  return (body['error'] as { code?: string } | undefined)?.code;
}
