import { ConfigError, type Config } from '#config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';

type Address = Pick<Config, 'host' | 'port'>;
type SystemError = Error & { code?: string; syscall?: string; severity?: string; hostname?: string };

const NETWORK_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
];

/**
 * One sentence about a failure at the start that an operator can mend, null for a defect of this
 * program. Names what gave the address of the database, `databaseOption`, never its value with a
 * password.
 */
export function describeStartFailure(
  thrown: unknown,
  address?: Address,
  databaseOption = 'DATABASE_URL',
): string | null {
  if (thrown instanceof ConfigError) return thrown.message;
  // The cause says more to an operator than the sentence for clients.
  if (thrown instanceof AppError) {
    return describeStartFailure(thrown.cause, address, databaseOption) ?? thrown.message;
  }
  if (!(thrown instanceof Error)) return null;
  const { code = '', syscall, severity, hostname, message } = thrown as SystemError;
  if (address !== undefined && (syscall === 'listen' || hostname === address.host)) {
    const listening = describeListenFailure(code, address);
    if (listening !== null) return listening;
  }
  if (code.startsWith('SQLITE_')) return `The database in DATA_DIR cannot be opened: ${message}.`;
  if (severity !== undefined) return `${databaseOption}: the server answered "${message}".`;
  if (NETWORK_CODES.includes(code) || /timeout|terminated/i.test(message)) {
    return `${databaseOption}: the database server does not answer (${code || message}).`;
  }
  return null;
}

function describeListenFailure(code: string, { host, port }: Address): string | null {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use by another program; set PORT to a free one.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}; set PORT to 1024 or higher.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine.`;
  return null;
}
