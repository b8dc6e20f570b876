import { complement } from '../report.ts';
import type { ErrorRate } from '../score.ts';
import type { Interval } from '../pronunciation/statistics.ts';
import type { FigureId } from './references.ts';

/** A measured figure in the unit of its reference; `of`: number and kind of what was measured. */
export type Figure = { id: FigureId; of: string; value: number | null; interval: Interval | null };

/** Figures of a part, and why others are missing. `failures` make the exit status 1. */
export type Measured = { figures: Figure[]; skipped: string[]; failures: string[] };

/** Collects the figures of a part. */
export function createMeasured(): Measured {
  return { figures: [], skipped: [], failures: [] };
}

type Drawn = 'speakers' | 'recordings';

/**
 * The share of errors as a figure. `drawn`: what the groups of the bootstrap are, where there are
 * several measurements in a group.
 */
export function wrong(id: FigureId, of: string, error: ErrorRate, drawn: Drawn = 'speakers'): Figure {
  const { rate, interval, drawnFrom } = error;
  return { id, of: error.drawn === 'speakers' ? `${of}, ${drawnFrom} ${drawn}` : of, value: rate, interval };
}

/** The share of what is right as a figure. */
export function right(id: FigureId, of: string, error: ErrorRate, drawn: Drawn = 'speakers'): Figure {
  return wrong(id, of, complement(error), drawn);
}
