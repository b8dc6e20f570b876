import { PROGRAM_VARIABLES } from '@jyutsing/contracts/engine';

/** Variables of the system, of Node.js and of the libraries that compute; none holds a secret. */
const SYSTEM = [
  ...PROGRAM_VARIABLES,
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMP',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'OMP_NUM_THREADS',
  'CUDA_VISIBLE_DEVICES',
  'NVIDIA_VISIBLE_DEVICES',
  'NVIDIA_DRIVER_CAPABILITIES',
];

/** Variables for requests to other servers, which may hold passwords of a proxy or a receiver. */
const NETWORK = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'NODE_USE_ENV_PROXY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
];

/**
 * The environment of processes that read files of strangers. The keys, passwords and addresses of
 * the service are not in it. `dials`: whether the process makes requests to other servers.
 */
export function workerEnvironment(present: NodeJS.ProcessEnv, { dials }: { dials: boolean }): NodeJS.ProcessEnv {
  const names = dials ? [...SYSTEM, ...NETWORK] : SYSTEM;
  const kept = Object.fromEntries(names.flatMap((name) => (present[name] ? [[name, present[name]]] : [])));
  // By default glibc keeps a heap for each thread of a decoder or a model, up to 70 MB each,
  // and what a model needed while it was opened: 100 MB of the listener. With the threshold of the
  // service itself (scripts/run.js) models spend a quarter of their time on new pages.
  return { ...kept, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };
}
