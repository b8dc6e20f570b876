import { readerWords } from '#text/reader-words.ts';
import { isPicture, meaningOfMarks, openingLength } from './endings.ts';
import { countSyllables } from './syllables.ts';
import { tokenise, type PlacedItem } from './tokenise.ts';

/** How good a place for a cut the end of an atom is. */
export type Break = 'none' | 'word' | 'clause' | 'sentence';

/** A part of a text that must not be cut: a word or a number with the marks and spaces after it. */
export type Atom = { start: number; end: number; syllables: number; after: Break };

const STRENGTH: Readonly<Record<Break, number>> = { none: 0, word: 1, clause: 2, sentence: 3 };
/** Longer things (a word of a thousand letters) are cut wherever it may be: nobody says them in one breath. */
const LONGEST_ATOM = 60;
/** After so many signs in a row that are said ("%%%%"), each is a word of its own: thousands of them would be an hour in one breath. */
const HEAP_OF_SIGNS = /[%&+<=>@°±×÷℃℉№→√≈≤≥○]{4}$/u;
const HEAPED_SIGN = /^[%&+<=>@°±×÷℃℉№→√≈≤≥○]$/u;
const SYLLABLES_OF_SIGN = 3;

/** The atoms of a plain text in order; together they cover it. */
export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = [];
  let isOpen = false;
  for (const placed of tokenise(text, 'cantonese')) {
    const between = text.slice(atoms.at(-1)?.end ?? 0, placed.at);
    if (/[\n\r\u2028\u2029]/.test(between)) strengthen(atoms, 'sentence');
    if (placed.item.kind === 'mark') {
      const { ending, endsSentence, opens } = meaningOfMarks(placed.item.text);
      if (endsSentence) strengthen(atoms, 'sentence');
      else if (ending !== 'none') strengthen(atoms, 'clause');
      // An opening mark must not be parted from what it opens: it becomes the beginning of the next atom.
      isOpen = opens;
      if (opens && atoms.length > 0) {
        // Of 。「 the first closes what was.
        const start = endOf(placed) - openingLength(placed.item.text);
        extendTo(atoms, start);
        atoms.push({ start, end: endOf(placed), syllables: 0, after: 'none' });
      } else extend(atoms, placed);
      continue;
    }
    addItem(atoms, text, placed, isOpen);
    if (isPicture(placed.item)) strengthen(atoms, 'clause');
    isOpen = false;
  }
  return covering(atoms, text);
}

const endOf = ({ item, at }: PlacedItem) => at + item.text.length;

function strengthen(atoms: Atom[], strength: Break): void {
  const last = atoms.at(-1);
  if (last !== undefined && STRENGTH[strength] > STRENGTH[last.after]) last.after = strength;
}

function extendTo(atoms: Atom[], end: number): void {
  const last = atoms.at(-1);
  if (last !== undefined && end > last.end) last.end = end;
}

function extend(atoms: Atom[], placed: PlacedItem): void {
  const last = atoms.at(-1);
  if (last === undefined) atoms.push({ start: placed.at, end: endOf(placed), syllables: 0, after: 'none' });
  else last.end = endOf(placed);
}

function addItem(atoms: Atom[], text: string, placed: PlacedItem, isOpen: boolean): void {
  const { item, at } = placed;
  if (item.kind === 'han') {
    for (const { segment, index } of readerWords(item.text)) {
      const start = at + index;
      push(atoms, {
        start,
        end: start + segment.length,
        syllables: countSyllables({ ...item, text: segment }),
        after: 'word',
      });
    }
    return;
  }
  const syllables = countSyllables(item);
  const previous = atoms.at(-1);
  // "5 個" and "第 5" may part, "5個" may: the number is said first. Signs cling to what they stand beside.
  if (syllables === 0 && previous !== undefined && !isOpen) {
    if (HEAPED_SIGN.test(item.text) && HEAP_OF_SIGNS.test(text.slice(Math.max(0, at - 4), at))) {
      push(atoms, { start: at, end: endOf(placed), syllables: SYLLABLES_OF_SIGN, after: 'word' });
    } else previous.end = endOf(placed);
    return;
  }
  if (endOf(placed) - at <= LONGEST_ATOM) {
    push(atoms, { start: at, end: endOf(placed), syllables, after: 'word' });
    return;
  }
  const chunks = Math.ceil((endOf(placed) - at) / LONGEST_ATOM);
  for (let start = at; start < endOf(placed);) {
    let end = Math.min(endOf(placed), start + LONGEST_ATOM);
    // Never between the halves of a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < endOf(placed)) end += 1;
    push(atoms, { start, end, syllables: Math.ceil(syllables / chunks), after: 'word' });
    start = end;
  }
}

/** An atom without a sound before it (an opening bracket) becomes its beginning. */
function push(atoms: Atom[], atom: Atom): void {
  const last = atoms.at(-1);
  if (last === undefined || last.after !== 'none' || last.syllables > 0) {
    atoms.push(atom);
    return;
  }
  last.end = atom.end;
  last.syllables = atom.syllables;
  last.after = atom.after;
}

/** White space belongs to what stands before it, and to the first atom where nothing does; markup behind it to what it opens. */
function covering(atoms: Atom[], text: string): Atom[] {
  const starts = atoms.map(({ start }, index) => {
    const from = atoms[index - 1]?.end ?? 0;
    const markup = /(?<=\s)\u2060+$/.exec(text.slice(from, start));
    return index === 0 ? 0 : start - (markup?.[0].length ?? 0);
  });
  return atoms.map((atom, index) => ({
    ...atom,
    start: starts[index] ?? atom.start,
    end: starts[index + 1] ?? text.length,
  }));
}
