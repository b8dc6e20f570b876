import { shippedClauseModel } from '#packages/text/boundaries/clause-odds.ts';
import { oddsOf } from '#packages/text/boundaries/regression.ts';
import { isClauseEnd } from '@jyutsing/text/punctuation/punctuate';
import { positionsOf, readClauses } from '../../training/clause-ends/read-clauses.ts';
import { asTable, percent, type TableFormat } from '../report.ts';

/** Pauses for which the marks are counted, ms. */
const PAUSES_MS = [0, 200, 400, 600, 800];

type MarksOptions = { texts: string; format: TableFormat };

/**
 * How often marks are set after clauses and elsewhere, were there a pause of that length, in the
 * held-out part of the texts that the model was fitted on.
 */
export async function runMarks({ texts, format }: MarksOptions): Promise<void> {
  const model = shippedClauseModel();
  const sources = Map.groupBy(
    (await readClauses(texts)).filter(({ isHeldOut }) => isHeldOut),
    ({ source }) => source,
  );
  const rows: string[][] = [];
  for (const [source, clauseTexts] of sources) {
    const places = clauseTexts
      .flatMap((text) => positionsOf(text, model.characters))
      .map(({ features, ends }) => ({ odds: oddsOf(model, features), ends }));
    const ends = places.filter((place) => place.ends !== null);
    const innerPlaces = places.filter((place) => place.ends === null);
    for (const pauseMs of PAUSES_MS) {
      const marked = (group: typeof places) => group.filter(({ odds }) => isClauseEnd(odds, pauseMs)).length;
      const [right, wrong] = [marked(ends), marked(innerPlaces)];
      const precision = pauseMs === 0 ? percent(right / (right + wrong)) : '–';
      rows.push([
        source,
        String(ends.length),
        String(pauseMs),
        percent(right / ends.length),
        percent(wrong / innerPlaces.length),
        precision,
      ]);
    }
  }
  const header = ['held-out text', 'clauses', 'pause, ms', 'marked at ends', 'marked elsewhere', 'of the marks right'];
  console.log(asTable(header, rows, format));
}
