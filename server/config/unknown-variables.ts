import { editDistance } from '@jyutsing/numeric/edit-distance';
import { VARIABLES } from './variables.ts';

/** The prefixes of variables that are meant for the service. */
const FAMILIES = /^(?:STT|TTS|LLM|YOUTUBE|MODELS|S3|WEBHOOKS|WORKER|VIDEO)_/;
/** More differences are another word rather than a slip. */
const MAX_EDITS = 2;
/** Outside the families, one difference in so many letters: `POST` is not meant as `PORT`. */
const LETTERS_PER_EDIT = 5;
/**
 * Variables of other programs whose names are similar to one of the service: OpenSSL reads this
 * one.
 */
const OTHERS = ['SSL_CERT_FILE'];

const SERVICE_LINK = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

/**
 * One sentence for each variable that is set and looks like one of the service, but is none: a
 * misspelt name would otherwise be ignored without a trace.
 */
export function describeUnknownVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  const variableNames = Object.keys(VARIABLES);
  return Object.entries(environment).flatMap(([name, value]) => {
    if (variableNames.includes(name) || OTHERS.includes(name) || isOfKubernetes(name, value)) return [];
    const near = nearestNames(name, variableNames);
    if (near.length === 0 && !FAMILIES.test(name)) return [];
    const hint = near.length === 0 ? '.' : `; did you mean ${near.join(' or ')}?`;
    return [`${name} is not a variable of jyutsing and is ignored${hint}`];
  });
}

/** Set in every container for each service of its namespace, whatever the name of that is. */
function isOfKubernetes(name: string, value = ''): boolean {
  return SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value));
}

/** The known names that a name is a slip of; several where it is as near to each. */
function nearestNames(name: string, variableNames: readonly string[]): string[] {
  const letters = lettersOf(name);
  const forms = letters.endsWith('IES') ? [letters, letters.replace(/IES$/, 'Y')] : [letters];
  let [near, limit]: [string[], number] = [[], MAX_EDITS];
  for (const candidate of variableNames) {
    const nameLetters = lettersOf(candidate);
    const allowed = FAMILIES.test(name) ? limit : Math.min(limit, Math.floor(nameLetters.length / LETTERS_PER_EDIT));
    const edits = Math.min(...forms.map((form) => editDistance(form, nameLetters, allowed)));
    if (edits > allowed) continue;
    near = edits < limit ? [candidate] : [...near, candidate];
    limit = edits;
  }
  return near;
}

const lettersOf = (name: string) => name.replaceAll('_', '');
