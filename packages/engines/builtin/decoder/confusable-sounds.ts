import type { AcousticLabels } from './types.ts';

const groups = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split(/\s*,\s*/)
    .map((group) => group.split(' '));

const CANTONESE = groups(`
  n l, ng h, b p, d t, g k gw kw, z c s, f w h, m n ng, j z,
  aa a, aai ai oi, aau au ou, aam am, aan an, aang ang aan, aap ap, aat at aak, aak ak aat, e i ei, eng ing, ek ik,
  im in am, ip it ap, in ing an, it ik at, o ou u, on ong, ot ok, u ou, un ung, ut uk,
  oe o, oeng ong eng, oek ok, eoi oi ui, eon un an, eot at ut, yu i u, yun in eon, yut it eot, iu au i, m ng, am an ang, ap at ak, um am, ui oi, ai ei
`);

const MANDARIN = groups(`
  zh z j, ch c q, sh s x, n l, f h, b p, d t, g k, r l, an ang, en eng, in ing, ian iang, uan uang, un ong, a ia ua,
  ai ei, ao ou, e er, i v ir, iz ir, ie ve, iu iao, ui uai, o uo, u ou, vn in iong, van ian, ueng eng
`);

const ENGLISH = groups(`
  AA AO AH, AE EH, AX AH IH, IY IH, UW UH, EY EH, OW AO, AW AA, AY AE, ER R, B P, D T, G K, DH D V, TH T S F, S Z, SH ZH CH,
  JH CH, M N NG, V W, L R, HH F, Y IY, OY OW
`);

/** Returns the sounds of a model that are mistaken for one another. */
export function confusableSounds({ phones, tones }: AcousticLabels): readonly (readonly string[])[] {
  if (phones.length > 0) return ENGLISH;
  return tones === 5 ? MANDARIN : CANTONESE;
}
