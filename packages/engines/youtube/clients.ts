import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** An app of the platform, with the values by which it identifies itself. */
export type PlatformClient = {
  /** `clientName` of the context: `ANDROID`. */
  name: string;
  /** For the header `X-Youtube-Client-Name`. */
  number: string;
  userAgent: string;
  /** `context.client` of the request body, without the language. */
  context: Readonly<Record<string, string | number>>;
  /** Its links to sound work without a proof-of-origin token. */
  servesSound: boolean;
};

/** Sent in a header, so without line breaks. */
const HeaderText = z.string().regex(/^[\x20-\x7e]{1,300}$/);
const Description = z.object({
  number: z.string().regex(/^\d{1,4}$/),
  version: z.string().regex(/^[0-9A-Za-z.]{1,32}$/),
  /** `{version}` stands for the version. */
  userAgent: HeaderText,
  device: z.record(z.string(), z.union([HeaderText, z.number()])),
  /** Used unless YOUTUBE_CLIENTS names others. */
  isDefault: z.boolean(),
  servesSound: z.boolean(),
});
/** What is known about clients: the shape of `clients.json`. */
const ClientsFile = z.object({
  checked: z.iso.date(),
  source: z.string(),
  clients: z.record(z.string().regex(/^[A-Z0-9_]{1,40}$/), Description),
});
type ClientsFile = z.infer<typeof ClientsFile>;

/**
 * Clients whose caption links work without a proof-of-origin token, or once did. The platform
 * retires versions often: operators may use a newer copy of this file.
 */
const SHIPPED = readClients(join(import.meta.dirname, 'clients.json'));

/** Reads a file in the format of `clients.json`. Throws when it cannot be read or is invalid. */
function readClients(path: string): ClientsFile {
  return ClientsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** For strategies other than these apps. */
export const BROWSER_USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';

/** The shipped default as a list: `ANDROID/21.26.364,…`. */
export const DEFAULT_CLIENTS = Object.entries(SHIPPED.clients)
  .filter(([, { isDefault }]) => isDefault)
  .map(([name, { version }]) => `${name}/${version}`)
  .join(',');

/** A shipped client in another version; null for an unknown name. */
export function describeClient(name: string, version: string): PlatformClient | null {
  const description = Object.hasOwn(SHIPPED.clients, name) ? SHIPPED.clients[name] : undefined;
  return description === undefined ? null : toClient(name, { ...description, version });
}

/** The default clients of a file of the operator, in its order; null when it cannot be used. */
export function clientsOfFile(path: string): PlatformClient[] | null {
  try {
    const { clients } = readClients(path);
    return Object.entries(clients)
      .filter(([, { isDefault }]) => isDefault)
      .map(([name, description]) => toClient(name, description));
  } catch {
    return null;
  }
}

function toClient(name: string, { number, version, device, servesSound, ...rest }: z.infer<typeof Description>) {
  const userAgent = rest.userAgent.replaceAll('{version}', version);
  const context = { clientName: name, clientVersion: version, userAgent, ...device };
  return { name, number, userAgent, context, servesSound };
}
