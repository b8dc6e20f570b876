/** Text after 1/12 that shows a day and not a fraction. */
const DAY_AFTER =
  /^ ?(?:[（(]?(?:星期|禮拜|礼拜|[週周])?[一二三四五六日](?![個个成份分])[)）]?|[（(]?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|前(?!面)|[之以]?[前後后](?=$|[^一-龥]|[截交提報报發发])|起|上午|下午|早上|晚上|朝早|上晝|下晝|晏晝|夜晚|凌晨|中午|截止|放假|開始|开始|\d{1,2}(?::\d\d|[點点時时]|[ap]m)|[返開开上放]學|[返開开]工|開會|开会|考試|考试|放榜|出發|出发|生日|到期|交(?!換)|面試|覆診|打針|結婚|擺酒|出糧|入職|見(?!面?過)|遊行|派對|聚[餐會]|晚會|集合|活動|[一-龥]{2,3}[節节](?![目奏省約约制日])|中秋|除夕|元旦|冬至|端午|清明|重陽|佛誕|平安夜|新年|回歸|国庆|國慶|聖誕|圣诞|公佈|發售|開售|開賣|上映|上畫|舉行|入伙|搬|到貨|返嚟|返香港|去(?!咗)|飛)/u;
const DAY_BEFORE =
  /(?:[於于喺]|[今聽尋明昨]日|[今明昨]天|日期|[租訂節假期]日係|(?:日期|生日|假期|節日|节日|死線|截止日|開學日|開幕日)[係是]|生日|放假|由|[定訂订]在|改到|改期到|改咗|延期到|推遲到|推迟到|押後到|(?<!\p{L})(?:deadline|due(?: date)?|date)(?:[係系是]|:|：| is)?|on )[（(：:]? ?$/iu;
/** A round of a competition is a fraction: 1/8決賽. */
const ROUND_AFTER = /^ ?(?:準?決賽|强|強)/u;
/** The other end of a span of days: 3/11-7/11. */
const SPAN_AFTER = /^ ?[-–—~～至到] ?(?:0?[1-9]|[12]\d|3[01])(?:\/(?:0?[1-9]|[12]\d|3[01]))?(?![\d/])/u;
const SPAN_BEFORE = /\d{1,2}\/\d{1,2} ?[-–—~～至到] ?$/u;

/** Events, which have a day and no share of something: 3/4拎貨, 1/2出世. */
const EVENT_AFTER =
  /^ ?(?:出世|入學|入讀|[拎攞取收送寄出]貨|[交收入]樓|走(?![咗晒])|出街|食飯|睇(?:醫生|戲|show|騷)|行山|婚禮|抽籤|收爐|啟市|啓市|[開停復補上落]課|[開初]賽|開[波鑼庭檔幕館倉標盤餐]|派(?:成績|錢|卷|位|飯|籌)|[加減]價|停[水電產運]|封路|罷工|上堂|落堂|[上落]機|[回返]港|返(?:大陸|屋企|鄉下)|[出入]院|做(?:手術|gym|facial)|打(?:波|風)|BBQ|首[播映賣演日]|播出|生效|實施|截標|退房|入住|續約|續租|報[名到稅]|集隊|測驗|默書|家長日|[陸水]運會|旅行|面世|推出|結業|試業|執笠|演唱會|婚宴|滿月|百日宴|做節|拜山|過關|除牌|除淨|[派供]股|上市|招股)/u;

/** Context of a share in Cantonese: 佔5/12, 食咗1/6, 3/8嘅人. */
const SHARE_BEFORE =
  /(?:[佔占](?:.{0,6}(?:人口|總數|比例|面積|收入|開支|人數)|全部|整體|全年|大約|超過|咗|了)?|[約有過得剩近食飲用切分減加升跌除乘打輸贏取第=＝×+x]|[得剩][返低]|[減降跌縮升增]到|(?<![約定訂改夾揀])咗|大約|超過|接近|不足|少過|多過|等於|答案[係是]|機會率?[係是]?|比例[係是]?|[概機功中勝敗或然比佔]率[係是]?|分數[係是]?|只係) ?$/u;
const SHARE_AFTER =
  /^ ?(?:[個个隻杯匙份盒包人嘅的成磅米寸吋倍度支樽塊頁條票]|分(?![鐘钟手開开享數数組组])|以上|左右|茶匙|湯匙|小時|size|cup)/u;
/** Denominators from here on are rather months, where nothing tells a share. */
const FIRST_MONTH = 6;

/** Whether the text around a day and a month tells that they are no fraction. */
export function isToldDay(before: string, after: string): boolean {
  if (ROUND_AFTER.test(after)) return false;
  return DAY_AFTER.test(after) || DAY_BEFORE.test(before) || SPAN_AFTER.test(after) || SPAN_BEFORE.test(before);
}

/**
 * Whether a fraction in Cantonese is rather a day: 5/12 and 6/9 are, in Hong Kong, unless they are
 * a share of something or the whole text; 1/2 and 3/4 are not.
 */
export function isLikelyDay(month: number, before: string, after: string): boolean {
  if (before.trim() === '' && after.trim() === '') return false;
  if (month > 12 || SHARE_BEFORE.test(before)) return false;
  if (EVENT_AFTER.test(after)) return true;
  return month >= FIRST_MONTH && !ROUND_AFTER.test(after) && !SHARE_AFTER.test(after);
}
