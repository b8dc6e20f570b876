import { spelledLetters } from '#text/normalization/acronyms.ts';
import { visibleLetters } from '#text/normalization/letters.ts';
import { fromTo, isSize } from '#text/normalization/short-forms.ts';
import type { CodePart, Token, VerbalizedWord } from '#text/normalization/tokens.ts';
import { digitByDigit, identifierInWords, integerInWords, yearInWords } from './english-numbers.ts';

export const spell = (letters: string) => [...letters.toUpperCase()].join(' ');
export const spoken = (spokenForm: string, written: string): VerbalizedWord => ({
  written,
  language: 'english',
  spokenForm,
});

/** Engines that read text would spell out words in capitals (NASA, STOP). */
export function verbalizeWord(text: string): string {
  const bare = visibleLetters(text).replace(/\.$/, '');
  const owner = /^(\p{Lu}{2,6})['’]s$/u.exec(bare)?.[1];
  if (owner !== undefined)
    return spelledLetters(owner, false) === null ? `${verbalizeWord(owner)}'s` : `${spell(owner)}'s`;
  return /^\p{Lu}{2,}$/u.test(bare) ? bare.charAt(0) + bare.slice(1).toLowerCase() : bare;
}

/** Reads a code by its parts, or as what it means. */
export function verbalizeCode({ text, parts }: Extract<Token, { kind: 'code' }>, after: string): VerbalizedWord[] {
  const whole = wholeCode(text, after);
  if (whole !== null) return whole;
  const [name, digits] = parts;
  // A name with its year: FY2024, Expo2025.
  const isOfYear = parts.length === 2 && (name?.text === 'FY' || (name?.kind === 'latin' && name.text.length > 3));
  if (isOfYear && /^(?:19|20)\d\d$/.test(digits!.text))
    return [verbalizeCodePart(name!), spoken(yearInWords(digits!.text), digits!.text)];
  return parts.map(verbalizeCodePart);
}

/** Reads a code that is more than its parts: 2x4, B2B; null: another. */
function wholeCode(text: string, after: string): VerbalizedWord[] | null {
  const words = isSize(text) ? sizeInWords(text, after) : fromTo(text);
  return words === null ? null : [spoken(words, text)];
}

/** Reads a size, 2x4, or a product that is followed by its result. */
function sizeInWords(text: string, after: string): string {
  return text
    .split(/x/iu)
    .map((digits) => integerInWords(digits))
    .join(/^ ?=/u.test(after) ? ' times ' : ' by ');
}

function verbalizeCodePart({ kind, text, written = text }: CodePart): VerbalizedWord {
  if (kind === 'letters') return spoken(spell(text), written);
  // IPv6 is the sixth version of a protocol, whose name is spelt.
  if (kind === 'latin') return spoken(/^\p{Lu}{2,}v$/u.test(text) ? spell(text) : verbalizeWord(text), written);
  // A round number of a room or a flight is no row of digits: Suite 400.
  const isIdentifier = (text.length > 2 || text.startsWith('0')) && !/^[1-9]0{2,3}$/.test(text);
  return spoken(isIdentifier ? identifierInWords(text, 'oh') : integerInWords(text), written);
}

/**
 * Reads a version (version two point one point zero), and an address of four numbers with dots and
 * single digits.
 */
export function verbalizeVersion({ text, parts, hasV }: Extract<Token, { kind: 'version' }>): VerbalizedWord {
  const isAddress = parts.length === 4 && !hasV;
  const spokenForm = parts.map((part) => {
    const letters = part.replace(/\d/g, '');
    const digits = part.replace(/\D/g, '');
    const number = isAddress || digits.length > 2 ? digitByDigit(digits) : integerInWords(digits);
    return letters === '' ? number : `${number} ${spell(letters)}`;
  });
  return spoken((hasV ? 'version ' : '') + spokenForm.join(isAddress ? ' dot ' : ' point '), text);
}
