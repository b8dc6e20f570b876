import { manualCues, rollingRows, type Cue, type RollingRow } from './cues.ts';
import { sentencesOf, type Track } from './videos.ts';

/** Caption formats; `xml` is the oldest and the default. */
export type CaptionFormat = 'json3' | 'srv3' | 'vtt' | 'xml';

type CaptionFile = { contentType: string; body: string };

/** Cache by sentences and format, because tests request the same files hundreds of times. */
const files = new WeakMap<readonly string[], Map<string, CaptionFile>>();

/** The caption file of a track, as the platform writes it. */
export function captionFile(track: Track, format: CaptionFormat): CaptionFile {
  const sentences = sentencesOf(track);
  const cached = files.get(sentences) ?? new Map<string, CaptionFile>();
  files.set(sentences, cached);
  const key = `${format} ${track.isAutomatic} ${track.languageCode}`;
  const file = cached.get(key) ?? makeFile(track, format);
  cached.set(key, file);
  return file;
}

function makeFile(track: Track, format: CaptionFormat): CaptionFile {
  const sentences = sentencesOf(track);
  const language = track.languageCode ?? 'und';
  const body = track.isAutomatic
    ? ROLLING[format](rollingRows(sentences), language)
    : MANUAL[format](manualCues(sentences), language);
  return { contentType: CONTENT_TYPES[format], body };
}

/** The format that a link requests; the first of several. */
export function formatOf(parameters: URLSearchParams): CaptionFormat {
  const format = parameters.get('fmt');
  return format === 'json3' || format === 'srv3' || format === 'vtt' ? format : 'xml';
}

const CONTENT_TYPES: Record<CaptionFormat, string> = {
  json3: 'application/json; charset=UTF-8',
  srv3: 'text/xml; charset=UTF-8',
  vtt: 'text/vtt; charset=UTF-8',
  xml: 'text/xml; charset=UTF-8',
};

const XML_HEADER = '<?xml version="1.0" encoding="utf-8" ?>';
/** Duration for which the previous row stays on the screen with the new one. */
const ROLL_MS = 10;

const MANUAL: Record<CaptionFormat, (cues: readonly Cue[], language: string) => string> = {
  json3: (cues) =>
    json3(
      [{}],
      [{}],
      cues.map(({ startMs, durationMs, text }) => ({
        tStartMs: startMs,
        dDurationMs: durationMs,
        segs: [{ utf8: text }],
      })),
    ),
  srv3: (cues) =>
    `${XML_HEADER}<timedtext format="3">\n<body>\n${cues
      .map(({ startMs, durationMs, text }) => `<p t="${startMs}" d="${durationMs}">${escapeXml(text)}</p>\n`)
      .join('')}</body>\n</timedtext>`,
  vtt: (cues, language) =>
    vtt(
      language,
      cues.map(({ startMs, durationMs, text }) => `${span(startMs, startMs + durationMs)}\n${escapeVtt(text)}\n`),
    ),
  xml: oldXml,
};

const ROLLING: Record<CaptionFormat, (rows: readonly RollingRow[], language: string) => string> = {
  json3: (rows) => {
    const window = {
      tStartMs: 0,
      dDurationMs: (rows.at(-1)?.endMs ?? 0) + 2_000,
      id: 1,
      wpWinPosId: 1,
      wsWinStyleId: 1,
    };
    return json3(
      [{}, { mhModeHint: 2, juJustifCode: 0, sdScrollDir: 3 }],
      [{}, { apPoint: 6, ahHorPos: 20, avVerPos: 100, rcRows: 2, ccCols: 40 }],
      rows.length === 0 ? [] : [window, ...rows.flatMap((row, index) => rollingEvents(row, rows[index + 1]))],
    );
  },
  srv3: (rows) =>
    `${XML_HEADER}<timedtext format="3">\n<head>\n<ws id="0"/>\n<ws id="1" mh="2" ju="0" sd="3"/>\n<wp id="0"/>\n` +
    `<wp id="1" ap="6" ah="20" av="100" rc="2" cc="40"/>\n</head>\n<body>\n<w t="0" id="1" wp="1" ws="1"/>\n${rows
      .map((row, index) => rollingParagraphs(row, rows[index + 1]))
      .join('')}</body>\n</timedtext>`,
  vtt: (rows, language) =>
    vtt(
      language,
      rows.flatMap((row, index) => rollingCues(rows[index - 1], row, rows[index + 1])),
    ),
  xml: (rows) =>
    oldXml(
      rows.map((row, index) => ({
        startMs: row.startMs,
        durationMs: shownUntil(row, rows[index + 1]) - row.startMs,
        text: textOf(row),
      })),
    ),
};

function json3(styles: readonly object[], positions: readonly object[], events: readonly object[]): string {
  return JSON.stringify(
    { wireMagic: 'pb3', pens: [{}], wsWinStyles: styles, wpWinPositions: positions, events },
    null,
    2,
  );
}

/** A row is shown until the next one ends, because two rows are on the screen. */
function shownUntil(row: RollingRow, next: RollingRow | undefined): number {
  return next?.endMs ?? row.endMs + 2_000;
}

function rollingEvents(row: RollingRow, next: RollingRow | undefined): object[] {
  const durationMs = shownUntil(row, next) - row.startMs;
  const segs = row.words.map(({ text, offsetMs }) =>
    offsetMs === 0 ? { utf8: text, acAsrConf: 0 } : { utf8: text, tOffsetMs: offsetMs, acAsrConf: 0 },
  );
  const words = { tStartMs: row.startMs, dDurationMs: durationMs, wWinId: 1, segs };
  if (next === undefined) return [words];
  const newLine = {
    tStartMs: row.endMs - ROLL_MS,
    dDurationMs: next.endMs - row.endMs + ROLL_MS,
    wWinId: 1,
    aAppend: 1,
  };
  return [words, { ...newLine, segs: [{ utf8: '\n' }] }];
}

function rollingParagraphs(row: RollingRow, next: RollingRow | undefined): string {
  const words = row.words.map(
    ({ text, offsetMs }) => `<s${offsetMs === 0 ? '' : ` t="${offsetMs}"`} ac="0">${escapeXml(text)}</s>`,
  );
  const paragraph = `<p t="${row.startMs}" d="${shownUntil(row, next) - row.startMs}" w="1">${words.join('')}</p>\n`;
  if (next === undefined) return paragraph;
  return `${paragraph}<p t="${row.endMs - ROLL_MS}" d="${next.endMs - row.endMs + ROLL_MS}" w="1" a="1">\n</p>\n`;
}

/** Each row appears word by word below the previous one and is then shown alone for `ROLL_MS`. */
function rollingCues(before: RollingRow | undefined, row: RollingRow, next: RollingRow | undefined): string[] {
  const settings = 'align:start position:0%';
  const above = before === undefined ? ' ' : escapeVtt(textOf(before));
  const [first, ...laterWords] = row.words;
  const words = laterWords.map(({ text, offsetMs }) => `<${clock(row.startMs + offsetMs)}><c>${escapeVtt(text)}</c>`);
  const spoken = `${escapeVtt(first?.text ?? '')}${words.join('')}`;
  const cues = [`${span(row.startMs, row.endMs - ROLL_MS)} ${settings}\n${above}\n${spoken}\n`];
  if (next !== undefined) {
    cues.push(`${span(row.endMs - ROLL_MS, row.endMs)} ${settings}\n${escapeVtt(textOf(row))}\n \n`);
  }
  return cues;
}

function vtt(language: string, cues: readonly string[]): string {
  return `WEBVTT\nKind: captions\nLanguage: ${language}\n\n${cues.map((cue) => `${cue}\n`).join('')}`;
}

/** The oldest format: times in seconds, entities encoded twice. */
function oldXml(cues: readonly Cue[]): string {
  const texts = cues.map(
    ({ startMs, durationMs, text }) =>
      `<text start="${startMs / 1_000}" dur="${durationMs / 1_000}">${escapeXml(escapeXml(text))}</text>`,
  );
  return `${XML_HEADER}<transcript>${texts.join('')}</transcript>`;
}

function textOf({ words }: RollingRow): string {
  return words.map(({ text }) => text).join('');
}

function span(startMs: number, endMs: number): string {
  return `${clock(startMs)} --> ${clock(endMs)}`;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

function escapeXml(text: string): string {
  return escapeVtt(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
