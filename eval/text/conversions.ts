import { foldCharacters, privateCharacters } from '#packages/text/script/fold-characters.ts';
import { toSimplified } from '@jyutsing/text/script/convert-script';
import { characterForms } from '../../training/traditional-words/character-forms.ts';
import type { Conversion } from './reading-figures.ts';

/**
 * First and last of the radicals and compatibility characters that PDFs have in place of
 * characters.
 */
const COPIED = [
  [0x2e80, 0x2ef3],
  [0x2f00, 0x2fd5],
  [0xf900, 0xfaff],
] as const;

/** Writes sentences in Simplified characters, one by one and by words. */
export function inSimplified(folder: string): Conversion[] {
  const { simplified } = characterForms(folder);
  return [
    {
      name: 'Simplified, by characters',
      convert: (text) => Array.from(text, (character) => simplified.get(character) ?? character).join(''),
    },
    { name: 'Simplified, by words', convert: toSimplified },
  ];
}

/** Writes sentences as they come out of PDFs and old Hong Kong systems. */
export function asCopied(): Conversion[] {
  const copied = new Map<string, string>();
  for (const [first, last] of COPIED) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      copied.set(foldCharacters(character), character);
    }
  }
  const hkscs = new Map([...privateCharacters()].map(([written, character]) => [character, written]));
  return [replacing('radicals, compatibility characters', copied), replacing('HKSCS as private characters', hkscs)];
}

function replacing(name: string, written: ReadonlyMap<string, string>): Conversion {
  return {
    name,
    convert: (text) => Array.from(text, (character) => written.get(character) ?? character).join(''),
  };
}
