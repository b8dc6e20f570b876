/** Phones of ARPAbet and the letters of the voice's alphabet, which is that of Kokoro. */
const LETTERS: Readonly<Record<string, string>> = {
  AA: 'ɑ', AE: 'æ', AH: 'ʌ', AO: 'ɔ', AW: 'W', AX: 'ə', AY: 'I', EH: 'ɛ', ER: 'ɜɹ', EY: 'A', IH: 'ɪ', IX: 'ᵻ', IY: 'i',
  OW: 'O', OY: 'Y', UH: 'ʊ', UW: 'u', B: 'b', CH: 'ʧ', D: 'd', DH: 'ð', DX: 'T', F: 'f', G: 'ɡ', HH: 'h', JH: 'ʤ',
  K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ŋ', P: 'p', R: 'ɹ', S: 's', SH: 'ʃ', T: 't', TH: 'θ', V: 'v', W: 'w', Y: 'j',
  Z: 'z', ZH: 'ʒ', EL: 'ᵊl', EM: 'ᵊm', EN: 'ᵊn', Q: 'ʔ', AXR: 'əɹ', UX: 'u', HV: 'h', NX: 'n', WH: 'w',
}; // prettier-ignore
/** Vowels without stress that have letters of their own. */
const WEAK: Readonly<Record<string, string>> = { AH0: 'ə', ER0: 'əɹ' };
const MARKS: Readonly<Record<string, string>> = { 1: 'ˈ', 2: 'ˌ' };
const VOWEL = /^[AEIOU]/;

/** Letters and the names by which `lettersOf` finds them again. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(LETTERS).flatMap(([name, letter]): [string, string][] =>
    letter.length === 1 && !['AX', 'IX', 'UX', 'HV', 'NX', 'WH'].includes(name) ? [[letter, name]] : [],
  ),
);

/**
 * Spells ARPAbet phones (`R EH1 D`) in the voice's alphabet (`ɹˈɛd`), with the flapped t and the
 * weak vowels of American English where the dictionary of the voice has them; null when a phone is
 * unknown. A phone that is a letter of the alphabet stays one.
 */
export function lettersOf(phones: readonly string[]): string | null {
  let spelled = '';
  for (const [at, phone] of phones.entries()) {
    const name = phone.replace(/\d$/, '');
    const letter = /^[A-Z]/.test(phone) ? letterAt(phones, at, name) : phone;
    if (letter === undefined) return null;
    spelled += `${MARKS[phone.slice(name.length)] ?? ''}${letter}`;
  }
  return spelled;
}

function letterAt(phones: readonly string[], at: number, name: string): string | undefined {
  const phone = phones[at]!;
  const before = phones[at - 1] ?? '';
  const next = phones[at + 1] ?? '';
  if (phone === 'T' && /^[AEIOU]|^R$/.test(before) && /^[AEIOU].*0$/.test(next)) return LETTERS['DX'];
  if (phone === 'AH0' && at > 0 && !VOWEL.test(before) && (next === 'L' || (next === 'N' && /^[TD]$/.test(before))))
    return 'ᵊ';
  if (phone === 'IH0' && at === phones.length - 2 && /^[DZ]$/.test(next)) return LETTERS['IX'];
  return WEAK[phone] ?? LETTERS[name];
}

/**
 * The ARPAbet phones of a spelled word. Letters that ARPAbet has no phone for stay letters, with
 * their mark of stress.
 */
export function phonesOf(spelled: string): string[] {
  const phones: string[] = [];
  let mark = '';
  for (const letter of spelled) {
    if (letter === 'ˈ' || letter === 'ˌ') mark = letter;
    else if (!isVowelLetter(letter)) phones.push(NAMES.get(letter) ?? letter);
    else {
      const name = NAMES.get(letter);
      phones.push(name === undefined ? `${mark}${letter}` : `${name}${STRESSES[mark]}`);
      mark = '';
    }
  }
  return phones;
}

const STRESSES: Readonly<Record<string, string>> = { '': '0', ˈ: '1', ˌ: '2' };

export const isVowelLetter = (letter: string) => 'AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ'.includes(letter);
