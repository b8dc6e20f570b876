import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { detectTranscriptLanguage } from '@jyutsing/text/summary/languages';
import { toHongKong, toSimplified } from '@jyutsing/text/script/convert-script';

/** A question as parsed by the fake model. */
export type ReadQuestion = {
  kind: 'summary' | 'notes' | 'final' | 'rewrite' | 'unknown';
  language: SummaryLanguage;
  /** The strings of the data in order; empty when the user message is not one JSON object. */
  texts: string[];
  title: string | null;
};

/** Summaries that pass all checks: language, script, wording, plain text. */
export const RIGHT_SUMMARIES: Readonly<Record<SummaryLanguage, string>> = {
  cantonese:
    '呢條片講香港嘅茶餐廳點解咁受歡迎。佢哋話喺六十年代，好多人冇錢食西餐，所以先有啲平價嘅嘢食。而家舖租貴咗好多，老闆唔知仲頂唔頂得順。',
  mandarin:
    '这段视频介绍了香港的茶餐厅为什么这么受欢迎。他们说，六十年代很多人没有钱吃西餐，所以才有了这些便宜的食物。现在租金贵了很多，老板不知道还能不能坚持下去。',
  english:
    'The video explains why the tea restaurants of Hong Kong are so popular. In the sixties many people could not afford Western food, so these places sold it for less. Rents have risen since, and the owners do not know whether they can go on.',
  japanese:
    'この動画は、香港の茶餐廳がなぜ人気なのかを説明している。六十年代には洋食を食べられない人が多かったため、安い料理を出す店が生まれた。今は家賃が上がり、店主たちは続けられるか分からないと話している。',
  korean:
    '이 영상은 홍콩의 차찬텡이 왜 인기가 많은지 설명한다. 육십 년대에는 양식을 먹을 돈이 없는 사람이 많아서 값싼 음식을 파는 가게가 생겼다. 지금은 임대료가 많이 올라 주인들은 계속할 수 있을지 모른다고 말한다.',
};

/** Cantonese and Mandarin in the other script; other languages as text in another language. */
export function inWrongScript(summary: string, language: SummaryLanguage): string {
  if (language === 'cantonese') return toSimplified(summary);
  return language === 'mandarin' ? toHongKong(summary) : inAnotherLanguage(language);
}

const CANTONESE_TO_MANDARIN = [
  ['佢哋', '他們'],
  ['佢', '他'],
  ['嘅', '的'],
  ['係', '是'],
  ['唔', '不'],
  ['喺', '在'],
  ['咗', '了'],
  ['冇', '沒有'],
  ['呢', '這'],
  ['嗰', '那'],
  ['啲', '些'],
  ['點解', '為什麼'],
  ['咁', '這麼'],
  ['而家', '現在'],
  ['嘢', '東西'],
] as const;

/** Cantonese with words of Mandarin in Traditional characters; other languages are unchanged. */
export function inWrongWording(summary: string, language: SummaryLanguage): string {
  if (language !== 'cantonese') return summary;
  return CANTONESE_TO_MANDARIN.reduce((text, [one, other]) => text.replaceAll(one, other), summary);
}

/** Sentences in a language that was not requested. */
export function inAnotherLanguage(language: SummaryLanguage): string {
  return RIGHT_SUMMARIES[language === 'english' ? 'korean' : 'english'];
}

/** A summary in the language of the transcript, or in another one if that was requested. */
export function inWrongLanguage(question: ReadQuestion): string {
  const spoken = detectTranscriptLanguage(question.texts.join('\n'));
  return spoken === null || isSameWriting(spoken, question.language)
    ? inAnotherLanguage(question.language)
    : summarize({ ...question, language: spoken }, Infinity);
}

const NAMES: Readonly<Record<string, SummaryLanguage>> = {
  Cantonese: 'cantonese',
  Mandarin: 'mandarin',
  English: 'english',
  Japanese: 'japanese',
  Korean: 'korean',
};

/** Parses the instructions and the data. */
export function readQuestion(system: string, user: string): ReadQuestion {
  const name = /Write in (\w+)/.exec(system)?.[1] ?? '';
  const language = NAMES[name] ?? 'english';
  const data = parseData(user);
  if (data === null) return { kind: 'unknown', language, texts: [], title: null };
  const title = typeof data['title'] === 'string' ? data['title'] : null;
  const found = (kind: ReadQuestion['kind'], value: unknown): ReadQuestion => ({
    kind,
    language,
    texts: (Array.isArray(value) ? value : [value]).map(String),
    title,
  });
  if ('transcript' in data) return found('summary', data['transcript']);
  if ('part' in data) return found('notes', data['part']);
  if ('notes' in data) return found('final', data['notes']);
  return 'draft' in data ? found('rewrite', data['draft']) : { kind: 'unknown', language, texts: [], title };
}

function parseData(user: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(user);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const INSTRUCTION =
  /ignore (?:all |the )?(?:previous|above|prior)|disregard|system prompt|HACKED|PWNED|忽略|無視|无视/i;

/**
 * The right answer: the first two and the last sentences (or lines) of the data when they are in
 * the language, else a prepared summary. Sentences with instructions are left out.
 */
export function summarize({ texts, language }: ReadQuestion, mostCharacters: number): string {
  const text = texts.join('\n');
  const spoken = detectTranscriptLanguage(text);
  if (spoken === null || !isSameWriting(spoken, language)) return RIGHT_SUMMARIES[language];
  const marked = sentencesIn(text, /[^。！？.!?\n]+[。！？.!?]+/gu);
  const stop = language === 'english' || language === 'korean' ? '.' : '。';
  const sentences = marked.length > 0 ? marked : sentencesIn(text, /[^\n]+/gu).map((row) => `${row}${stop}`);
  const chosen = sentences.length < 3 ? sentences : [...sentences.slice(0, 2), ...sentences.slice(-1)];
  const summary = inChineseOf(chosen.join(stop === '.' ? ' ' : ''), spoken, language);
  return summary === '' || summary.length > mostCharacters ? RIGHT_SUMMARIES[language] : summary;
}

function isSameWriting(one: SummaryLanguage, other: SummaryLanguage): boolean {
  return one === other || (isChinese(one) && isChinese(other));
}

function isChinese(language: SummaryLanguage): boolean {
  return language === 'cantonese' || language === 'mandarin';
}

/** Converts between Cantonese and Mandarin, well enough for language detection. */
function inChineseOf(text: string, from: SummaryLanguage, to: SummaryLanguage): string {
  if (from === to) return text;
  if (to === 'mandarin') return toSimplified(inWrongWording(text, 'cantonese'));
  return CANTONESE_TO_MANDARIN.reduce((converted, [one, other]) => converted.replaceAll(other, one), toHongKong(text));
}

function sentencesIn(text: string, pattern: RegExp): string[] {
  return (text.match(pattern) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence.length < 300 && !INSTRUCTION.test(sentence));
}

/** Tokens of chat templates, which a tokenizer interprets anywhere in a text. */
const TEMPLATE_MARK = /<\|[a-z_]+\|>|<\/?s>|\[\/?INST\]|<\/?think>|<(?:start|end)_of_turn>|<<\/?SYS>>/i;

/** Whether there is an instruction outside the JSON data, where a model would follow it. */
export function isInstructed(system: string, user: string): boolean {
  if (TEMPLATE_MARK.test(user)) return true;
  return INSTRUCTION.test(system) || (parseData(user) === null && INSTRUCTION.test(user));
}

/**
 * Counts tokens independently of the engine, similar to Llama 2: words by letters, East Asian
 * characters by rarity, one per symbol and digit.
 */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const [word] of text.matchAll(/[A-Za-z]+|[^A-Za-z]/gu)) {
    if (/^[A-Za-z]/.test(word)) tokens += Math.ceil(word.length / 4);
    else if (word === ' ') tokens += 0.1;
    else if (/[嘅喺咗唔佢哋啲嘢冇嗰嚟㗎]/u.test(word)) tokens += 2.6;
    else if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(word)) tokens += 1.6;
    else if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) tokens += 1.1;
    else tokens += Math.max(1, Buffer.byteLength(word) / 2.5);
  }
  return Math.ceil(tokens);
}
