import { cleanName } from '@jyutsing/text/hidden-characters';

const MAX_CHARACTERS = 200;
const EXTENSION = /(?<=.)\.[a-z0-9]{1,5}$/i;
/** Names that programs give when there is none, and random ones. */
const MEANINGLESS =
  /^(?:-|audio|blob|clip|data|file|input|output|recording|sample|sound|speech|stdin|temp|tmp|unknown|untitled|upload|voice|[0-9a-f-]{32,36})?$/i;

/** A name of which everything but letters, digits and signs like these is in percent codes. */
const IN_PERCENT_CODES = /^(?:[\w.~-]|%[\dA-F]{2})+$/;

/** The file name of a recording as its title; null for a name without a meaning. */
export function titleOfFile(name: string): string | null {
  const file = decoded(name).split(/[\\/]/).at(-1) ?? '';
  const title = cleanName([...file.replace(EXTENSION, '')].slice(0, MAX_CHARACTERS).join(''));
  return MEANINGLESS.test(title) ? null : title;
}

/**
 * The name of a form as its file is called. aiohttp (3.14.5) sends 錄音 as `%E9%8C%84%E9%9F%B3`; all
 * other clients, as the HTML standard demands it, write only quotation marks and line ends so.
 */
function decoded(name: string): string {
  if (!IN_PERCENT_CODES.test(name)) return name.replaceAll('%22', '"');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
