import { AppError } from '@jyutsing/contracts/errors';

/**
 * Creates `invalid_parameter` with the path and the reason of the system. Without the cause: the
 * command line would look for a failure of the database in it.
 */
export function fileRefusal(path: string, what: 'read' | 'written', cause: unknown): AppError {
  // "ENOENT: no such file or directory, open '/nowhere/x'"
  const [, reason] = /^E[A-Z]+: ([^,]+)/.exec(cause instanceof Error ? cause.message : '') ?? [];
  return new AppError('invalid_parameter', `${path} cannot be ${what}${reason === undefined ? '' : `: ${reason}`}.`);
}
