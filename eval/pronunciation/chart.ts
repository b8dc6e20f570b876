// Draws SVG text directly: a chart library would take more code, and its output could change
// between versions.

/**
 * Distribution of scores 0–100. `tone` selects the colour: expected to pass, to fail, or neither.
 */
export type RidgeRow = { label: string; note: string; tone: 'right' | 'wrong' | 'other'; scores: readonly number[] };

export type RidgeGroup = { heading: string; rows: readonly RidgeRow[] };

/** Scatter points: human ratings 0–10 against machine scores 0–100. */
type Scatter = { heading: string; points: readonly { human: number; machine: number }[] };

export type Picture = {
  title: string;
  subtitle: string;
  /** Pass mark. */
  mark: number;
  groups: readonly RidgeGroup[];
  scatter: Scatter | null;
};

const WIDTH = 880;
const MARGIN = 24;
const PLOT = { left: 264, right: 720 };
const ROW_HEIGHT = 46;
const GROUP_GAP = 34;
const BINS = 40;
const SCATTER_HEIGHT = 320;

/**
 * Draws distributions below each other on one axis with the pass mark, followed by the scatter
 * plot. Has a background in light or dark mode, so that it is readable on any page.
 */
export function drawPicture(picture: Picture): string {
  const parts: string[] = [];
  let y = MARGIN + 20;
  parts.push(label(MARGIN, y, picture.title, 'title'));
  y += 22;
  parts.push(label(MARGIN, y, picture.subtitle, 'note'));
  y += 20;
  const top = y;
  for (const group of picture.groups) {
    y += GROUP_GAP;
    parts.push(label(MARGIN, y - 12, group.heading, 'heading'));
    for (const row of group.rows) {
      parts.push(...drawRow(row, picture.mark, y));
      y += ROW_HEIGHT;
    }
  }
  parts.push(...drawAxis(y, 'score'), ...drawMark(picture.mark, top, y));
  y += 52;
  if (picture.scatter !== null) {
    parts.push(...drawScatter(picture.scatter, picture.mark, y));
    y += SCATTER_HEIGHT + 84;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">`,
    `<title>${escape(`${picture.title}: ${picture.subtitle}`)}</title>`,
    STYLE,
    `<rect class="page" width="${WIDTH}" height="${y}" rx="10"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

const STYLE = `<style>
svg { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", Arial, sans-serif; font-size: 13px; }
.page { fill: #ffffff; stroke: #d0d7de; }
text { fill: #1f2328; }
.title { font-size: 19px; font-weight: 600; }
.heading { font-size: 14px; font-weight: 600; }
.note, .tick { fill: #59636e; font-size: 12px; }
.line { stroke: #d0d7de; stroke-width: 1; }
.mark { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 5 4; }
.right { fill: #0f7a6e; } .wrong { fill: #c2491d; } .other { fill: #7a6bb8; }
.dot { fill: #0f7a6e; fill-opacity: 0.4; }
@media (prefers-color-scheme: dark) {
  .page { fill: #0d1117; stroke: #3d444d; }
  text { fill: #e6edf3; }
  .note, .tick { fill: #9198a1; }
  .line { stroke: #3d444d; }
  .mark { stroke: #e6edf3; }
  .right { fill: #3fb5a5; } .wrong { fill: #f0814f; } .other { fill: #a698e0; }
  .dot { fill: #3fb5a5; }
}
</style>`;

function drawRow({ label: name, note, tone, scores }: RidgeRow, mark: number, top: number): string[] {
  const base = top + ROW_HEIGHT - 6;
  const passing = scores.filter((score) => score >= mark).length;
  const share = scores.length === 0 ? '–' : `${((100 * passing) / scores.length).toFixed(1)} %`;
  return [
    label(MARGIN, base - 16, name),
    label(MARGIN, base - 1, note, 'note'),
    `<path class="${tone}" d="${steps(histogram(scores), base, ROW_HEIGHT - 14)}"/>`,
    `<line class="line" x1="${PLOT.left}" x2="${PLOT.right}" y1="${base}" y2="${base}"/>`,
    label(PLOT.right + 18, base - 16, `${share} pass`),
    label(PLOT.right + 18, base - 1, `of ${grouped(scores.length)}`, 'note'),
  ];
}

/** Counts scores per bin of equal width; 100 belongs to the last bin. */
export function histogram(scores: readonly number[]): number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const score of scores) counts[Math.min(BINS - 1, Math.max(0, Math.floor((score / 100) * BINS)))]! += 1;
  return counts;
}

/** Outline of histogram bars, the highest `height` high. */
function steps(counts: readonly number[], base: number, height: number): string {
  const highest = Math.max(1, ...counts);
  const width = (PLOT.right - PLOT.left) / counts.length;
  const corners = counts.map((count, bin) => {
    const y = fixed(base - (count / highest) * height);
    return `V${y}H${fixed(PLOT.left + (bin + 1) * width)}`;
  });
  return `M${PLOT.left} ${base}${corners.join('')}V${base}Z`;
}

function drawAxis(y: number, name: string): string[] {
  const ticks = [0, 20, 40, 60, 80, 100].flatMap((score) => [
    `<line class="line" x1="${xOf(score)}" x2="${xOf(score)}" y1="${y}" y2="${y + 5}"/>`,
    label(xOf(score), y + 19, String(score), 'tick', 'middle'),
  ]);
  return [...ticks, label(PLOT.right + 18, y + 19, name, 'tick')];
}

function drawMark(mark: number, top: number, bottom: number): string[] {
  const x = xOf(mark);
  return [
    `<line class="mark" x1="${x}" x2="${x}" y1="${top + 6}" y2="${bottom}"/>`,
    label(x, top + 1, `passes at ${mark}`, 'tick', 'middle'),
  ];
}

function drawScatter({ heading, points }: Scatter, mark: number, top: number): string[] {
  const y0 = top + 26;
  const yOf = (machine: number) => fixed(y0 + SCATTER_HEIGHT * (1 - machine / 100));
  const ticks = [0, 2, 4, 6, 8, 10].flatMap((human) => [
    `<line class="line" x1="${xOf(human * 10)}" x2="${xOf(human * 10)}" y1="${y0}" y2="${y0 + SCATTER_HEIGHT + 5}"/>`,
    label(xOf(human * 10), y0 + SCATTER_HEIGHT + 19, String(human), 'tick', 'middle'),
    `<line class="line" x1="${PLOT.left - 5}" x2="${PLOT.right}" y1="${yOf(human * 10)}" y2="${yOf(human * 10)}"/>`,
    label(PLOT.left - 10, Number(yOf(human * 10)) + 4, String(human * 10), 'tick', 'end'),
  ]);
  return [
    label(MARGIN, top + 6, heading, 'heading'),
    ...ticks,
    `<line class="mark" x1="${PLOT.left}" x2="${PLOT.right}" y1="${yOf(mark)}" y2="${yOf(mark)}"/>`,
    label(PLOT.right + 18, Number(yOf(mark)) + 4, `passes at ${mark}`, 'tick'),
    ...points.map(({ human, machine }) => `<circle class="dot" cx="${xOf(human * 10)}" cy="${yOf(machine)}" r="2.8"/>`),
    label((PLOT.left + PLOT.right) / 2, y0 + SCATTER_HEIGHT + 40, 'mean of the raters (0–10)', 'tick', 'middle'),
    label(MARGIN, y0 + SCATTER_HEIGHT / 2 - 8, 'score of the machine', 'tick'),
    label(MARGIN, y0 + SCATTER_HEIGHT / 2 + 8, '(0–100)', 'tick'),
  ];
}

function xOf(score: number): string {
  return fixed(PLOT.left + ((PLOT.right - PLOT.left) * score) / 100);
}

function label(x: number | string, y: number, text: string, className = '', anchor = ''): string {
  const attributes = [className === '' ? '' : ` class="${className}"`, anchor === '' ? '' : ` text-anchor="${anchor}"`];
  return `<text x="${x}" y="${fixed(y)}"${attributes.join('')}>${escape(text)}</text>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Formats 12345 as 12,345 independent of locale. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

function fixed(value: number): string {
  return String(Number(value.toFixed(1)));
}
