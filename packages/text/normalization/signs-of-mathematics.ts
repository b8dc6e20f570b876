import type { Language } from '@jyutsing/contracts/transcript';

/**
 * Signs of mathematics beside those of everyday texts, as they are read in Cantonese, Mandarin and
 * English; the names are those of Unicode and of school books.
 */
// prettier-ignore
const NAMES: Readonly<Record<string, readonly [cantonese: string, mandarin: string, english: string]>> = {
  '∞': ['無限大', '无穷大', 'infinity'],
  '≠': ['不等於', '不等于', 'is not equal to'],
  '≡': ['恒等於', '恒等于', 'is identical to'],
  '≅': ['全等於', '全等于', 'is congruent to'],
  '≃': ['約等於', '约等于', 'about'],
  '≦': ['細過或等於', '小于等于', 'at most'],
  '≧': ['大過或等於', '大于等于', 'at least'],
  '∓': ['負正', '负正', 'minus or plus'],
  '∑': ['總和', '求和', 'the sum of'],
  '∏': ['連乘', '连乘', 'the product of'],
  '∫': ['積分', '积分', 'the integral of'],
  '∂': ['偏', '偏', 'partial'],
  '∇': ['梯度', '梯度', 'the gradient of'],
  '∆': ['變化', '变化', 'delta'],
  '∛': ['開三次方', '三次根号', 'the cube root of'],
  '∜': ['開四次方', '四次根号', 'the fourth root of'],
  '∝': ['正比於', '正比于', 'is proportional to'],
  '∠': ['角', '角', 'angle'],
  '⊥': ['垂直於', '垂直于', 'is perpendicular to'],
  '∥': ['平行於', '平行于', 'is parallel to'],
  '∈': ['屬於', '属于', 'is in'],
  '∉': ['不屬於', '不属于', 'is not in'],
  '⊂': ['包含於', '包含于', 'is a subset of'],
  '⊆': ['包含於', '包含于', 'is a subset of'],
  '∩': ['交', '交', 'intersection'],
  '∪': ['並', '并', 'union'],
  '∅': ['空集', '空集', 'the empty set'],
  '∀': ['對於所有', '对于所有', 'for all'],
  '∃': ['存在', '存在', 'there exists'],
  '∧': ['而且', '且', 'and'],
  '∨': ['或者', '或', 'or'],
  '¬': ['非', '非', 'not'],
  '∴': ['所以', '所以', 'therefore'],
  '∵': ['因為', '因为', 'because'],
};

/** Signs of faces too, (∩_∩) and (´∀｀): these are read between, or before, letters and numbers. */
const BETWEEN = '∧∨∩∪⊂⊆';
const BEFORE = '∀∇¬';
/** Those of (≧▽≦) are read before a number. */
const BEFORE_NUMBER = '≦≧';
const plainSigns = Object.keys(NAMES).filter((sign) => !`${BETWEEN}${BEFORE}${BEFORE_NUMBER}`.includes(sign));

/** The signs that are read anywhere, for a class of a regular expression. */
export const PLAIN_SIGNS = plainSigns.join('');

/** A pattern of the signs of the table where they are read, for a regular expression. */
export const SIGN_OF_MATHEMATICS = String.raw`[${PLAIN_SIGNS}]|[${BEFORE_NUMBER}](?=\s?\d)|[${BEFORE}](?=\s?[\p{Script=Latin}\p{N}])|(?<=[\p{Script=Latin}\p{N})]\s?)[${BETWEEN}](?=\s?[\p{Script=Latin}\p{N}(])`;

/** Returns how the signs are read in a language. */
export function namesOfSigns(language: Language): Readonly<Record<string, string>> {
  const column = { cantonese: 0, mandarin: 1, english: 2 }[language];
  return Object.fromEntries(Object.entries(NAMES).map(([sign, names]) => [sign, names[column]!]));
}
