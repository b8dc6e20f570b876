/** A speech request. */
export type SpeechRequest = { path: string; body: Readonly<Record<string, unknown>> };

/** The parts of a request, of which each can be changed. */
type Genes = {
  /** Pieces of text that are repeated together. */
  pieces: readonly string[];
  /** Characters of the whole text, before tags are counted. */
  length: number;
  /** The index of a wrapping: nothing, SSML, or SSML with an element around each repetition. */
  wrapping: number;
  pauses: number;
  endpoint: number;
  language: number;
};

export type SearchOptions = {
  seed: number;
  /** Requests to try. */
  steps: number;
  /** Seconds of pauses that a request may have at most. */
  maxPauseSeconds: number;
  voiceId: string;
};

/** The request with the highest cost, and all that cost more than a limit. */
export type SearchResult = { worst: { cost: number; request: SpeechRequest }; steps: number };

const MAX_CHARACTERS = 5_000;
const PAUSE_SECONDS = 5;
/** Share of steps that change the worst request so far; the others try something new. */
const GUIDED = 0.7;

/**
 * Searches for the request that costs the most: some requests are random, others are the worst one
 * so far with a change. The same seed and costs give the same search.
 */
export async function searchWorstSpeech(
  random: () => number,
  { steps, maxPauseSeconds, voiceId }: Omit<SearchOptions, 'seed'>,
  costOf: (request: SpeechRequest) => Promise<number>,
): Promise<SearchResult> {
  let worst: { cost: number; genes: Genes; request: SpeechRequest } | null = null;
  for (let step = 0; step < steps; step += 1) {
    const genes: Genes = worst !== null && random() < GUIDED ? changed(worst.genes, random) : randomGenes(random);
    const request = requestOf(genes, { maxPauseSeconds, voiceId });
    const cost = await costOf(request);
    if (worst === null || cost > worst.cost) worst = { cost, genes, request };
  }
  if (worst === null) throw new Error('a search needs steps');
  return { worst: { cost: worst.cost, request: worst.request }, steps };
}

const pick = <Value>(values: readonly Value[], random: () => number): Value =>
  values[Math.floor(random() * values.length)]!;

function randomGenes(random: () => number): Genes {
  return {
    pieces: Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PIECES, random)),
    length: Math.ceil(random() ** 0.3 * MAX_CHARACTERS),
    wrapping: Math.floor(random() * WRAPPINGS.length),
    pauses: random() < 0.3 ? random() : 0,
    endpoint: Math.floor(random() * ENDPOINTS.length),
    language: Math.floor(random() * LANGUAGES.length),
  };
}

function changed(genes: Genes, random: () => number): Genes {
  const other = randomGenes(random);
  const gene = pick(Object.keys(genes) as (keyof Genes)[], random);
  if (gene !== 'pieces') return { ...genes, [gene]: other[gene] };
  const at = Math.floor(random() * genes.pieces.length);
  return {
    ...genes,
    pieces: [...genes.pieces.slice(0, at), ...other.pieces, ...genes.pieces.slice(at + 1)].slice(0, 6),
  };
}

function requestOf(
  genes: Genes,
  { maxPauseSeconds, voiceId }: Pick<SearchOptions, 'maxPauseSeconds' | 'voiceId'>,
): SpeechRequest {
  const unit = genes.pieces.join('');
  const breaks = Math.floor((genes.pauses * maxPauseSeconds) / PAUSE_SECONDS);
  const text = WRAPPINGS[genes.wrapping]!(unit, genes.length, `<break time="${PAUSE_SECONDS}s"/>`.repeat(breaks));
  const { path, field, others } = ENDPOINTS[genes.endpoint]!;
  return { path, body: { [field]: text, ...others(voiceId), language: LANGUAGES[genes.language] } };
}

const repeated = (unit: string, length: number) =>
  Array.from(unit.repeat(Math.ceil(length / unit.length)))
    .slice(0, length)
    .join('');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const elements = (unit: string, length: number, open: string, close: string) =>
  `${open}${escaped(unit)}${close}`.repeat(Math.min(2_500, Math.ceil(length / unit.length)));

const WRAPPINGS: readonly ((unit: string, length: number, breaks: string) => string)[] = [
  (unit, length, breaks) => repeated(unit, length - breaks.length) + breaks,
  (unit, length, breaks) => `<speak>${escaped(repeated(unit, length))}${breaks}</speak>`,
  (unit, length, breaks) => `<speak>${elements(unit, length, '<s>', '</s>')}${breaks}</speak>`,
  (unit, length, breaks) => `<speak>${elements(unit, length, '<emphasis>', '</emphasis>')}${breaks}</speak>`,
  (unit, length, breaks) => `<speak>${elements(unit, length, '<lang xml:lang="en">', '</lang>')}${breaks}</speak>`,
  (unit, length, breaks) =>
    `<speak>${elements(unit, length, '<say-as interpret-as="characters">', '</say-as>')}${breaks}</speak>`,
  (unit, _length, breaks) => `<speak>${'<p/><!-- x -->'.repeat(10_000)}${escaped(unit)}${breaks}</speak>`,
];
const LANGUAGES = ['yue', 'en', 'zh-CN'];
const openAi = (format: string) => ({
  path: '/v1/audio/speech',
  field: 'input',
  others: () => ({ response_format: format }),
});
const ENDPOINTS = [
  ...['mp3', 'opus', 'aac', 'flac', 'wav'].map(openAi),
  { path: '/api/tts-stream', field: 'text', others: (voiceId: string) => ({ voice_id: voiceId }) },
  { path: '/api/tts', field: 'text', others: () => ({}) },
  { path: '/api/tts', field: 'text', others: () => ({ should_return_timestamp: true, output_extension: 'mp3' }) },
];
/** Text of every kind that normalization knows, and signs that could confuse it. */
const PIECES = (
  '好 三點半 你好嗎？ 9 999 1/ 9- 9: 1. a A a. a@b.c http://a www. #a @a $ $9 9% ９ + - ～ ( ) ， 。 … 「 」 &amp; <b> < ** * _ ` ``` ' +
  '[a](/b) [ ]( | |- 😀 👨‍👩‍👧 é й א \u0301 II No. Dr. U.S. 5G MP3 3.5萬 2026年 11月 21號 3:30 pm °C km ½ ² ① 〇 百 億 點 星期 第 個 nei5 lv4 nǐ ' +
  "don't iPhone × = / \\ ^ → v1.2 192.168. 1823 +852 2388-1234 21st 1990s 至 – HK$ 蚊 ‰ &#65; <!-- 还 发 后 㗎 𨋢"
)
  .split(' ')
  .concat(' ', '\n', '\u3000', 'Nov 21', ', ');
