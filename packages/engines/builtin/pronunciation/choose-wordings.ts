import type { OtherWording, PronunciationTarget, TargetOther, TargetSyllable } from '@jyutsing/contracts/pronunciation';

type SyllabicTarget = Exclude<PronunciationTarget, { language: 'english' }>;
type Unit = TargetSyllable | TargetOther;

/** Costs of another tone or onset, beside 1 for another or a missing syllable. */
const OTHER_TONE = 0.4;
const OTHER_ONSET = 0.7;
const RIME = /[aeiou].*|m\d|ng\d/u;

/**
 * The target with the wording of each number that is nearest to the recognized syllables (二十三 or
 * 廿三); null if that is everywhere the usual one. Takes time in proportion to the wordings and to
 * the recording.
 */
export function chooseWordings(target: SyllabicTarget, recognized: string): SyllabicTarget | null {
  if (!target.units.some((unit) => wordingsOf(unit).length > 0)) return null;
  const spoken = recognized.split(' ').filter((syllable) => syllable !== '');
  const after = costsOfEnds(target.units, spoken);
  const units: Unit[] = [];
  let row = spoken.map((_, index) => index + 1);
  row.unshift(0);
  let isChanged = false;
  for (let at = 0; at < target.units.length;) {
    const unit = target.units[at]!;
    const usual: OtherWording = { replaces: 1, units: [unit] };
    const costOf = ({ replaces, units: spokenUnits }: OtherWording) => {
      const costs = spokenUnits.reduce((before, next) => nextCosts(before, next, spoken), row);
      return Math.min(...costs.map((cost, to) => cost + after[at + replaces]![to]!));
    };
    let [best, lowest] = [usual, wordingsOf(unit).length === 0 ? 0 : costOf(usual)];
    for (const wording of wordingsOf(unit)) {
      const cost = costOf(wording);
      // A shorter wording is no better where the number was left out.
      const isHeard = cost < costOf({ ...wording, units: [] });
      if (isHeard && cost < lowest) [best, lowest] = [wording, cost];
    }
    isChanged ||= best !== usual;
    const chosen = best.units.map((chosenUnit, index) =>
      index === 0 ? { ...chosenUnit, afterPause: unit.afterPause } : chosenUnit,
    );
    units.push(...chosen);
    row = chosen.reduce((costs, next) => nextCosts(costs, next, spoken), row);
    at += best.replaces;
  }
  return isChanged ? { ...target, units } : null;
}

const wordingsOf = (unit: Unit): readonly OtherWording[] =>
  unit.kind === 'syllable' ? (unit.otherWordings ?? []) : [];

/**
 * Costs of an alignment after one more unit, by the number of recognized syllables that it covers,
 * from those before the unit.
 */
function nextCosts(before: readonly number[], unit: Unit, spoken: readonly string[]): number[] {
  if (unit.kind === 'other') return [...before];
  const costs = [before[0]! + 1];
  for (const [index, syllable] of spoken.entries()) {
    costs.push(Math.min(before[index]! + costOfReading(unit, syllable), before[index + 1]! + 1, costs[index]! + 1));
  }
  return costs;
}

/** For each unit, the costs of the text from there on, by the first syllable that it covers. */
function costsOfEnds(units: readonly Unit[], spoken: readonly string[]): number[][] {
  const reversed = spoken.toReversed();
  let row = [0, ...spoken.map((_, index) => index + 1)];
  const rows = [row];
  for (const unit of units.toReversed()) {
    row = nextCosts(row, unit, reversed);
    rows.push(row);
  }
  return rows.toReversed().map((costs) => costs.toReversed());
}

function costOfReading({ readings }: TargetSyllable, syllable: string): number {
  if (readings.includes(syllable)) return 0;
  const spoken = partsOf(syllable);
  const parts = readings.map(partsOf);
  if (parts.some(({ toneless }) => toneless === spoken.toneless)) return OTHER_TONE;
  return parts.some(({ rime }) => rime === spoken.rime) ? OTHER_ONSET : 1;
}

type Parts = { toneless: string; /** With the tone. */ rime: string };
const partsBySyllable = new Map<string, Parts>();

/** There are some thousands of syllables at most, and each is compared very often. */
function partsOf(syllable: string): Parts {
  let parts = partsBySyllable.get(syllable);
  if (parts === undefined) {
    parts = { toneless: syllable.slice(0, -1), rime: RIME.exec(syllable)?.[0] ?? '' };
    partsBySyllable.set(syllable, parts);
  }
  return parts;
}
