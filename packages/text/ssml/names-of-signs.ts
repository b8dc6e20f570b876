import type { Language } from '@jyutsing/contracts/transcript';

type Names = Readonly<Record<Language, string>>;
const names = (cantonese: string, mandarin: string, english: string): Names => ({ cantonese, mandarin, english });

/** The names of signs in a text that is spelt. */
export const NAMES_OF_SIGNS: Readonly<Record<string, Names>> = {
  '.': names('點', '点', 'dot'),
  ',': names('逗號', '逗号', 'comma'),
  ':': names('冒號', '冒号', 'colon'),
  ';': names('分號', '分号', 'semicolon'),
  '!': names('感嘆號', '感叹号', 'exclamation mark'),
  '?': names('問號', '问号', 'question mark'),
  "'": names('撇號', '撇号', 'apostrophe'),
  '"': names('引號', '引号', 'quotation mark'),
  '-': names('橫線', '横线', 'dash'),
  _: names('底線', '下划线', 'underscore'),
  '/': names('斜線', '斜线', 'slash'),
  '\\': names('反斜線', '反斜线', 'backslash'),
  '|': names('直線', '竖线', 'vertical bar'),
  '@': names('at', '艾特', 'at'),
  '#': names('井號', '井号', 'hash'),
  '*': names('星號', '星号', 'star'),
  '&': names('同', '和', 'and'),
  '+': names('加號', '加号', 'plus'),
  '=': names('等號', '等号', 'equals'),
  '%': names('百分號', '百分号', 'percent'),
  $: names('美元符號', '美元符号', 'dollar'),
  '~': names('波浪號', '波浪号', 'tilde'),
  '^': names('尖號', '脱字符', 'caret'),
  '<': names('細過', '小于', 'less than'),
  '>': names('大過', '大于', 'greater than'),
  '(': names('開括號', '左括号', 'left bracket'),
  ')': names('閂括號', '右括号', 'right bracket'),
  '[': names('開方括號', '左方括号', 'left square bracket'),
  ']': names('閂方括號', '右方括号', 'right square bracket'),
  '{': names('開大括號', '左大括号', 'left brace'),
  '}': names('閂大括號', '右大括号', 'right brace'),
};
