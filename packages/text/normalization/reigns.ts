import type { TokenContext } from './tokens.ts';

/** Names of monarchs and popes in Chinese, as Hong Kong and Beijing write them. */
const IN_CHINESE =
  '伊[利莉麗丽][沙莎][伯白]|[維维]多利[亞亚]|查理斯?|查[爾尔]斯|亨利|[愛爱]德[華华]|[喬乔佐]治|威廉|占士|詹姆[斯士]|理查德?|李察|瑪麗|玛丽|路易|拿破[崙仑]|腓力|菲[臘腊]|[菲費费]利[普佩]|[約约]瑟夫|伊[凡萬万]|[奧奥][托圖图斯][卡]?|法[蘭兰][西茨茲兹]斯?|弗[朗蘭兰][西茨茲兹]斯?|阿[爾尔][貝伯]特?|艾伯特|[羅罗]伯特|曼努[埃][爾尔]|君士坦丁|查士丁尼|托勒密|大流士|[蘇苏][萊莱]曼|穆罕默德|塞利姆|克里斯蒂安|利奧波德|腓特烈|彼得|[凱叶葉][瑟薩卡][琳捷]琳?娜|尼古拉|[亞亚][歷历]山大|瑪格麗特|玛格丽特|瑪嘉烈|古斯塔夫|卡[爾尔]|哈拉[爾尔]|阿方索|[若約约]望?[翰]?[·．]?保[祿禄羅罗]|本[篤笃]|庇[護护]|方[濟济]各|利奧|[額额]我略|拉[美]?[瑪玛西]斯?|阿卜杜拉';
const NAME_IN_CHINESE = new RegExp(`(?:${IN_CHINESE})(?:大帝)?$`, 'u');
const NAME_IN_ENGLISH =
  /\b(?:Elizabeth|Victoria|Charles|Henry|Edward|George|William|James|Richard|Mary|Louis|Napoleon|Philip|Felipe|Frederick|Friedrich|Peter|Catherine|Nicholas|Alexander|Margrethe|Margaret|Gustav|Gustaf|Carl|Karl|Harald|Haakon|Alfonso|Ferdinand|Isabella|Paul|Benedict|Pius|Leo|Gregory|Clement|Innocent|Urban|Ramesses|Ramses|Abdullah|Wilhelm|Franz|Francis|Otto|Ivan|Umberto|Albert|Leopold|Christian|Cleopatra|Darius|Ptolemy|Mehmed|Murad|Selim|Suleiman) $/u;
/** A title before a name. */
const TITLE_BEFORE =
  /(?:[女國国天沙][王皇]|皇帝|大帝|教[宗皇])[\p{Script=Han}·]{1,6}$|(?:King|Queen|Pope|Emperor|Empress|Prince|Tsar|Sultan|Pharaoh)(?: \p{Lu}\p{Ll}+){1,2} $/u;
/** Deeds of a monarch after the number. */
const REIGN_AFTER = /^(?:加冕|登基|駕崩|驾崩|在位|退位|即位|繼位|继位|陛下|國王|国王|女王|皇后|教宗)/u;

/** Whether a Roman numeral between these texts tells which of several monarchs is meant. */
export function isReign({ before, after }: TokenContext): boolean {
  if (NAME_IN_CHINESE.test(before) || NAME_IN_ENGLISH.test(before) || TITLE_BEFORE.test(before)) return true;
  return /\p{Script=Han}$/u.test(before) && REIGN_AFTER.test(after);
}

/** The word 世 after the number of a monarch in Chinese, else ''; it is left out of 路易十四. */
export function reignSuffix(value: number, context: TokenContext): '世' | '' {
  if (!isReign(context) || /^ ?世/u.test(context.after)) return '';
  return value > 10 && context.before.endsWith('路易') ? '' : '世';
}
