import type { AlignedSegment } from './align-text.ts';

type Interval = { text: string; startMs: number; endMs: number };

/**
 * A TextGrid of Praat (https://www.fon.hum.uva.nl/praat/manual/TextGrid_file_formats.html) with the
 * tiers sentences, words and characters, in seconds.
 */
export function formatTextGrid(segments: readonly AlignedSegment[], durationMs: number): string {
  const words = segments.flatMap((segment) => segment.words);
  const tiers = [
    ['sentences', segments],
    ['words', words],
    ['characters', words.flatMap((word) => word.characters)],
  ] as const;
  const head = [
    'File type = "ooTextFile"',
    'Object class = "TextGrid"',
    '',
    'xmin = 0',
    `xmax = ${seconds(durationMs)}`,
  ];
  const lines = [...head, 'tiers? <exists>', `size = ${String(tiers.length)}`, 'item []:'];
  tiers.forEach(([name, intervals], index) => {
    const filled = withSilence(intervals, durationMs);
    lines.push(
      `    item [${String(index + 1)}]:`,
      '        class = "IntervalTier"',
      `        name = "${name}"`,
      '        xmin = 0',
      `        xmax = ${seconds(durationMs)}`,
      `        intervals: size = ${String(filled.length)}`,
    );
    filled.forEach(({ text, startMs, endMs }, place) => {
      lines.push(
        `        intervals [${String(place + 1)}]:`,
        `            xmin = ${seconds(startMs)}`,
        `            xmax = ${seconds(endMs)}`,
        `            text = "${text.replaceAll('"', '""')}"`,
      );
    });
  });
  return `${lines.join('\n')}\n`;
}

/** A tier has no gaps: empty intervals stand for silence. Intervals without length are left out. */
function withSilence(intervals: readonly Interval[], durationMs: number): Interval[] {
  const filled: Interval[] = [];
  let endMs = 0;
  for (const interval of intervals) {
    const startMs = Math.max(endMs, interval.startMs);
    const stopMs = Math.min(durationMs, interval.endMs);
    if (stopMs <= startMs) continue;
    if (startMs > endMs) filled.push({ text: '', startMs: endMs, endMs: startMs });
    filled.push({ text: interval.text, startMs, endMs: stopMs });
    endMs = stopMs;
  }
  if (durationMs > endMs) filled.push({ text: '', startMs: endMs, endMs: durationMs });
  return filled;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
