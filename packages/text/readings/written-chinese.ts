/** Characters of Cantonese that written Chinese does not use. */
const CANTONESE = /[嘅咗喺唔冇啲嗰佢哋嚟嘢乜咩㗎囉喇噉咁瞓攞俾畀睇搵揾係嘞啦呀吖喎咋啫嘥吓緊咪仲邊]/u;
/** Function words of written Chinese, but not words with them that Cantonese has: 的士, 其他, 應該. */
const WRITTEN = new RegExp(
  [
    '(?<!目)的(?![士確起骰])',
    '[這們並她]',
    '沒(?![收落])',
    '(?<!參)與(?!其)',
    '(?<![終由關屬至等過急對])於',
    '(?<![應活])該(?!死)',
    '(?<![其結吉])他(?!命)',
    '(?<![但還凡要])是(?![但日咁必非])',
    '不(?![過如妥錯單斷得嬲同停足滿幸少安論])',
    '(?<![實現存內自好])在(?![乎線場])',
    '(?<![為除])了(?![解結])',
  ].join('|'),
  'u',
);

/** Characters that conversation mostly reads otherwise than written Chinese does. */
export const READ_OTHERWISE: ReadonlySet<string> = new Set('下上正中當應着著聲爭近成假相使更');

/** Whether a clause is written Chinese, as in news, rather than Cantonese as it is spoken. */
export function isWrittenChinese(text: string): boolean {
  return WRITTEN.test(text) && !CANTONESE.test(text);
}
