import { complement } from '../report.ts';
import type { ErrorRate } from '../score.ts';
import type { Interval } from '../pronunciation/statistics.ts';
import type { FigureId } from './references.ts';

/** A measured figure in the unit of its reference; `of`: number and kind of what it is drawn from. */
export type Figure = { id: FigureId; of: string; value: number | null; interval: Interval | null };

/** Figures of a part, and why others are missing. `failures` make the exit status 1. */
export type Measured = { figures: Figure[]; skipped: string[]; failures: string[] };

/** Collects the figures of a part. */
export function createMeasured(): Measured {
  return { figures: [], skipped: [], failures: [] };
}

/** The share of errors as a figure. */
export function wrong(id: FigureId, of: string, { rate, interval, drawn, drawnFrom }: ErrorRate): Figure {
  return { id, of: drawn === 'speakers' ? `${of}, ${drawnFrom} speakers` : of, value: rate, interval };
}

/** The share of what is right as a figure. */
export function right(id: FigureId, of: string, error: ErrorRate): Figure {
  return wrong(id, of, complement(error));
}
