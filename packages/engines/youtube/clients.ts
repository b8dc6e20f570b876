import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** An app of the platform, with the values by which it identifies itself. */
export type PlatformClient = {
  /** Value of `clientName` in the context, such as `ANDROID`. */
  name: string;
  /** Value of the header `X-Youtube-Client-Name`. */
  number: string;
  userAgent: string;
  /** Value of `context.client` in the request body, without the language. */
  context: Readonly<Record<string, string | number>>;
  /** True if its links to sound work without a proof-of-origin token. */
  servesSound: boolean;
};

/** Text that is sent in a header, so without line breaks. */
const HeaderText = z.string().regex(/^[\x20-\x7e]{1,300}$/);
const Description = z.object({
  number: z.string().regex(/^\d{1,4}$/),
  version: z.string().regex(/^[0-9A-Za-z.]{1,32}$/),
  /** `{version}` stands for the version. */
  userAgent: HeaderText,
  device: z.record(z.string(), z.union([HeaderText, z.number()])),
  /** True to use the client unless YOUTUBE_CLIENTS names others. */
  isDefault: z.boolean(),
  servesSound: z.boolean(),
});
/** Schema of `clients.json`, the known clients. */
const ClientsFile = z.object({
  checked: z.iso.date(),
  source: z.string(),
  clients: z.record(z.string().regex(/^[A-Z0-9_]{1,40}$/), Description),
});
type ClientsFile = z.infer<typeof ClientsFile>;

/**
 * Clients whose caption links work without a proof-of-origin token, or once did. The platform
 * retires versions often, so operators may use a newer copy of this file.
 */
const SHIPPED = readClients(join(import.meta.dirname, 'clients.json'));

/** Reads a file in the format of `clients.json`. Throws when it cannot be read or is invalid. */
function readClients(path: string): ClientsFile {
  return ClientsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** User agent of strategies other than these apps. */
export const BROWSER_USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';

/** The default clients as a list: `ANDROID/21.26.364,…`. */
export const DEFAULT_CLIENTS = Object.entries(SHIPPED.clients)
  .filter(([, { isDefault }]) => isDefault)
  .map(([name, { version }]) => `${name}/${version}`)
  .join(',');

/** Returns a shipped client in another version; null for an unknown name. */
export function describeClient(name: string, version: string): PlatformClient | null {
  const description = Object.hasOwn(SHIPPED.clients, name) ? SHIPPED.clients[name] : undefined;
  return description === undefined ? null : toClient(name, { ...description, version });
}

/**
 * Returns the default clients of a file of the operator, in its order; null when the file cannot be
 * used.
 */
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

function toClient(name: string, { number, version, device, servesSound, ...description }: z.infer<typeof Description>) {
  const userAgent = description.userAgent.replaceAll('{version}', version);
  const context = { clientName: name, clientVersion: version, userAgent, ...device };
  return { name, number, userAgent, context, servesSound };
}
