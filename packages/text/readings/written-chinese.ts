/** Characters of Cantonese that written Chinese does not use. */
const CANTONESE = /[嘅咗喺唔冇啲嗰佢哋嚟嘢乜咩㗎囉喇噉咁瞓攞俾畀睇搵揾係嘞啦呀吖喎咋啫嘥吓緊咪仲邊]/u;
/** Function words of written Chinese, which Cantonese has in few words only: 的士, 不過, 在乎. */
const WRITTEN =
  /的(?![士確起骰])|[這們沒與於並該她]|他(?!命)|(?<!但)是(?![但日])|不(?![過如妥錯單斷得嬲同])|(?<![實現存內自])在(?![乎線場])|了(?![解結])/u;

/** Characters that conversation mostly reads otherwise than written Chinese does. */
export const READ_OTHERWISE: ReadonlySet<string> = new Set('下上正中當應着著聲爭近成假相使更');

/** Whether a clause is written Chinese, as in news, rather than Cantonese as it is spoken. */
export function isWrittenChinese(text: string): boolean {
  return WRITTEN.test(text) && !CANTONESE.test(text);
}
