import { setTimeout as sleep } from 'node:timers/promises';

export type FollowedEvents = {
  /** Status of the last event; null when none came in time. */
  end: string | null;
  /** Text of the record in the last event. */
  text: string | null;
  connections: number;
  /** Faults in the events of one connection. */
  problems: string[];
};

const ATTEMPT_MS = 60_000;
const GIVE_UP_MS = 300_000;
const PAUSE_MS = 300;

/**
 * Follows a transcription to its last event, connecting again after each broken connection. Within
 * one connection the processed seconds must not fall and nothing may follow the end.
 */
export async function followEvents(
  addresses: () => readonly string[],
  turn: number,
  id: string,
  key: string,
): Promise<FollowedEvents> {
  const followed: FollowedEvents = { end: null, text: null, connections: 0, problems: [] };
  const deadlineMs = performance.now() + GIVE_UP_MS;
  for (let attempt = turn; performance.now() < deadlineMs && followed.end === null; attempt += 1) {
    const running = addresses();
    const baseUrl = running[attempt % Math.max(1, running.length)];
    if (baseUrl !== undefined) await readStream(`${baseUrl}/api/speech-to-text/${id}/events`, key, followed);
    if (followed.end === null) await sleep(PAUSE_MS);
  }
  return followed;
}

async function readStream(url: string, key: string, followed: FollowedEvents): Promise<void> {
  let unread = '';
  let processed = 0;
  try {
    const response = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(ATTEMPT_MS) });
    if (response.status === 503) return;
    if (response.status !== 200) {
      followed.problems.push(`status ${response.status}`);
      return;
    }
    followed.connections += 1;
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (unread + chunk).split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) processed = readEvent(block, processed, followed);
    }
  } catch {
    // The process died, or the connection took too long; a client connects again.
  }
}

/** Returns the processed seconds after the event. */
function readEvent(block: string, processed: number, followed: FollowedEvents): number {
  const name = /^event: ?(.*)$/m.exec(block)?.[1];
  const data = /^data: ?(.*)$/m.exec(block)?.[1];
  if (name === undefined || data === undefined) return processed;
  const value = JSON.parse(data) as Record<string, unknown>;
  if (followed.end !== null) followed.problems.push(`${name} after the end`);
  // The stream failed, not the transcription: a client connects again.
  if (name === 'error' && (value['error'] as { code?: string }).code === 'service_unavailable') return 0;
  if (name !== 'progress') {
    followed.end = name;
    followed.text = String(value['transcription']);
    return processed;
  }
  const now = Number(value['processed_s']);
  // After the death of a process another one begins again.
  if (now < processed && now !== 0) followed.problems.push(`progress fell from ${processed} s to ${now} s`);
  return now;
}
