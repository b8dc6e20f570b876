import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'oxlint';

/**
 * Who may import whom (ARCHITECTURE.md). A module may import itself, npm packages and what its row
 * lists; every other import between modules is refused.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  concurrency: ['contracts'],
  numeric: [],
  system: [],
  text: ['concurrency', 'contracts', 'numeric'],
  audio: ['concurrency', 'contracts', 'numeric'],
  client: [],
  engines: ['audio', 'concurrency', 'contracts', 'numeric', 'system', 'text'],
};

const SERVER: Readonly<Record<string, { modules: readonly string[]; packages: readonly string[] }>> = {
  config: { modules: [], packages: ['contracts', 'engines', 'numeric'] },
  telemetry: { modules: [], packages: ['contracts'] },
  certificates: { modules: ['config', 'telemetry'], packages: [] },
  models: { modules: ['config', 'telemetry'], packages: ['contracts', 'engines'] },
  process: { modules: ['config', 'store'], packages: ['concurrency', 'contracts', 'system'] },
  wiring: {
    modules: ['config', 'features', 'store', 'telemetry', 'workers'],
    packages: ['audio', 'concurrency', 'contracts', 'engines'],
  },
  features: { modules: [], packages: ['audio', 'concurrency', 'contracts', 'numeric', 'text'] },
  store: { modules: ['config'], packages: ['concurrency', 'contracts', 'system'] },
  queue: { modules: ['config', 'store'], packages: ['concurrency', 'contracts', 'system'] },
  jobs: { modules: ['features', 'store', 'queue', 'telemetry'], packages: ['audio', 'concurrency', 'contracts'] },
  mcp: { modules: [], packages: ['client'] },
  http: {
    modules: ['config', 'features', 'mcp', 'store', 'queue', 'telemetry', 'workers'],
    packages: ['audio', 'client', 'concurrency', 'contracts', 'numeric', 'system', 'text'],
  },
  workers: {
    modules: ['features', 'telemetry'],
    packages: ['audio', 'concurrency', 'contracts', 'engines', 'system', 'text'],
  },
};

/**
 * Folders beside the packages and the server, and which of the others each may import; all of them
 * may import the packages. `test` may import every folder, and no folder imports `test`.
 */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  bench: ['eval', 'scripts', 'testbed'],
  cli: [],
  eval: ['cli', 'scripts', 'testbed', 'training'],
  examples: [],
  scripts: ['testbed'],
  stress: ['bench', 'scripts', 'testbed'],
  testbed: [],
  training: ['eval', 'testbed'],
};

/** Folders of packages/engines that are not an engine. */
const ENGINE_SUPPORT = ['runtime', 'node_modules'];

const TEST_FILES = ['**/*.test.ts'];

type Pattern = { regex: string; message: string; allowTypeImports?: boolean };

/**
 * Refuses the modules of `all` that are not in `allowed`. Spelt out, because the linter's regular
 * expressions have no lookahead.
 */
function refuse(prefix: string, all: readonly string[], allowed: readonly string[], message: string): Pattern[] {
  const refused = all.filter((name) => !allowed.includes(name));
  return refused.length === 0 ? [] : [{ regex: `^${prefix}(?:${refused.join('|')})(?:/|$)`, message }];
}

const foldersIn = (path: string) =>
  readdirSync(join(import.meta.dirname, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => entry.name);

const ALL_PACKAGES = [...foldersIn('packages'), 'server', 'cli', 'console'];
const ALL_SERVER_MODULES = foldersIn('server');
const ALL_ENGINES = foldersIn('packages/engines').filter((name) => !ENGINE_SUPPORT.includes(name));

const NO_PARENT: Pattern = {
  regex: '^\\.\\./',
  message: 'Import from another folder by its name (#folder/file.ts), so that the module is visible.',
};
const NO_ENTRY: Pattern = {
  regex: '(?:^|/)(?:main|service|worker-main)\\.ts$',
  message: 'Entry files and wiring are imported by nothing.',
};
const TASKS_ONLY: Pattern = {
  regex: '^#workers/(?:pool/|[^/]+$)',
  allowTypeImports: true,
  message: 'Of server/workers, other modules may import only the tasks, and types.',
};
/**
 * The modules of packages/audio that load FFmpeg, but for the encoder of streamed speech, which
 * server/http imports when it is needed. test/repository/listening-process.test.ts compares the
 * list with the files.
 */
export const FFMPEG_MODULES = [
  'decode',
  'decode-stream',
  'encoding/codec-packets',
  'encoding/cut-clips',
  'encoding/render-speech-file',
  'opus-decoder',
  'probe',
  'resample',
  'speech/read-speech',
  'voice/measure-voice-sample',
  'voice/several-voices',
];
const NO_FFMPEG: Pattern = {
  regex: `^@jyutsing/audio/(?:${FFMPEG_MODULES.join('|')})$`,
  allowTypeImports: true,
  message: 'The process that listens does not load FFmpeg, not even when it is needed: call a task of server/workers.',
};
/** Modules of the server that run in the process that listens and in no worker process. */
const LISTENING_MODULES = ['http', 'jobs', 'wiring'];

/** Features receive the tables as they receive engines; no query is within their reach. */
const TABLE_TYPES_ONLY: Pattern[] = [
  { regex: '^#store/(?:[^/]+$|migrations/)', message: 'Features receive the tables and do not import the store.' },
  {
    regex: '^#store/repositories/',
    allowTypeImports: true,
    message: 'Features may import only the types of the tables.',
  },
];
const NO_REPOSITORY_TOOLS: Pattern = {
  regex: '^#(?:server|packages|test|testbed)/',
  message: 'Only tests and repository tools may reach into another module.',
};

const restrict = (files: string[], patterns: Pattern[], excludeFiles: string[] = []) => ({
  files,
  excludeFiles,
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', { patterns: Pattern[] }] },
});

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) =>
  restrict(
    [`packages/${name}/**/*.ts`],
    [
      ...refuse(
        '@jyutsing/',
        ALL_PACKAGES,
        allowed,
        `packages/${name} may import only: ${allowed.join(', ') || 'nothing of ours'}.`,
      ),
      NO_PARENT,
      NO_REPOSITORY_TOOLS,
    ],
    TEST_FILES,
  ),
);

const engineRules = ALL_ENGINES.map((name) =>
  restrict(
    [`packages/engines/${name}/**/*.ts`],
    [
      ...refuse(
        '@jyutsing/',
        ALL_PACKAGES,
        PACKAGES['engines'] ?? [],
        'An engine may import only: contracts, concurrency, numeric, system, text, audio.',
      ),
      ...refuse('#engines/', ALL_ENGINES, [name], 'An engine may not import another engine.'),
      { regex: '^#engines/[^/]+$', message: 'An engine may not import the registry.' },
      NO_PARENT,
      NO_REPOSITORY_TOOLS,
    ],
    TEST_FILES,
  ),
);

const serverRules = Object.entries(SERVER).map(([name, { modules, packages }]) =>
  restrict(
    [`server/${name}/**/*.ts`],
    [
      ...refuse(
        '@jyutsing/',
        ALL_PACKAGES,
        packages,
        `server/${name} may import only these packages: ${packages.join(', ')}.`,
      ),
      ...refuse(
        '#',
        ALL_SERVER_MODULES,
        [name, ...modules, ...(name === 'features' ? ['store'] : [])],
        `server/${name} may import only: ${[name, ...modules].join(', ')}.`,
      ),
      ...(name === 'http' ? [TASKS_ONLY] : []),
      ...(LISTENING_MODULES.includes(name) ? [NO_FFMPEG] : []),
      ...(name === 'features' ? TABLE_TYPES_ONLY : []),
      NO_REPOSITORY_TOOLS,
      NO_PARENT,
      NO_ENTRY,
    ],
    TEST_FILES,
  ),
);

const ALL_TOOLS = [...Object.keys(TOOLS), 'console', 'test'];
const toolRules = Object.entries(TOOLS).map(([name, allowed]) => {
  const others = ALL_TOOLS.filter((tool) => tool !== name);
  const message = `${name}/ may import only the packages${allowed.length === 0 ? '' : ` and: ${allowed.join(', ')}`}.`;
  return restrict(
    [`${name}/**/*.ts`],
    [
      ...refuse('(?:\\.\\./)+', others, allowed, message),
      ...refuse('#', ['test', 'testbed'], [name, ...allowed], message),
    ],
    TEST_FILES,
  );
});

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'node', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'unicorn/prefer-node-protocol': 'error',
    'no-console': 'error',
    'max-lines': ['error', { max: 400 }],
    'max-params': ['error', { max: 5 }],
    'max-lines-per-function': ['error', { max: 80, skipComments: true, skipBlankLines: true }],
    'no-await-in-loop': 'off',
    'import/no-unassigned-import': 'off',
    'no-shadow': 'off',
    'unicorn/no-array-sort': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'promise/always-return': 'off',
  },
  overrides: [
    // Settings reach everything else as values, so that a test or a second service in one process
    // can have its own.
    {
      files: ['packages/**/*.ts', 'server/**/*.ts'],
      excludeFiles: [
        ...TEST_FILES,
        'server/config/**',
        'packages/client/environment.ts',
        // A native library reads it.
        'packages/engines/runtime/onnx.ts',
      ],
      rules: { 'node/no-process-env': 'error' },
    },
    restrict(
      ['console/**/*.{ts,tsx}'],
      [
        ...refuse('@jyutsing/', ALL_PACKAGES, ['client'], 'The console may import only the client.'),
        NO_REPOSITORY_TOOLS,
        NO_PARENT,
      ],
      TEST_FILES,
    ),
    // A screen is one function of its state, most of it elements.
    {
      files: ['console/**/*.tsx'],
      rules: { 'max-lines-per-function': ['error', { max: 100, skipComments: true, skipBlankLines: true }] },
    },
    ...packageRules,
    ...engineRules,
    ...serverRules,
    ...toolRules,
    restrict(['server/*.ts'], [NO_FFMPEG, NO_REPOSITORY_TOOLS], TEST_FILES),
    {
      files: [
        ...TEST_FILES,
        'test/**',
        'testbed/**',
        'bench/**',
        'eval/**',
        'stress/**',
        'training/**',
        'scripts/**',
        'cli/**',
        'examples/**',
      ],
      rules: { 'max-lines-per-function': 'off', 'no-console': 'off' },
    },
  ],
  ignorePatterns: ['node_modules', 'data', 'docs', 'packages/client/api.ts', 'packages/client/dist'],
});
