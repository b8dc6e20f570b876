import { isIP } from 'node:net';
import { z } from 'zod';
import { integer, oneOf, optionalPort, optionalText, text } from '@jyutsing/engines/runtime/variable-types';
import { isLoopback } from './loopback.ts';

const MIB = 1024 ** 2;
/** Names of address ranges that the proxy rules know. */
const RANGE_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const words = (list: string) =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Variables of connections, uploads and access from browsers. */
export const HTTP = {
  TRUST_PROXY: z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine((text) => isHopCount(text) || words(text).every(isRange))
    .transform((text) => (isHopCount(text) ? Number(text === 'false' ? 0 : text) : words(text)))
    .default(0)
    .meta({
      type: `a number of proxies, or a list of their addresses, ranges (10.0.0.0/8) or names (${RANGE_NAMES.join(', ')})`,
    })
    .describe(
      'Whose `X-Forwarded-For` is believed. With a number, clients must not reach the service past the proxies. `true` is refused: any client could then pretend to have any address.',
    ),
  CORS_ORIGINS: z
    .string()
    .transform((list) => words(list.toLowerCase()))
    .refine((list) => list.every(isOrigin))
    .default([])
    .meta({ type: '`*`, or a list of origins such as https://app.example', default: 'none' })
    .describe('Origins whose pages may call the service from a browser; `*`: every origin.'),
  TLS_CERT_FILE: optionalText().describe(
    'Certificate chain in PEM; with TLS_KEY_FILE the service speaks https and wss itself.',
  ),
  TLS_KEY_FILE: optionalText().describe('Private key of the certificate in PEM; with TLS_CERT_FILE.'),
  TLS: oneOf('off', ['off', 'self-signed']).describe(
    '`self-signed`: https with a certificate that the service makes for development and keeps in DATA_DIR; browsers warn of it.',
  ),
  METRICS_PORT: optionalPort().describe(
    'Port on which `/metrics` is served instead, without a key. Absent: on PORT, for everyone when HOST is a loopback address, else for keys with the scope `admin`.',
  ),
  METRICS_HOST: text('127.0.0.1').describe('Address to listen on for METRICS_PORT.'),
  WYOMING_PORT: optionalPort().describe(
    'Port on which Home Assistant and other clients of the Wyoming protocol are served; with WYOMING_API_KEY. Absent: none.',
  ),
  WYOMING_HOST: text('127.0.0.1').describe(
    'Address to listen on for WYOMING_PORT. The protocol has no keys and no encryption: everyone who reaches the port uses the account of WYOMING_API_KEY.',
  ),
  WYOMING_API_KEY: optionalText().describe(
    'An API key with the scopes `stt` and `tts`; its account pays for the clients of WYOMING_PORT.',
  ),
  MAX_CONNECTIONS: integer(2_000, 1).describe('More connections at the same time are closed at once.'),
  CONNECTIONS_PER_ADDRESS: integer(500, 1).describe(
    'Connections at the same time from one client address (IPv6: one /64 network). With TRUST_PROXY, requests in progress.',
  ),
  UPLOAD_MIN_BYTES_PER_SECOND: integer(2_048, 0).describe(
    'A request body that arrives more slowly, on average over 30 seconds, is refused with 408.',
  ),
  UPLOAD_MAX_MINUTES: integer(60, 1, 24 * 60).describe('A request that takes longer to arrive is refused with 408.'),
  DISK_RESERVE_MIB: integer(512, 0).describe(
    'Uploads are refused with 503 when the disk of DATA_DIR would have less free space than this; `/health` is 503 when it has.',
  ),
} as const;

/** Settings of the HTTP interface. Durations are milliseconds, sizes bytes. */
export type HttpSettings = Readonly<{
  /** A number of proxies, or their addresses. */
  trustProxy: number | readonly string[];
  maxConnections: number;
  connectionsPerAddress: number;
  /** A connection must send the headers of a request within this time. */
  headersMs: number;
  /** How fast a request body must arrive. */
  bodyPace: Readonly<{ intervalMs: number; minBytesPerSecond: number; wholeMs: number }>;
  corsOrigins: readonly string[];
  /** The files of a certificate and its key, or one that the service makes; null: plain http. */
  tls: Readonly<{ certFile: string; keyFile: string }> | 'self-signed' | null;
  metrics: Readonly<{
    /** Another port without a key; this one, for keys with the scope `admin` or for everyone. */
    access: 'own-port' | 'admin' | 'everyone';
    host: string;
    port: number | null;
  }>;
  /** The Wyoming protocol, and the key whose account is charged; null: not served. */
  wyoming: Readonly<{ host: string; port: number; apiKey: string }> | null;
  /** Free space of the disk that uploads may not use. */
  diskReserveBytes: number;
}>;

const HEADERS_MS = 15_000;
const PACE_INTERVAL_MS = 30_000;

type HttpEnvironment = { HOST: string } & { [Name in keyof typeof HTTP]: z.infer<(typeof HTTP)[Name]> };

export function httpSettings(env: HttpEnvironment): HttpSettings {
  return {
    trustProxy: env.TRUST_PROXY,
    maxConnections: env.MAX_CONNECTIONS,
    connectionsPerAddress: env.CONNECTIONS_PER_ADDRESS,
    headersMs: HEADERS_MS,
    corsOrigins: env.CORS_ORIGINS,
    tls: tlsOf(env),
    wyoming: wyomingOf(env),
    metrics: {
      access: env.METRICS_PORT === null ? (isLoopback(env.HOST) ? 'everyone' : 'admin') : 'own-port',
      host: env.METRICS_HOST,
      port: env.METRICS_PORT,
    },
    bodyPace: {
      intervalMs: PACE_INTERVAL_MS,
      minBytesPerSecond: env.UPLOAD_MIN_BYTES_PER_SECOND,
      wholeMs: env.UPLOAD_MAX_MINUTES * 60_000,
    },
    diskReserveBytes: env.DISK_RESERVE_MIB * MIB,
  };
}

function tlsOf({ TLS, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: HttpEnvironment): HttpSettings['tls'] {
  if (certFile !== null && keyFile !== null) return { certFile, keyFile };
  return TLS === 'self-signed' ? TLS : null;
}

function wyomingOf({ WYOMING_HOST: host, WYOMING_PORT: port, WYOMING_API_KEY: apiKey }: HttpEnvironment) {
  return port === null || apiKey === null ? null : { host, port, apiKey };
}

function isOrigin(text: string): boolean {
  return text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text);
}

function isHopCount(text: string): boolean {
  return text === 'false' || /^\d{1,2}$/.test(text);
}

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (RANGE_NAMES.includes(text)) return true;
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && widest > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest));
}
