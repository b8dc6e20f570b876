import { join } from 'node:path';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { OWNER_KEY, temporaryFolder } from '#testbed/service/service.ts';
import { startWithNpm } from '../bench/npm-service.ts';
import { generousPlan } from '../bench/plan.ts';
import type { Measurement } from '../bench/report.ts';

const HEALTH_GOAL_MS = 250;
const PROBES_BESIDE_A_REQUEST = 3;
/** The first requests compile code and load modules. */
const WARM_UP_STEPS = 40;
/** Requests slower than this are not waited for: they wait for models, not for the event loop. */
const WATCHED_MS = 10_000;
/** Shares of the steps that vary the slowest request so far. */
const CLIMBING_SHARE = 0.5;
/** Characters, or elements of a list. */
const LENGTHS = [0, 1, 40, 1_000, 5_000, 20_000, 200_000, 1_000_000];
/** Parts of texts that normalization, SSML, readings and patterns look at. */
const PARTS = ['字', 'a', '1', ' ', '。', '9'.repeat(9), '<break time="1ms"/>', '&amp;', '"\\', '\u0301', '𠮷', '(('];

type Schema = { $ref?: string; type?: string | string[]; enum?: unknown[]; items?: Schema; maxItems?: number } & {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
};
type Operation = { method: string; path: string; schema: Schema | null };
type Attempt = { operation: Operation; body: string | null; costMs: number };
type Random = ReturnType<typeof randomFrom>;

/**
 * Searches all routes of /openapi.json for the request that holds the event loop longest. A body is
 * made from its schema; the search varies what was slowest. The same requests for the same seed and
 * the same delays.
 */
export async function searchWorst({ steps, seed }: { steps: number; seed: number }): Promise<Measurement[]> {
  await using folder = await temporaryFolder();
  const service = await startWithNpm(join(folder.path, 'data'), { PLANS_FILE: await generousPlan(folder.path) });
  try {
    const random = randomFrom(seed);
    const document = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Document;
    const operations = operationsOf(document);
    const healthMs: number[] = [];
    let worst: Attempt | null = null;
    let errors = 0;
    for (let step = -WARM_UP_STEPS; step < steps; step += 1) {
      const climbs: boolean = worst !== null && random() < CLIMBING_SHARE;
      const operation: Operation = climbs ? worst!.operation : operations[Math.abs(step) % operations.length]!;
      const body = operation.schema === null ? null : JSON.stringify(valueOf(operation.schema, document, random));
      const attempt = { operation, body, costMs: 0 };
      const status = await measure(service.baseUrl, attempt, healthMs);
      if (step < 0) healthMs.length = 0;
      if (status >= 500 && status !== 503) errors += 1;
      if (step >= 0 && attempt.costMs > (worst?.costMs ?? 0)) worst = attempt;
    }
    const sorted = healthMs.toSorted((a, b) => a - b);
    const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    if (worst !== null) console.error(`  slowest: ${describe(worst)}`);
    return [
      {
        label: `/health beside ${steps} requests to ${operations.length} routes, 99th percentile`,
        value: `${p99Ms.toFixed(0)} ms`,
        goal: `≤ ${HEALTH_GOAL_MS} ms`,
        met: p99Ms <= HEALTH_GOAL_MS,
      },
      { label: 'server errors', value: String(errors), goal: '0', met: errors === 0 },
    ];
  } finally {
    await service.stop();
  }
}

type Document = {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>>;
  components?: { schemas?: Record<string, Schema> };
};

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'some'),
      schema: requestBody?.content?.['application/json']?.schema ?? null,
    })),
  );
}

function valueOf(schema: Schema, document: Document, random: Random, depth = 0): unknown {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  if (schema.$ref !== undefined) {
    const named = document.components?.schemas?.[schema.$ref.split('/').at(-1)!];
    return named === undefined || depth > 8 ? null : valueOf(named, document, random, depth + 1);
  }
  if (schema.anyOf !== undefined) return valueOf(pick(schema.anyOf), document, random, depth + 1);
  if (schema.enum !== undefined) return pick(schema.enum);
  const type = [schema.type ?? 'string'].flat()[0];
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'api_key');
    return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field, document, random, depth + 1)]));
  }
  if (type === 'array') {
    const length = Math.min(pick(LENGTHS), 20_000);
    const element = valueOf(schema.items ?? {}, document, random, depth + 1);
    const size = JSON.stringify(element ?? null).length;
    return Array.from({ length: Math.min(length, Math.ceil(4_000_000 / size)) }, () => element);
  }
  if (type === 'boolean') return random() < 0.5;
  if (type === 'integer' || type === 'number') return pick([0, 1, 2, 1e9]);
  const part = pick(PARTS);
  return part.repeat(Math.ceil(pick(LENGTHS) / part.length));
}

/** Sends a request, probes /health meanwhile, and reads the longest delay of the event loop. */
async function measure(baseUrl: string, attempt: Attempt, healthMs: number[]): Promise<number> {
  const { method, path } = attempt.operation;
  await lagMs(baseUrl);
  const headers = { 'x-api-key': OWNER_KEY, ...(attempt.body === null ? {} : { 'content-type': 'application/json' }) };
  const answering = fetch(baseUrl + path, {
    method,
    headers,
    body: attempt.body,
    signal: AbortSignal.timeout(WATCHED_MS),
  })
    .then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    })
    .catch(() => 0);
  for (let probe = 0; probe < PROBES_BESIDE_A_REQUEST; probe += 1) {
    const startedMs = performance.now();
    await (await fetch(`${baseUrl}/health`)).arrayBuffer();
    healthMs.push(performance.now() - startedMs);
  }
  const status = await answering;
  attempt.costMs = await lagMs(baseUrl);
  return status;
}

/** The longest delay since the last call. */
async function lagMs(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? 0) * 1_000;
}

function describe({ operation: { method, path }, body, costMs }: Attempt): string {
  return `${costMs.toFixed(0)} ms for ${method} ${path} ${(body ?? '').slice(0, 300)} (${body?.length ?? 0} characters)`;
}
