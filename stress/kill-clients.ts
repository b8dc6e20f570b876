import { setTimeout as sleep } from 'node:timers/promises';
import { request, requestIdOf, submission, type Service } from '#testbed/service/service.ts';

/**
 * A recording that a client wants to have transcribed; `id` is null until its submission is
 * answered.
 */
type Submitted = { name: string; id: string | null };

const PAUSE_MS = 40;

/**
 * Clients that send recordings one after the other. When the service dies before its answer, they
 * send the same again with the same Idempotency-Key, as a careful client does.
 */
export type KillClients = {
  readonly submitted: readonly Submitted[];
  /** The number of answered submissions. */
  accepted(): number;
  /** Sends the recordings without an answer again, then new ones, until the service dies. */
  sendUntilDead(service: Service): Promise<void>;
  /** Sends the recordings without an answer again. */
  sendUnanswered(service: Service): Promise<void>;
};

/** Each recording is delivered to an address of its own under `callbackBase`. */
export function createKillClients(clients: number, audio: Uint8Array, callbackBase: string): KillClients {
  const submitted: Submitted[] = [];
  const unanswered: Submitted[] = [];

  /** False when the service died first. */
  const send = async ({ baseUrl }: Service, entry: Submitted): Promise<boolean> => {
    // Every second recording is work of its own; the others join each other or are cached.
    const context = submitted.indexOf(entry) % 2 === 0 ? { context: entry.name } : {};
    const fields = { skip_fusion: 'true', callback_url: `${callbackBase}/${entry.name}`, ...context };
    const init = { ...submission(audio, fields), headers: { 'idempotency-key': entry.name } };
    try {
      const answer = await request(`${baseUrl}/api/stt`, init);
      if (answer.status === 200) entry.id = requestIdOf(answer);
    } catch {
      // The connection broke: the client does not know whether the request was accepted.
    }
    if (entry.id === null) unanswered.push(entry);
    return entry.id !== null;
  };
  const sendUnanswered = async (service: Service) => {
    for (const entry of unanswered.splice(0)) await send(service, entry);
  };
  const client = async (service: Service) => {
    const isOver = () => service.process.exitCode !== null || service.process.signalCode !== null;
    while (!isOver()) {
      const next = unanswered.shift() ?? { name: crypto.randomUUID(), id: null };
      if (!submitted.includes(next)) submitted.push(next);
      if (!(await send(service, next)) && isOver()) return;
      await sleep(PAUSE_MS);
    }
  };
  return {
    submitted,
    accepted: () => submitted.filter(({ id }) => id !== null).length,
    sendUnanswered,
    async sendUntilDead(service) {
      await Promise.all(Array.from({ length: clients }, () => client(service)));
    },
  };
}
