import type { OtherWording, PronunciationTarget, TargetOther } from '@jyutsing/contracts/pronunciation';
import { type HeardAs, SYLLABLES, wordsAmong } from './wording-costs.ts';

/** Sounds are misheard too often for a smaller difference to tell one number from another. */
const UNSURE_COST = 0.5;

/** The unit of a text that may have other wordings. */
type Worded<U> = { afterPause: boolean; otherWordings?: readonly OtherWording<U>[] };

/**
 * The target with the wording of each number (二十三 or 廿三) that is nearest to the recognized
 * syllables, or phones in English; null if that is everywhere the usual one. Takes time in
 * proportion to the wordings and to the recording.
 */
export function chooseWordings<T extends PronunciationTarget>(target: T, recognized: readonly string[]): T | null {
  // TypeScript cannot tell that the units of a target remain those of its language.
  const chosen =
    target.language === 'english'
      ? chooseUnits(target.units, recognized, wordsAmong(target.numbers ?? []))
      : chooseUnits(target.units, recognized, SYLLABLES);
  return chosen === null ? null : ({ ...target, units: chosen } as T);
}

function chooseUnits<U extends Worded<U> & { kind: string }>(
  units: readonly (U | TargetOther)[],
  recognized: readonly string[],
  heardAs: HeardAs<U>,
): (U | TargetOther)[] | null {
  const wordingsOf = (unit: U | TargetOther): readonly OtherWording<U>[] =>
    ('otherWordings' in unit && unit.otherWordings) || [];
  if (!units.some((unit) => wordingsOf(unit).length > 0)) return null;
  const after = costsOfEnds(units, recognized, heardAs);
  const chosen: (U | TargetOther)[] = [];
  let row = [0, ...recognized.map((_, index) => index + 1)];
  let isChanged = false;
  for (let at = 0; at < units.length;) {
    const unit = units[at]!;
    const usual: OtherWording<U> = { replaces: 1, units: [unit] };
    const costOf = ({ replaces, units: spoken }: OtherWording<U>) => {
      const costs = spoken.reduce((before, next) => nextCosts(before, { unit: next, recognized, heardAs }), row);
      return Math.min(...costs.map((cost, to) => cost + after[at + replaces]![to]!));
    };
    const rivalsOf = (word: U | TargetOther) => (best === usual || isOther(word) ? [] : heardAs.rivals(word));
    let [best, lowest] = [usual, wordingsOf(unit).length === 0 ? 0 : costOf(usual)];
    for (const wording of wordingsOf(unit)) {
      const cost = costOf(wording);
      // A shorter wording is no better where the number was left out.
      if (cost < lowest && cost < costOf({ ...wording, units: [] })) [best, lowest] = [wording, cost];
    }
    // Half past nine is not what was said where half past ten is nearer.
    const { units: words } = best;
    const isRivaled = words.some((word, index) =>
      rivalsOf(word).some((rival) => costOf({ ...best, units: words.with(index, rival) }) < lowest - UNSURE_COST),
    );
    if (isRivaled) best = usual;
    isChanged ||= best !== usual;
    const wordedUnits = best.units.map((wordedUnit, index) =>
      index === 0 ? { ...wordedUnit, afterPause: unit.afterPause } : wordedUnit,
    );
    chosen.push(...wordedUnits);
    row = wordedUnits.reduce((costs, next) => nextCosts(costs, { unit: next, recognized, heardAs }), row);
    at += best.replaces;
  }
  return isChanged ? chosen : null;
}

type Comparison<U> = {
  unit: U | TargetOther;
  recognized: readonly string[];
  heardAs: HeardAs<U>;
  isReversed?: boolean;
};

/**
 * Costs of an alignment after one more unit, by the number of recognized sounds that it covers,
 * from those before the unit.
 */
function nextCosts<U extends { kind: string }>(
  before: readonly number[],
  { unit, recognized, heardAs, isReversed = false }: Comparison<U>,
): number[] {
  if (isOther(unit)) return [...before];
  const rows = heardAs.spellings(unit).map((sounds) => {
    const inOrder = isReversed ? sounds.toReversed() : sounds;
    return inOrder.reduce<readonly number[]>((row, sound) => {
      const costs = [row[0]! + 1];
      for (let index = 0; index < recognized.length; index += 1) {
        const other = row[index]! + heardAs.cost(sound, recognized[index]!);
        costs.push(Math.min(other, row[index + 1]! + 1, costs[index]! + 1));
      }
      return costs;
    }, before);
  });
  const [first = before, ...furtherRows] = rows;
  return first.map((cost, index) => furtherRows.reduce((least, row) => Math.min(least, row[index]!), cost));
}

function isOther<U extends { kind: string }>(unit: U | TargetOther): unit is TargetOther {
  return unit.kind === 'other';
}

/** For each unit, the costs of the text from there on, by the first sound that it covers. */
function costsOfEnds<U extends { kind: string }>(
  units: readonly (U | TargetOther)[],
  recognized: readonly string[],
  heardAs: HeardAs<U>,
): number[][] {
  const reversed = recognized.toReversed();
  let row = [0, ...recognized.map((_, index) => index + 1)];
  const rows = [row];
  for (const unit of units.toReversed()) {
    row = nextCosts(row, { unit, recognized: reversed, heardAs, isReversed: true });
    rows.push(row);
  }
  return rows.toReversed().map((costs) => costs.toReversed());
}
