import { characterRules, type CharacterRule } from './character-rules.ts';
import { openTraditionalWords, type TraditionalWords } from './traditional-words.ts';

/** The longest word of the list, in characters. */
const MAX_WORD = 5;
/** The longest context of a rule, in characters. */
const CONTEXT = 8;
/** The cost of a character without a choice that no word explains, in nats. */
const OTHER_COST = 9;
/**
 * How much likelier a character is meant as it stands, in nats: in a sentence with characters that
 * only Traditional writing has, with ones that only Simplified writing has, and with neither.
 */
const AS_WRITTEN = { traditional: 6, simplified: 0, unknown: 2 } as const;

type Script = keyof typeof AS_WRITTEN;

/** Limit of remembered characters, of which texts have far fewer. */
const MAX_REMEMBERED = 20_000;

const SENTENCE_END = /[。！？!?\n]/u;

/** The properties of a character by itself. */
type Character = {
  /** As it stands if it is not open. */
  text: string;
  /** Its usual form, a code point. */
  form: number;
  /** Its Simplified form. */
  simplified: string;
  /** Whether it may stand for several characters; others are only themselves. */
  isOpen: boolean;
  /** The script that alone has it. */
  script: Script;
  endsSentence: boolean;
  rules: readonly CharacterRule[];
};

/** A list of words with what was found out about characters, of which there are some thousands. */
type Reader = { words: TraditionalWords; read(written: string): Character };

let reader: Reader | null = null;

/**
 * Chooses the Traditional character for each character of a text (code points, one each): the
 * likeliest words that the text may stand for. Characters that only Traditional writing has are
 * kept; those of both scripts (只, 后, 面) are decided by their words, and more reluctantly among
 * Traditional ones. Japanese characters become Traditional.
 */
export function chooseTraditional(characters: readonly string[]): string[] {
  reader ??= createReader(openTraditionalWords());
  const { words, read } = reader;
  const text = characters.map(read);
  const chosen = text.map((character) => character.text);
  const stretches = openStretches(text);
  if (stretches.length === 0) return chosen;
  const scripts = scriptsOf(text);
  for (const { from, to } of stretches) {
    const codes = likeliest({ text, from, to, scripts }, words);
    for (const [index, code] of codes.entries()) {
      if (text[from + index]!.isOpen) chosen[from + index] = String.fromCodePoint(code);
    }
  }
  return chosen;
}

function createReader(words: TraditionalWords): Reader {
  const rules = characterRules((text) => Array.from(text, (char) => words.simplifiedForm(char) ?? char).join(''));
  const seen = new Map<string, Character>();
  const describe = (written: string): Character => {
    const text = words.chineseForm(written);
    const form = words.usualForm(text);
    const simplified = words.simplifiedForm(form);
    const candidates = simplified === undefined && form === text ? words.candidates(form) : [];
    const isOpen = candidates.length > 0;
    let script: Script = 'unknown';
    if (simplified !== undefined) script = 'traditional';
    else if (isOpen && !candidates.includes(form)) script = 'simplified';
    return {
      text,
      form: form.codePointAt(0)!,
      simplified: simplified ?? form,
      isOpen,
      script,
      endsSentence: SENTENCE_END.test(written),
      rules: (isOpen ? rules.get(form) : undefined) ?? [],
    };
  };
  const read = (written: string) => {
    let character = seen.get(written);
    if (character !== undefined) return character;
    character = describe(written);
    if (seen.size < MAX_REMEMBERED) seen.set(written, character);
    return character;
  };
  return { words, read };
}

/**
 * The script of the sentence of each character; of the whole text where a sentence does not tell.
 */
function scriptsOf(text: readonly Character[]): Script[] {
  const sentences: { end: number; script: Script }[] = [];
  let [balance, whole] = [0, 0];
  for (const [at, { script, endsSentence }] of text.entries()) {
    if (script !== 'unknown') balance += script === 'traditional' ? 1 : -1;
    if (!endsSentence && at < text.length - 1) continue;
    sentences.push({ end: at + 1, script: scriptOf(balance) });
    whole += balance;
    balance = 0;
  }
  const scripts = Array.from<Script>({ length: text.length }).fill(scriptOf(whole));
  let start = 0;
  for (const { end, script } of sentences) {
    if (script !== 'unknown') scripts.fill(script, start, end);
    start = end;
  }
  return scripts;
}

/** The script of a text by how many more characters only Traditional writing has. */
function scriptOf(balance: number): Script {
  if (balance === 0) return 'unknown';
  return balance > 0 ? 'traditional' : 'simplified';
}

/** The stretches of a text whose words may have a character to decide. */
function openStretches(text: readonly Character[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  for (const [at, { isOpen }] of text.entries()) {
    if (!isOpen) continue;
    const [from, to] = [Math.max(0, at - MAX_WORD + 1), Math.min(text.length, at + MAX_WORD)];
    const last = stretches.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else stretches.push({ from, to });
  }
  return stretches;
}

type Stretch = { text: readonly Character[]; from: number; to: number; scripts: readonly Script[] };

/** By how much the context lowers the cost of a character (a code point), in nats. */
type Gains = ReadonlyMap<number, number>;

/** Applies the rules of a character of a text; null: none fits. */
function gainsAt(text: readonly Character[], at: number): Gains | null {
  const { rules } = text[at]!;
  if (rules.length === 0) return null;
  const simplified = (part: readonly Character[]) => part.map((character) => character.simplified).join('');
  const before = simplified(text.slice(Math.max(0, at - CONTEXT), at));
  const after = simplified(text.slice(at + 1, at + 1 + CONTEXT));
  const gains = new Map<number, number>();
  for (const rule of rules) {
    if (rule.before?.test(before) === false || rule.after?.test(after) === false) continue;
    gains.set(rule.character, (gains.get(rule.character) ?? 0) + rule.by);
  }
  return gains;
}

/**
 * The cheapest sequence of words of a stretch (Viterbi 1967), one character for each of it, as code
 * points.
 */
function likeliest({ text, from: start, to: end, scripts }: Stretch, words: TraditionalWords): number[] {
  const stretch = text.slice(start, end);
  const simplified = stretch.map((character) => character.simplified.codePointAt(0)!);
  const gains = stretch.map((_, index) => gainsAt(text, start + index));
  /** For each place, the cost of the cheapest way to it, and the last word of that way. */
  const costs = new Float64Array(stretch.length + 1).fill(Infinity);
  const ways: (readonly number[])[] = [];
  costs[0] = 0;
  const reach = (to: number, cost: number, word: readonly number[]) => {
    if (cost >= costs[to]!) return;
    costs[to] = cost;
    ways[to] = word;
  };
  const costOf = (word: number, characters: readonly number[], from: number): number => {
    let cost = words.costOf(word);
    for (const [index, character] of characters.entries()) {
      const { form, isOpen } = stretch[from + index]!;
      if (form === character) cost -= isOpen ? AS_WRITTEN[scripts[start + from]!] : 0;
      else if (!isOpen) return Infinity;
      cost -= gains[from + index]?.get(character) ?? 0;
    }
    return cost;
  };
  for (const [from, { form, isOpen }] of stretch.entries()) {
    if (!isOpen) reach(from + 1, costs[from]! + OTHER_COST, [form]);
    words.findWords(simplified, from, (word, length) => {
      const characters = words.charactersOf(word);
      reach(from + length, costs[from]! + costOf(word, characters, from), characters);
    });
  }
  const chosen: number[] = [];
  for (let at = stretch.length; at > 0; at -= ways[at]!.length) chosen.push(...ways[at]!.toReversed());
  return chosen.toReversed();
}
