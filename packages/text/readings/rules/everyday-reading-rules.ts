import { rule, type ReadingRule } from './reading-rule.ts';

/** Nouns before 上 when it is their upper side; after other words it is a verb. */
const SURFACE = '面身世晚早路街地以床樓枱檯桌網手頭臉海天山水岸陸際本實則論史會台書紙機島空牆線道理度質術';
/** Objects of 上 as a verb: vehicles to get on, things to put on, places to go to. */
const MOUNTED =
  '船(?!員)|機(?![械會構率關能制])|飛機|直升機|巴士|的士|小巴|火車|電車|地鐵|渡輪|廁所|洗手間|傳(?![統說聞媒來嚟奇])|架(?!構)|碟(?!子)|' +
  '菜(?![式單價])|油(?![價站田漬麻])|粉(?![絲紅底])|報紙|雜誌|頭條|熱搜|法庭|庭(?!院)|色(?!彩)|鎖|鏡(?!子)';

/** Verbs and objects of "to treat as": 當冇事, 當佢透明. */
const TREATED =
  '[冇無](?:[講嚟來去做聽見睇問到]|事|嘢|存在)|死咗|透明|空氣|傻|白痴|朋友|兄弟|唔(?:係|存在|見|知)|係(?!時)|玩|食生菜|小朋友|細路|人';

/** Characters before 度 "degree, place" or "system", which is no "to measure". */
export const DEGREE_BEFORE =
  '呢嗰邊喺個幾哩依零一二三四五六七八九十百半兩溫程態制速高長深寬闊難強密濕年季角額限進印調幅力軌厚濃硬亮熱精緯經再';
/** Characters before 校 "school". */
export const SCHOOL_BEFORE = '學高全分本母原各中小私院貴該男女名離入留停復';

/** Everyday words and nouns whose reading depends on their neighbors. */
export const EVERYDAY_READING_RULES: readonly ReadingRule[] = [
  rule(new RegExp(`(?<![${SURFACE}])上(?=${MOUNTED})`, 'gu'), 'soeng5'),
  // "Morning"; "dynasty" is ciu4.
  rule(/(?<=[成每第])朝(?![鮮代廷向聖])|(?<=由)朝(?=[到做打忙坐行企睇瞓])/gu, 'ziu1'),
  // "To treat as"; "when" is dong1.
  rule(new RegExp(`(?<![相適應])當(?=[我你佢]哋?(?:${TREATED})(?!.*(?:時|嗰陣|之後|嘅話)))`, 'gu'), 'dong3'),
  // "When" one, who does something, and not "to treat as one".
  rule(/(?<=^|[，。])當(?=一個人)/gu, 'dong1'),
  // "From" someone; "to let" is jau2.
  rule(/由(?=[我你佢]哋?(?:開始|第一|出世|細個|嗰|呢))/gu, 'jau4'),
  // A kind of thing; "looks" is joeng2.
  rule(/(?<=[係有])樣(?=嘢|[^，。樣]{1,5}嘅(?:嘢|事))/gu, 'joeng6'),
  // "Fake" as a predicate; "holiday" is gaa3.
  rule(/(?<=(?<!多)[好咁太幾真最])假(?=$|[，。㗎呀啊喎喇])/gu, 'gaa2'),
  // A lifetime; "to give birth" is saang1.
  rule(/(?<=[我你佢人的嘅呢]一)生(?=$|[，。嘅中都最])/gu, 'sang1'),
  // A share, without anything that it counts.
  rule(/(?<=[有冇])份(?=$|[，。㗎喇啦呀啊])/gu, 'fan2'),
  // A dish of food that is counted; a disc is dip2.
  rule(/(?<=[一二兩三四五六七八九十百千幾每半])碟/gu, 'dip6'),
  // "Meeting, society"; "will" is wui5.
  rule(/(?<=股東|業主)會(?=$|嘅|主席|委員|成員|選舉|大會)/gu, 'wui2'),
];
