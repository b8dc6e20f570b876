import { withPlural } from '#text/pronunciation/english/pronounce-word.ts';
import { SPECIAL_RULES } from './heteronym-rules.ts';
import { isNounPlace, isVerbPlace, type WordContext } from './word-context.ts';

/**
 * Words whose stress or last consonant distinguishes noun (or adjective) and verb: phones of the
 * noun, then of the verb. Plurals of the noun and third persons of the verb are derived.
 */
const PAIRS = `
record R EH1 K ER0 D / R IH0 K AO1 R D
present P R EH1 Z AH0 N T / P R IH0 Z EH1 N T
object AA1 B JH EH0 K T / AH0 B JH EH1 K T
conduct K AA1 N D AH0 K T / K AH0 N D AH1 K T
console K AA1 N S OW0 L / K AH0 N S OW1 L
conflict K AA1 N F L IH0 K T / K AH0 N F L IH1 K T
contest K AA1 N T EH0 S T / K AH0 N T EH1 S T
contract K AA1 N T R AE0 K T / K AH0 N T R AE1 K T
contrast K AA1 N T R AE0 S T / K AH0 N T R AE1 S T
convert K AA1 N V ER0 T / K AH0 N V ER1 T
convict K AA1 N V IH0 K T / K AH0 N V IH1 K T
desert D EH1 Z ER0 T / D IH0 Z ER1 T
export EH1 K S P AO0 R T / IH0 K S P AO1 R T
extract EH1 K S T R AE0 K T / IH0 K S T R AE1 K T
import IH1 M P AO0 R T / IH0 M P AO1 R T
increase IH1 N K R IY0 S / IH0 N K R IY1 S
decrease D IY1 K R IY0 S / D IH0 K R IY1 S
insult IH1 N S AH0 L T / IH0 N S AH1 L T
perfect P ER1 F IH0 K T / P ER0 F EH1 K T
permit P ER1 M IH0 T / P ER0 M IH1 T
produce P R OW1 D UW0 S / P R AH0 D UW1 S
progress P R OW1 G R EH0 S / P R AH0 G R EH1 S
project P R AA1 JH EH0 K T / P R AH0 JH EH1 K T
protest P R OW1 T EH0 S T / P R AH0 T EH1 S T
rebel R EH1 B AH0 L / R IH0 B EH1 L
refund R IY1 F AH0 N D / R IH0 F AH1 N D
reject R IY1 JH EH0 K T / R IH0 JH EH1 K T
subject S AH1 B JH EH0 K T / S AH0 B JH EH1 K T
suspect S AH1 S P EH0 K T / S AH0 S P EH1 K T
transfer T R AE1 N S F ER0 / T R AE0 N S F ER1
transport T R AE1 N S P AO0 R T / T R AE0 N S P AO1 R T
update AH1 P D EY2 T / AH0 P D EY1 T
discount D IH1 S K AW0 N T / D IH0 S K AW1 N T
attribute AE1 T R IH0 B Y UW2 T / AH0 T R IH1 B Y UW0 T
separate S EH1 P ER0 AH0 T / S EH1 P ER0 EY2 T
estimate EH1 S T AH0 M AH0 T / EH1 S T AH0 M EY2 T
graduate G R AE1 JH UW0 AH0 T / G R AE1 JH UW0 EY2 T
duplicate D UW1 P L AH0 K AH0 T / D UW1 P L AH0 K EY2 T
moderate M AA1 D ER0 AH0 T / M AA1 D ER0 EY2 T
advocate AE1 D V AH0 K AH0 T / AE1 D V AH0 K EY2 T
appropriate AH0 P R OW1 P R IY0 AH0 T / AH0 P R OW1 P R IY0 EY2 T
deliberate D IH0 L IH1 B ER0 AH0 T / D IH0 L IH1 B ER0 EY2 T
use Y UW1 S / Y UW1 Z
house HH AW1 S / HH AW1 Z
excuse IH0 K S K Y UW1 S / IH0 K S K Y UW1 Z
abuse AH0 B Y UW1 S / AH0 B Y UW1 Z
`;
/** Words that are verbs if the context does not decide. */
const MOSTLY_VERBS = new Set(['produce', 'use', 'excuse', 'convert', 'reject', 'extract', 'separate']);

type Pair = { noun: readonly string[]; verb: readonly string[] };

const TABLE: ReadonlyMap<string, Pair> = new Map(
  PAIRS.trim()
    .split('\n')
    .map((line): [string, Pair] => {
      const [word = '', ...phones] = line.split(' ');
      const middle = phones.indexOf('/');
      return [word, { noun: phones.slice(0, middle), verb: phones.slice(middle + 1) }];
    }),
);

/** The phones of a heteronym by its context; null: the word has one reading. */
export function heteronymPhones(context: WordContext): readonly string[] | null {
  const { word } = context;
  const special = SPECIAL_RULES.get(word);
  if (special !== undefined) return special(context).split(' ');
  const pair = TABLE.get(word);
  if (pair !== undefined) return isVerb(context, word) ? pair.verb : pair.noun;
  const plural = word.endsWith('s') ? TABLE.get(word.slice(0, -1)) : undefined;
  if (plural === undefined) return null;
  if (word === 'houses') return ['HH', 'AW1', 'Z', 'IH0', 'Z'];
  return withPlural(isThirdPerson(context) ? plural.verb : plural.noun);
}

/** Words that begin the object of a verb. */
const OBJECT = /^(?:the|a|an|this|that|these|those|my|your|his|her|its|our|their|it|them|us|me|him)$/;

/** Words that follow a verb rather than a noun. */
const AFTER_VERBS = /^(?:every|each|by|to|from|with|when|if|against|all|more|only|.{3,}ly)$/;

function isVerb(context: WordContext, word: string): boolean {
  if (isVerbPlace(context)) return true;
  if (word === 'object' && context.next === 'to' && !isNounPlace(context)) return true;
  if (isNounPlace(context)) return false;
  // Prices increase every year.
  const isPlural = /[^s']s$/.test(context.before) && context.before.length > 3;
  if (isPlural && AFTER_VERBS.test(context.next)) return true;
  // The results present a problem. An amount is one word here: Transfer $500.
  const takesObject = context.next.includes(' ') || OBJECT.test(context.next);
  if (
    takesObject &&
    (/^(?:|and|or|then|but)$/.test(context.before) || (context.before.length > 3 && context.before.endsWith('s')))
  )
    return true;
  return MOSTLY_VERBS.has(word);
}

function isThirdPerson({ before, word, next }: WordContext): boolean {
  if (/^(?:he|she|it|who|which|that|this|never|always|also|often|someone|everyone|nobody)$/.test(before)) return true;
  return (
    word === 'uses' &&
    !/^(?:the|many|other|its|different|several|all|of|their|these|new)$/.test(before) &&
    next !== 'of'
  );
}
