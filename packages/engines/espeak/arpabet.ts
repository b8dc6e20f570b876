/** Phones of ARPAbet as mnemonics of espeak-ng's voice en-us. */
const MNEMONICS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AA:A: AE:a AH:V AO:O: AW:aU AX:@ AXR:3 AY:aI EH:E ER:3: EY:eI IH:I IX:I2 IY:i: OW:oU OY:OI UH:U UW:u: UX:u: ' +
    'B:b CH:tS D:d DH:D DX:t# F:f G:g HH:h HV:h JH:dZ K:k L:l EL:@L M:m EM:m- N:n EN:n- NG:N NX:n P:p Q:? R:r S:s SH:S ' +
    'T:t TH:T V:v W:w WH:w Y:j Z:z ZH:Z'
  )
    .split(' ')
    .map((pair) => {
      const at = pair.indexOf(':');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
);

/** Vowels that are reduced by default. */
const REDUCED: Readonly<Record<string, string>> = { AH0: '@', ER0: '3', IY0: 'i' };

/**
 * Vowels before an r that does not begin the next syllable: as separate phones they would be
 * followed by a rolled one.
 */
const RHOTIC: Readonly<Record<string, string>> = { AA: 'A@', AO: 'O@', EH: 'e@', IH: 'i@3', IY: 'i@3', UH: 'U@' };

/**
 * Converts ARPAbet phones (`R EH1 D`) to espeak-ng's notation (`[[r'Ed]]`); null when one is
 * invalid.
 */
export function arpabetToMnemonics(phones: readonly string[]): string | null {
  const parts: string[] = [];
  const uppers = phones.map((phone) => phone.trim().toUpperCase());
  for (let at = 0; at < uppers.length; at += 1) {
    const upper = uppers[at]!;
    const base = upper.replace(/[012]$/, '');
    const isBeforeCodaR = uppers[at + 1] === 'R' && !/^[AEIOU]/.test(uppers[at + 2] ?? '');
    const rhotic = isBeforeCodaR ? RHOTIC[base] : undefined;
    const mnemonic = rhotic ?? REDUCED[upper] ?? MNEMONICS[base];
    if (mnemonic === undefined) return null;
    if (rhotic !== undefined) at += 1;
    const stress = upper.endsWith('1') ? "'" : upper.endsWith('2') ? ',' : '';
    parts.push(stress + mnemonic);
  }
  // Separate the names, because some begin like shorter ones.
  return parts.length === 0 ? null : `[[${parts.join('|')}]]`;
}
