type Span = { start: number; end: number };

/** A fault of a time; `at` is the time that it may not pass. */
export type TimeFault = { kind: 'reversed' | 'overlapsLast' | 'overlapsNext' | 'beyondEnd'; at: number };

/** Formats seconds as `1:02.350`, as a field shows them. */
export function formatExactTime(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const rest = ((ms % 60_000) / 1_000).toFixed(3).padStart(6, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Reads `2.5`, `1:02.5` or `1:00:02` as seconds; null if the text is no time. */
export function parseTime(typed: string): number | null {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,3})?)$/.exec(typed.trim());
  if (parts === null) return null;
  const [, hours = '0', minutes = '0', rest = '0'] = parts;
  return Math.round((Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest.replace(',', '.'))) * 1_000) / 1_000;
}

/** Says what is wrong with new times of a segment; null when nothing is. Segments are in order. */
export function faultOfTimes(
  segments: readonly Span[],
  index: number,
  { start, end }: Span,
  duration: number,
): TimeFault | null {
  if (end <= start) return { kind: 'reversed', at: start };
  const [last, next] = [segments[index - 1], segments[index + 1]];
  if (last !== undefined && start < last.end) return { kind: 'overlapsLast', at: last.end };
  if (next !== undefined && end > next.start) return { kind: 'overlapsNext', at: next.start };
  return end > duration ? { kind: 'beyondEnd', at: duration } : null;
}
