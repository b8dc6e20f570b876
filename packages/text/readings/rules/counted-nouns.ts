import { rule, type ReadingRule } from './reading-rule.ts';

/** Words between a classifier and its noun: 間好靚嘅房, 條新片. */
const QUALITY =
  '(?:好|咁|幾|最|咁鬼)?(?:靚|大|新|舊|細|爛|長|短|平|貴|闊|窄|重|輕|薄|厚|圓|方|扁|深|淺|高|低|近|遠|正|衰|殘|空|吉|滿|濕|乾|紙|膠|木|竹|布|皮|特別|得意|古老|[紅黑白藍綠黃金銀灰紫啡橙彩](?:色)?)?嘅?';

/** Classifiers, nouns with their tones, and characters after which they are other words. */
const NOUNS: readonly (readonly [classifiers: string, noun: string, syllable: string, notBefore: string])[] = [
  ['間', '房', 'fong2', '間屋東租客價地產門子署委貸車型'],
  ['層', '樓', 'lau2', '梯盤下上宇價市面底頂'],
  ['條段', '片', 'pin2', '段面刻'],
  ['幅張', '畫', 'waa2', '面'],
  ['副隻手', '牌', 'paai2', '照子價'],
  ['個', '盒', 'hap2', '子'],
  ['個', '袋', 'doi2', '鼠住'],
  ['條盒卷', '帶', 'daai2', '子領頭路隊返去嚟埋住咗'],
  ['盤局', '棋', 'kei2', '盤局子王'],
  ['個隻', '籃', 'laam2', '球框'],
  ['個隻', '梨', 'lei2', ''],
  ['隻', '鵝', 'ngo2', '肉掌頸'],
];

/** Nouns that rise after their classifier, whatever is between: 間大房, 條新片, 盤棋. */
export const COUNTED_NOUNS: readonly ReadingRule[] = NOUNS.map(([classifiers, noun, syllable, notBefore]) =>
  rule(
    new RegExp(`(?<=[${classifiers}]${QUALITY})${noun}${notBefore === '' ? '' : `(?![${notBefore}])`}`, 'gu'),
    syllable,
  ),
);
