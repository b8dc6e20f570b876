import { toSimplified } from '@jyutsing/text/script/convert-script';

/**
 * Rules against hallucinated text. Silence and steady noise never reach a model (voice activity
 * detection removes them); these rules are for music, babble and breathing.
 */

/** Maximum units (Chinese characters, English words) per second of speech. */
const MAX_UNITS_PER_SECOND = 12;
/**
 * Number of units added to the limit for short segments, because cuts may lose the edges of a
 * sound.
 */
const SPARE_UNITS = 3;
/** Numbers of repetitions that indicate a decoder loop: for one unit, and for several. */
const MIN_LOOP_ROUNDS_OF_ONE = 8;
const MIN_LOOP_ROUNDS = 5;
const MAX_LOOP_UNITS = 12;

/**
 * Subtitle credits and farewells from training data. They are compared with whole segments in
 * Simplified Chinese without punctuation.
 */
const KNOWN_PHRASES: readonly RegExp[] = [
  /^(中文)?字幕(由|志愿者|组|提供|制作|校对|by).*$/,
  /^.*(amara\.?org|amara社区)(社区|社群)?(提供)?(的)?(字幕)?$/,
  /^(多谢|谢谢|感谢)(大家|你们|您|各位)?(的)?(收睇|收看|观看|收听|聆听)(下集再见|再见|拜拜|我们下次再见)?$/,
  /^请不吝点赞.*$/,
  /^(请)?(订阅|点赞|记得订阅).*(频道|打赏|栏目|小铃铛)$/,
  /^(优优独播剧场|本集完|未完待续|全剧终|剧终).*$/,
  /^(thanks?|thankyou)(somuch|verymuch)?forwatching(everyone|guys|bye|seeyou(nexttime|inthenextvideo))*$/,
  /^(please)?(likeand|dontforgetto)?subscribe(to(my|the|our)channel)?$/,
  /^subtitles?(by|provided).*$/,
  /^(thisvideo)?(is)?(a)?production(of|by).*amara.*$/,
];

/** Returns true if a whole segment is a phrase that generative models hallucinate. */
export function isKnownPhrase(text: string): boolean {
  const bare = toSimplified(text.normalize('NFKC').toLowerCase())
    .replaceAll(/[^\p{L}\p{N}.]/gu, '')
    .replace(/\.+$/, '');
  return KNOWN_PHRASES.some((phrase) => phrase.test(bare));
}

/**
 * Returns true if the text is too long to be spoken in that time. `units` counts Chinese characters
 * and words.
 */
export function isTooFast(units: number, speechMs: number): boolean {
  return units > SPARE_UNITS + (MAX_UNITS_PER_SECOND * speechMs) / 1_000;
}

/**
 * Reduces decoder loops to one repetition: 多謝多謝多謝多謝多謝 becomes 多謝. Repetitions of natural length
 * (係係係, 哈哈哈哈) stay. Returns a subset of the same objects; `keyOf` defines equality.
 */
export function withoutLoops<Unit>(units: readonly Unit[], keyOf: (unit: Unit) => string): Unit[] {
  const keys = units.map(keyOf);
  const keptUnits: Unit[] = [];
  for (let at = 0; at < units.length;) {
    const loop = loopAt(keys, at);
    keptUnits.push(...units.slice(at, at + (loop?.period ?? 1)));
    at += loop?.length ?? 1;
  }
  return keptUnits;
}

/**
 * Finds the shortest period that repeats often enough at a position, and the length of all its
 * whole repetitions, in units.
 */
function loopAt(keys: readonly string[], from: number): { period: number; length: number } | null {
  const remaining = keys.length - from;
  for (let period = 1; period <= Math.min(MAX_LOOP_UNITS, remaining / MIN_LOOP_ROUNDS); period += 1) {
    let length = period;
    while (length < remaining && keys[from + length] === keys[from + length - period]) length += 1;
    const rounds = Math.floor(length / period);
    if (rounds >= (period === 1 ? MIN_LOOP_ROUNDS_OF_ONE : MIN_LOOP_ROUNDS)) return { period, length: rounds * period };
  }
  return null;
}
