import type { Language } from '@jyutsing/contracts/transcript';
import type { AddReadings } from '#text/normalization/add-readings.ts';
import { normalize } from '#text/normalization/normalize.ts';
import { tokenizePiece } from '#text/normalization/tokenize.ts';

const [FIRST, LAST] = [0x2e80, 0x323af];
const BATCH = 400;
const HAN = /\p{Script=Han}/u;

/** Every `step`-th Chinese character of Unicode in batches, and the ones with a reading of each. */
export function* charactersWithReading(language: Language, addReadings: AddReadings, step = 1) {
  for (let start = FIRST; start <= LAST; start += BATCH * step) {
    const codes = Array.from({ length: BATCH }, (_, index) => start + index * step);
    const characters = codes.map((code) => String.fromCodePoint(code)).filter((one) => HAN.test(one));
    const piece = normalize(tokenizePiece(characters.join('，'), language), language);
    const words = (piece === null ? [] : addReadings(piece).phrases).flatMap((phrase) => phrase.words);
    const read = new Set(words.filter(({ reading }) => reading.length > 0).map(({ written }) => written));
    yield { characters, read };
  }
}
