/**
 * Unifies the spelling of the Cantonese corpora: a few glyphs and obvious phonetic spellings.
 * This list is separate from `packages/text/script/hong-kong-forms.ts`, which normalizes recognizer
 * output and changes with it, while every change here changes the model.
 */
const USUAL_FORMS: Readonly<Record<string, string>> = {
  羣: '群',
  牀: '床',
  衞: '衛',
  揾: '搵',
  麪: '麵',
  峯: '峰',
  裡: '裏',
  哂: '晒',
  嗮: '晒',
  臺: '台',
  俾: '畀',
  爲: '為',
  溼: '濕',
  檯: '枱',
  綫: '線',
  啓: '啟',
  衆: '眾',
  鷄: '雞',
};

/**
 * Phonetic spellings of Cantonese words. Each rule gives a context in which the written character
 * cannot be meant literally; ambiguous text stays unchanged.
 */
const SPOKEN_WORDS: readonly (readonly [pattern: RegExp, to: string])[] = [
  [/(?<=[我你佢人])地(?![方點址區位理球圖面板產盤])/gu, '哋'],
  [/鐘(?=意)/gu, '鍾'],
  [/訓(?=覺|着)/gu, '瞓'],
  [/(?<![學科體星派譜色直母父院語文關聯干聲])系(?![統列所主])/gu, '係'],
  [/既(?![然定有得往成是]|.*[又且亦])/gu, '嘅'],
  [/(?<![向靠轉右偏])左(?![右手邊面腳腿耳眼翼派近轉側傾丁])/gu, '咗'],
  [/(?<=[過入出返上落起帶攞拎搵])黎|黎(?=緊|咗|到)/gu, '嚟'],
  [/番(?=嚟|去|屋企|工|學)/gu, '返'],
  [/依(?=[個啲度])/gu, '呢'],
  [/依家/gu, '而家'],
  [/(?<![如結效後水成因蘋糖])果(?=[個啲度陣])/gu, '嗰'],
  [/岩岩/gu, '啱啱'],
  [/(?<=唔)岩|岩(?=先)/gu, '啱'],
  [/(?<![書車衣打框高吵單飛綁擔骨貨支])架(?=[嘛喎啦喇咋啩]|[，。！？]|$)/gu, '㗎'],
  [/咁(?=樣)/gu, '噉'],
  [/着(?=[名作者])/gu, '著'],
  [/(?<=[顯原名編巨])着/gu, '著'],
];

const USUAL_PATTERN = new RegExp(`[${Object.keys(USUAL_FORMS).join('')}]`, 'gu');

/** Unifies the spelling of traditional text; every character maps to exactly one. */
export function corpusSpelling(text: string): string {
  const usual = text.replace(USUAL_PATTERN, (char) => USUAL_FORMS[char] ?? char);
  return SPOKEN_WORDS.reduce((line, [pattern, to]) => line.replace(pattern, to), usual);
}
