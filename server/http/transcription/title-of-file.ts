import { cleanName } from '@jyutsing/text/hidden-characters';

const MAX_CHARACTERS = 200;
const EXTENSION = /(?<=.)\.[a-z0-9]{1,5}$/i;
/** Names that programs give when there is none, and random ones. */
const MEANINGLESS =
  /^(?:-|audio|blob|clip|data|file|input|output|recording|sample|sound|speech|stdin|temp|tmp|unknown|untitled|upload|voice|[0-9a-f-]{32,36})?$/i;

/** The file name of a recording as its title; null for a name without a meaning. */
export function titleOfFile(name: string): string | null {
  const file = name.split(/[\\/]/).at(-1) ?? '';
  const title = cleanName([...file.replace(EXTENSION, '')].slice(0, MAX_CHARACTERS).join(''));
  return MEANINGLESS.test(title) ? null : title;
}
