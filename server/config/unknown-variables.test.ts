import { describe, expect, it } from 'vitest';
import { describeUnknownVariables } from './unknown-variables.ts';
import { VARIABLES } from './variables.ts';

/** Names so short that a slip may well be a variable of another program. */
const SHORT = ['HOST', 'PORT', 'TLS'];
const longNames = Object.keys(VARIABLES).filter((name) => !SHORT.includes(name));
/**
 * Variables that processes find in their environment although they are meant for other programs.
 */
const OTHERS = {
  'a shell': `PATH HOME USER LOGNAME SHELL SHLVL PWD OLDPWD TERM COLORTERM LANG LANGUAGE LC_ALL LC_CTYPE TZ EDITOR VISUAL
    PAGER LESS LS_COLORS MAIL MAILCHECK DISPLAY XAUTHORITY HISTFILE HISTSIZE PS1 IFS _ UID EUID PPID BASH BASH_ENV ENV
    HOSTTYPE MACHTYPE OSTYPE SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK SUDO_USER SUDO_UID SUDO_GID SUDO_COMMAND
    TMPDIR TEMP TMP XDG_RUNTIME_DIR XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_SESSION_ID
    DBUS_SESSION_BUS_ADDRESS NO_COLOR FORCE_COLOR CLICOLOR COLUMNS LINES CDPATH MANPATH INFOPATH WSLENV
    VIRTUAL_ENV CONDA_PREFIX PYTHONPATH JAVA_HOME GOPATH LD_LIBRARY_PATH LD_PRELOAD MALLOC_ARENA_MAX`,
  'a container': `HOSTNAME container PORTS XPORT HTTP_PORT HTTPS_PORT ADMIN_PORT HTTP_PROXY HTTPS_PROXY NO_PROXY
    ALL_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
    POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_HOST PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA
    PGSSLMODE MYSQL_HOST MYSQL_DATABASE DATABASE_NAME DATABASE_HOST DATABASE_USER DATABASE_PASSWORD DB_URL DB_HOST
    REDIS_URL REDIS_HOST MINIO_ROOT_USER MINIO_ROOT_PASSWORD ROOT_ACCESS_KEY ROOT_SECRET_KEY
    AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ENDPOINT_URL
    AWS_ENDPOINT_URL_S3 AWS_S3_BUCKET AWS_CA_BUNDLE AWS_PROFILE GOOGLE_APPLICATION_CREDENTIALS OPENAI_API_KEY
    OPENAI_BASE_URL ANTHROPIC_API_KEY HF_HOME HF_TOKEN CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES
    NVIDIA_DRIVER_CAPABILITIES OMP_NUM_THREADS OPENBLAS_NUM_THREADS ORT_LOGGING_LEVEL SENTRY_DSN SENTRY_ENVIRONMENT
    LOG_FORMAT LOG_FILE DEBUG VERBOSE ENVIRONMENT VERSION SECRET_KEY API_KEY CONFIG_FILE CACHE_DIR WORKDIR WORKSPACE
    DOMAIN TIMEOUT USERS ROUTES WEB_CONCURRENCY CI GITHUB_ACTIONS DOCKER_HOST COMPOSE_PROJECT_NAME`,
  'Node.js and npm': `NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE NODE_DEBUG
    NODE_TLS_REJECT_UNAUTHORIZED NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_NO_WARNINGS YARN_VERSION
    UV_THREADPOOL_SIZE INIT_CWD npm_command npm_config_cache npm_config_user_agent npm_config_registry npm_execpath
    npm_lifecycle_event npm_lifecycle_script npm_node_execpath npm_package_json npm_package_name npm_package_version
    NPM_CONFIG_LOGLEVEL NPM_CONFIG_CACHE NPM_TOKEN NVM_DIR NVM_BIN COREPACK_HOME VITEST VITEST_POOL_ID TEST`,
  systemd: `INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID SYSTEMD_UNIT_PATH NOTIFY_SOCKET LISTEN_PID LISTEN_FDS
    LISTEN_FDNAMES WATCHDOG_PID WATCHDOG_USEC MAINPID MANAGERPID STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY
    CONFIGURATION_DIRECTORY RUNTIME_DIRECTORY CREDENTIALS_DIRECTORY MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE
    SERVICE_RESULT EXIT_CODE EXIT_STATUS`,
  Kubernetes: `KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT
    KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_PROTO KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_ADDR
    POD_NAME POD_NAMESPACE POD_IP NODE_NAME NAMESPACE SERVICE_ACCOUNT HOST_IP GOMEMLIMIT GOMAXPROCS`,
  OpenTelemetry: `OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_COMPRESSION
    OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_PROTOCOL OTEL_TRACES_SAMPLER OTEL_TRACES_EXPORTER
    OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_RESOURCE_ATTRIBUTES OTEL_SDK_DISABLED`,
  'other names': 'stt_engine AWS_STT_ENGINE __proto__ constructor',
};
const describeOne = (name: string) => describeUnknownVariables({ [name]: 'x' })[0] ?? null;

describe('a variable that the service does not have', () => {
  it.each([
    ['STT_ENGNE', 'STT_ENGINE'],
    ['TTS_BASEURL', 'TTS_BASE_URL'],
    ['S3_BUKET', 'S3_BUCKET'],
    ['MODELS_AUTOPULL', 'MODELS_AUTO_PULL'],
    ['LLM_MODEL_NAME', null],
    ['WORKER_COUNT', null],
    ['STTENGINE', 'STT_ENGINE'],
    ['RETENTION_DAY', 'RETENTION_DAYS'],
    ['RETENTIONDAYS', 'RETENTION_DAYS'],
    ['RETENTION_DYAS', 'RETENTION_DAYS'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['WEBHOOK_ALLOW_PRIVATE', 'WEBHOOKS_ALLOW_PRIVATE'],
    ['KEEP_AUDIOS', 'KEEP_AUDIO'],
    ['MODEL_AUTO_PULL', 'MODELS_AUTO_PULL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['WORKER', 'WORKERS'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ])('%s may have been meant as %s', (name, intendedName) => {
    const hint = intendedName === null ? '.' : `; did you mean ${intendedName}?`;
    expect(describeOne(name)).toBe(`${name} is not a variable of jyutsing and is ignored${hint}`);
  });

  it.each(Object.entries(OTHERS))('is not reported when it is one of %s', (_, names) => {
    const environment = Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x']));
    expect(describeUnknownVariables(environment)).toEqual([]);
  });

  it.each(['jyutsing', 'worker', 'models', 'stt', 's3', 'metric', 'tts-speak'])(
    'is not reported when Kubernetes sets it for a service named %s',
    (service) => {
      const prefix = service.toUpperCase().replaceAll('-', '_');
      const address = 'tcp://10.96.0.12:80';
      const environment = {
        [`${prefix}_SERVICE_HOST`]: '10.96.0.12',
        [`${prefix}_SERVICE_PORT`]: '80',
        [`${prefix}_SERVICE_PORT_HTTP`]: '80',
        [`${prefix}_PORT`]: address,
        [`${prefix}_PORT_80_TCP`]: address,
        [`${prefix}_PORT_80_TCP_PROTO`]: 'tcp',
        [`${prefix}_PORT_80_TCP_PORT`]: '80',
        [`${prefix}_PORT_80_TCP_ADDR`]: '10.96.0.12',
      };
      expect(describeUnknownVariables(environment)).toEqual([]);
    },
  );

  it('is reported although its name ends like one of Kubernetes', () => {
    expect(describeOne('METRIC_PORT')).toContain('did you mean METRICS_PORT?');
  });

  it('is reported for each name, in order, without its value', () => {
    const environment = { STT_ENGINE: 'auto', STT_X: 'secret-1', PATH: '/bin', TTS_X: 'secret-2' };
    const sentences = describeUnknownVariables(environment);
    expect(sentences.map((sentence) => sentence.split(' ')[0])).toEqual(['STT_X', 'TTS_X']);
    expect(sentences.join(' ')).not.toContain('secret');
  });
});

describe('a slip of one letter', () => {
  /** All names that differ from a known one by a missing, another or a misplaced letter. */
  const slips = longNames.flatMap((name) =>
    Array.from({ length: name.length }, (_, at) => at).flatMap((at) => [
      [name, name.slice(0, at) + name.slice(at + 1)] as const,
      [name, `${name.slice(0, at)}#${name.slice(at + 1)}`] as const,
      [name, name.slice(0, at) + (name[at + 1] ?? '') + name[at] + name.slice(at + 2)] as const,
    ]),
  );

  it('in any name is told with that name', () => {
    expect(longNames.length).toBeGreaterThan(80);
    const wrong = slips.filter(
      ([name, slip]) => !Object.hasOwn(VARIABLES, slip) && describeOne(slip)?.includes(name) !== true,
    );
    expect(wrong).toEqual([]);
  });
});

it('the variables of the service are none of them', () => {
  expect(describeUnknownVariables(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'x'])))).toEqual([]);
});
