/** One syllable of a phrase during tone sandhi. */
export type Syllable = {
  /** The character in Simplified writing. */
  char: string;
  /** Pinyin without its tone: `zhong`, `lv`. */
  base: string;
  /** The tone, 1 to 4; 5 is the neutral tone. */
  tone: number;
};

/** A prosodic foot, by syllable index: `to` is exclusive. */
export type Foot = { from: number; to: number };

const NEUTRAL = 5;
const DIGIT = /[零〇一二两三四五六七八九幺]/u;
/** 一 is an ordinal or a name here: first, January, the first of a month, on the first floor. */
const NAMED_AFTER = /[月号楼]/u;
const NAMED_BEFORE = /[第初十期拜周之点零〇幺]/u;

/**
 * Changes tones as they are spoken: 不 and 一 by the next syllable, then chains of third tones,
 * within a foot from the left, between feet from the right. Modern standard Mandarin (Duanmu, The
 * Phonology of Standard Chinese, chapters 11 and 12).
 */
export function applySandhi(syllables: readonly Syllable[], feet: readonly Foot[]): Syllable[] {
  const spoken = syllables.map((syllable) => ({ ...syllable }));
  const wordEnds = new Set(feet.filter(({ from, to }) => to - from > 1).map(({ to }) => to - 1));
  syllables.forEach(({ char }, index) => {
    const target = spoken[index]!;
    if (char === '不' && target.base === 'bu' && target.tone !== 5) target.tone = toneOfBu(syllables, index);
    if (char === '一' && target.base === 'yi' && target.tone === 1) target.tone = toneOfYi(syllables, index, wordEnds);
  });
  const original = spoken.map(({ tone }) => tone);
  for (const foot of feet) applyWithinFoot(spoken, foot);
  for (let index = feet.length - 2; index >= 0; index -= 1) {
    const last = spoken[feet[index]!.to - 1];
    const next = spoken[feet[index]!.to];
    if (last?.tone === 3 && next?.tone === 3) last.tone = 2;
  }
  softenRepeats(spoken, original, feet);
  return spoken;
}

function toneOfBu(syllables: readonly Syllable[], index: number): number {
  const before = syllables[index - 1];
  const after = syllables[index + 1];
  // 好不好, 是不是: neutral between repetitions.
  if (before !== undefined && before.char === after?.char) return NEUTRAL;
  return toneBefore(after?.tone ?? NEUTRAL);
}

/** The tone of 不, and of a 一 that counts, before this one. */
export function toneBefore(tone: number): number {
  return tone === 4 ? 2 : 4;
}

function toneOfYi(syllables: readonly Syllable[], index: number, wordEnds: ReadonlySet<number>): number {
  const before = syllables[index - 1]?.char ?? '';
  const after = syllables[index + 1];
  // The words 不一 and 会儿 are one adverb: 不一会儿.
  if (after === undefined || (wordEnds.has(index) && !(before === '不' && after.char === '会'))) return 1;
  // 数一数二 counts; 看一看 does not.
  if (before === after.char && syllables[index + 2]?.char === '二') return 1;
  if (before !== '点' && before === after.char && !DIGIT.test(before) && syllables[index - 2]?.char !== '一') return 5;
  if (/[百千万亿]/u.test(after.char)) return toneBefore(after.tone);
  if (/[加减乘除等比]/u.test(after.char) || (before === '比' && DIGIT.test(syllables[index - 2]?.char ?? ''))) return 1;
  if (before === '点' && /[分刻]/u.test(after.char)) return toneBefore(after.tone);
  if (NAMED_BEFORE.test(before) || DIGIT.test(before) || DIGIT.test(after.char)) return 1;
  if (after.char === '十' || NAMED_AFTER.test(after.char)) return 1;
  // 一点二 is a decimal number; 一点 before other words counts.
  if (after.char === '点' && DIGIT.test(syllables[index + 2]?.char ?? '')) return 1;
  if (after.char === '日' && before === '月') return 1;
  // 个 is neutral here, but 一 still changes as before a fourth tone.
  return toneBefore(after.char === '个' ? 4 : after.tone);
}

/** Three syllables of which the first is a foot of its own: 小老鼠, 很美好. */
const FIRST_ALONE = /[小老很好纸母女总副我你买有找请想打]/u;

function applyWithinFoot(spoken: Syllable[], { from, to }: Foot): void {
  const isThird = (index: number) => index < to && spoken[index]?.tone === 3;
  const size = to - from;
  if (size === 3 && isThird(from) && isThird(from + 1) && isThird(from + 2) && FIRST_ALONE.test(spoken[from]!.char)) {
    spoken[from + 1]!.tone = 2;
    return;
  }
  if (size === 4) {
    applyWithinFoot(spoken, { from, to: from + 2 });
    applyWithinFoot(spoken, { from: from + 2, to });
    if (isThird(from + 1) && isThird(from + 2)) spoken[from + 1]!.tone = 2;
    return;
  }
  for (let index = from; index < to - 1; index += 1) {
    if (isThird(index) && isThird(index + 1)) spoken[index]!.tone = 2;
  }
}

/**
 * Reduplicated verbs: the second syllable is neutral (看看); a third tone still changes the previous
 * one (想想 xiang2 xiang5).
 */
export const REPEATED_VERBS = '看听说想试走写读问等找谈聊玩坐学查尝摸猜讲练瞧逛歇躺算洗';

function softenRepeats(spoken: Syllable[], original: readonly number[], feet: readonly Foot[]): void {
  // 大学 and 学生 side by side are no reduplication.
  const starts = new Set(feet.map(({ from }) => from));
  for (let index = 1; index < spoken.length; index += 1) {
    const before = spoken[index - 1]!;
    const here = spoken[index]!;
    if (here.char !== before.char || !REPEATED_VERBS.includes(here.char) || here.base !== before.base) continue;
    const endsThere = index + 1 === spoken.length || starts.has(index + 1);
    if (!starts.has(index - 1) || !endsThere) continue;
    if (here.char === spoken[index + 1]?.char || before.char === spoken[index - 2]?.char) continue;
    if (original[index] === 3) before.tone = 2;
    here.tone = 5;
  }
}
