/** A client of the platform and how its responses differ. */
export type Client = {
  /** Upper-case name on the platform. */
  name: string;
  /** Caption links need a proof-of-origin token, and formats have no links. */
  isWeb: boolean;
  /** Texts are `{runs}` instead of `{simpleText}`, and caption links request srv3. */
  isApp: boolean;
  /** Older major versions are rejected. */
  oldestMajor: number;
};

const CLIENTS: readonly Client[] = [
  { name: 'ANDROID', isWeb: false, isApp: true, oldestMajor: 20 },
  { name: 'ANDROID_VR', isWeb: false, isApp: true, oldestMajor: 1 },
  { name: 'ANDROID_MUSIC', isWeb: false, isApp: true, oldestMajor: 5 },
  { name: 'ANDROID_CREATOR', isWeb: false, isApp: true, oldestMajor: 22 },
  { name: 'IOS', isWeb: false, isApp: true, oldestMajor: 20 },
  { name: 'VISIONOS', isWeb: false, isApp: false, oldestMajor: 1 },
  { name: 'WEB', isWeb: true, isApp: false, oldestMajor: 2 },
  { name: 'MWEB', isWeb: true, isApp: false, oldestMajor: 2 },
  { name: 'WEB_REMIX', isWeb: true, isApp: false, oldestMajor: 1 },
  { name: 'WEB_CREATOR', isWeb: true, isApp: false, oldestMajor: 1 },
  { name: 'WEB_KIDS', isWeb: true, isApp: false, oldestMajor: 2 },
  { name: 'WEB_EMBEDDED_PLAYER', isWeb: false, isApp: false, oldestMajor: 1 },
  { name: 'TVHTML5', isWeb: false, isApp: false, oldestMajor: 7 },
  { name: 'TVHTML5_SIMPLY', isWeb: false, isApp: false, oldestMajor: 1 },
  { name: 'TVHTML5_SIMPLY_EMBEDDED_PLAYER', isWeb: false, isApp: false, oldestMajor: 2 },
];

/** Versions older by this much get a request to update; others an error. */
const TOLD_TO_UPDATE_MAJORS = 3;

/** How the platform treats a client. */
type Introduction =
  | { is: 'served'; client: Client }
  | { is: 'update-required'; client: Client }
  | { is: 'refused'; message: string; reason: string };

type Context = { client?: { clientName?: unknown; clientVersion?: unknown; androidSdkVersion?: unknown } };

/** Reads `context` of a request. Android apps must send their SDK version, as on the platform. */
export function introduce(body: unknown): Introduction {
  const sentClient = (body as { context?: Context } | null)?.context?.client;
  const name = clientNameOf(body);
  const client = CLIENTS.find((candidate) => candidate.name === name);
  if (sentClient === undefined || client === undefined) {
    return { is: 'refused', message: 'Request contains an invalid argument.', reason: 'INVALID_ARGUMENT' };
  }
  const major = Number(/^(\d+)(\.\d+)+$/.exec(String(sentClient.clientVersion))?.[1] ?? Number.NaN);
  const isUnsaid = name === 'ANDROID' && typeof sentClient.androidSdkVersion !== 'number';
  if (major >= client.oldestMajor && !isUnsaid) return { is: 'served', client };
  if (major < client.oldestMajor - TOLD_TO_UPDATE_MAJORS) return { is: 'update-required', client };
  return { is: 'refused', message: 'Precondition check failed.', reason: 'FAILED_PRECONDITION' };
}

/** The upper-case client name of a request; null without one. */
export function clientNameOf(body: unknown): string | null {
  const name = (body as { context?: Context } | null)?.context?.client?.clientName;
  return typeof name === 'string' ? name.toUpperCase() : null;
}
