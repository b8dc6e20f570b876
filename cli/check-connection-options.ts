import type { Command } from 'commander';
import { hasAddress } from './connection.ts';

/** Commands about this machine, never about a service over HTTP. */
const ABOUT_THIS_MACHINE = ['models', 'engines', 'doctor', 'migrate', 'serve', 'completion'];
/** Without an address they use the database of DATA_DIR, which needs no key. */
const ADMINISTRATION = ['accounts', 'keys', 'usage', 'corpora', 'voices'];

/** Exits with a usage error for `--url` and `--key` where the command would ignore them. */
export function checkConnectionOptions(command: Command): void {
  const { url, key } = command.optsWithGlobals<{ url?: string; key?: string }>();
  let top = command;
  while (top.parent?.parent) top = top.parent;
  if (ABOUT_THIS_MACHINE.includes(top.name()) && (url !== undefined || key !== undefined)) {
    command.error(`error: \`${top.name()}\` is about this machine and takes no --${url === undefined ? 'key' : 'url'}`);
  }
  if (ADMINISTRATION.includes(top.name()) && key !== undefined && !hasAddress(command)) {
    command.error('error: --key needs --url: without it, this command uses the database of DATA_DIR');
  }
}
