import { rule, type ReadingRule } from './reading-rule.ts';

/** Amounts between a verb and its object: 改過好多次名. */
const COUNT = '(?:好?[一兩三四五六七八九十幾多](?:個)?(?:次|日|晚|場|鋪|陣|轉|年|鐘|月|禮拜|星期)|成[日晚朝])';
/** Aspects and amounts between them: 瞓緊覺, 瞓咗個靚覺, 瞓多陣覺. */
const BETWEEN = `(?:(?:[咗緊完過埋晒返開下吓]|[唔得]?到|唔成|極都?)(?:${COUNT}|個)?|多?${COUNT}|多[次陣鋪日晚]|[個大夠飽懶晏])(?:好|靚|大|安樂|多)?`;

/** Verbs, their object with the tone that it has, and characters after which it is another word. */
const VERBS: readonly (readonly [verbs: string, object: string, syllable: string, notBefore: string])[] = [
  ['瞓訓睡', '覺', 'gaau3', '得悟醒'],
  ['傾', '偈', 'gai2', ''],
  ['打玩', '牌', 'paai2', '照子坊匾價樓'],
  ['簽改報', '名', 'meng2', '額單牌校字次稱義師譽'],
  ['拍睇影剪', '片', 'pin2', '段面刻區'],
  ['買睇供租賣炒揀', '樓', 'lau2', '梯盤下上宇層市價面道底頂花齡書'],
  ['租訂執', '房', 'fong2', '間屋東租客價地產門子署委貸'],
  ['畫', '畫', 'waa2', ''],
  ['捉', '棋', 'kei2', '盤局王'],
  ['開散', '會', 'wui2', '唔有去嚟見令好變使'],
  ['食', '糖', 'tong2', '水果尿漿分霜不醋'],
];

/**
 * The objects of verbs that aspects and counts separate from them: 瞓緊覺 has gaau3 as 瞓覺 has. The
 * dictionary knows them together only.
 */
export const SEPARABLE_VERBS: readonly ReadingRule[] = VERBS.map(([verbs, object, syllable, notBefore]) =>
  rule(new RegExp(`(?<=[${verbs}]${BETWEEN})${object}${notBefore === '' ? '' : `(?![${notBefore}])`}`, 'gu'), syllable),
);
