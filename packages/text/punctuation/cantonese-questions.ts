/** The previous clause of the same sentence, and the text that follows. */
export type ClauseContext = { before?: string; after?: string };

/** Particles that always mark a question. */
const QUESTION_ENDINGS =
  /(嗎|吗|咩|未|未呀|未啊|冇呀|有冇|係咪|係咪呀|係咪啊|好冇|得唔得|好唔好|可唔可以|係唔係|啱唔啱|好嗎)$/u;
/** Endings that look like a question and are none; 食咗飯都未 is one. */
const NOT_QUESTION = /(從未|並未|尚未|仍未|還未|(?<!咗[^，。]{0,4})[都亦又也]未|做咩|冇咩|唔係咩|啲咩|乜嘢都|咩都)$/u;
const PARTICLES = /[呀啊呢吖喇啦㗎先噃]+$/u;

/** 三點, 差點, 地點 and 賣點 contain no interrogative. */
const HOW = '(?<![零一二兩三四五六七八九十\\d幾早晚遲差重地景焦特優缺觀起終站賣茶捩])點';
const VERB = '(?:[做去用搞整識叫讀寫玩賣講煮計返嗌諗溝截證處設慳儲揀搭]|稱呼|下載|解釋)';
/** 十幾號, 三十幾歲: approximate, not asked. */
const HOW_MANY = '(?<![零一二兩三四五六七八九十百千\\d廿卅卌好第])幾';
/** 呢邊, 左邊 and 身邊 are sides. 左 of 咗 is corrected before. */
const WHICH = '(?<![呢嗰果這那左右兩隔身海街旁側])邊';
const COUNTED = '[個度位處間樣啲款隻條本張件場班部種日年晚架套科首課份支枝篇層隊杯]';
const WHAT = [
  '[名類人地時顏色味工歌聲餸料話款車]|科(?!技)|意思|嘢|事|分別|感覺|方法|辦法|問題|原因|情況|關係|牌子|節目|國家|語言',
  '內容|主題|計劃|興趣|特別|優惠|推介|介紹|建議|意見|藉口|用法|含意|叫',
].join('|');

/** Interrogatives in any position. */
const WORDS = new RegExp(
  [
    '點解|點樣|點算',
    `${HOW}(?:${VERB}|知[㗎呀啊]|會|可以|可能|能夠|先[有算出得可會]|得返)`,
    '[你我佢哋人又]點(?:會)?知',
    `點知.{0,20}㗎$|${HOW}[呀啊㗎]$`,
    `${WHICH}(?:${COUNTED}|有|方面)`,
    '幾時|幾多|幾耐|幾錢|幾遠|(?<![都算好冇唔係])幾大',
    `${HOW_MANY}[點號]|[住喺去]幾樓`,
    '星期幾|禮拜幾',
    '乜嘢|咩嘢|做乜|做咩|為咩|為乜|係咩|緊咩|緊乜|係乜|乜誰|誰|何時',
    `咩(?:${WHAT})`,
    '有咩(?:[好幫可要玩食]|唔[同妥啱])',
    '(?<![一肯決])定係|使唔使|是否|可否|能否|有否|有無|唔通|第幾|究竟|到底',
  ].join('|'),
  'u',
);
/** Interrogatives at the end, particles aside; within a clause they may count: 有幾個人話我知. */
const LAST_WORDS = new RegExp(
  [
    '(?:(?:想|(?<!唔)會|係|又|覺得|應該|(?<!唔)要|[而依]家|最後|之後|過成|(?<!唔)可以|[你佢])點|^點|[去喺住返瞓](?:咗|到)?邊)$',
    `有幾(?:[高大長重深闊快難好靚勁]|[個位]人)$|[你佢哋共度]有幾[個位]$`,
    `要[^，。]{0,2}幾(?:分鐘|個鐘頭?|日|年|個月)$`,
    `(?<!(?:[大細差][我你佢]|[老大細差後早過多少得咗先我呢嗰])哋?)${HOW_MANY}歲$`,
    '貴姓$',
  ].join('|'),
  'u',
);
/** 食唔食, 好唔好, 識唔識: the verb on both sides; 係咪 and 有冇 are contractions. */
const A_NOT_A = /(?<![唔就])(\p{Script=Han})唔\1|係咪|有冇|會唔會|可唔可以|知唔知/u;

/** Words that report a question, so that the interrogatives after them ask nothing: 我唔知佢去邊度. */
const INDIRECT = new RegExp(
  [
    '(?<!知)唔知|(?<!清)唔清楚|(?<!明)唔明|(?<!記)唔記得|(?<!理)唔理|(?<!知唔)知道|想知|就知',
    '(?:[我佢哋都先人]|即刻)知(?!唔知|覺|識|名|道)|(?<![唔你點誰個])知(?:[點邊幾]|咩(?=.))',
    '話畀|話俾|講畀|講俾|話[你我佢](?:哋)?[知聽]|話大家[知聽]',
    '睇下|睇吓|睇睇|看下|望下|聽下|聽吓|問下|問吓|問[我佢]|問過|[噉就又再]問(?=[有點邊咩幾係])|諗下|諗吓',
    '(?<!唔)[搵諗睇聽估分講記查認](?:唔[到出起清]|得[出明])(?!點算|點解|點好|.{0,20}咩$)(?=.{0,20}[點邊幾乜咩誰冇唔咪])',
    `(?:講|教|分享|介紹|研究|示範|學|探討|討論|了解|解釋)\\p{Script=Han}{0,4}?點(?:樣(?!$)|${VERB})`,
    '講(?:下|吓)?點解(?=.)|(?:體驗|明白|了解|證明)[咩邊幾點](?=.)|(?:介紹|解釋)[^，。]{0,12}?有咩',
    '(?<!你(?:哋)?[要會]?)(?:考慮|決定)|視乎|取決於|(?<!你)睇(?:返)?(?:[你佢](?:哋)?|大家)',
    '(?:重點|問題|關鍵)(?:就)?係(?![咩乜邊]|點解)',
    '(?:即使|就算|儘管)[^，。]{0,3}[幾點邊咩乜]',
    '無論|不論|唔論|冇乜|冇咩|冇邊|唔係好|冇幾|唔使幾|唔係[咩乜點](?!$)',
  ].join('|'),
  'u',
);
/** Ends of a clause before a report, if the clause is the question that is reported: 佢去咗邊我唔知. */
const TOPIC_BEFORE = /(?:[我佢人]|哋|(?<!有)冇|都|又|先|就|真係)$/u;
/** Beginnings that make a clause a question although it reports one: 點解你唔知, 可唔可以話我知. */
const ASKED_FIRST = /^[咁噉你佢哋]{0,3}(?:點解|做咩|做乜|唔通)/u;
/** The announcement of a question that follows after a pause: 等我話你聽，點解. */
const ANNOUNCED = /[話講](?:畀|俾)?(?:[你我佢](?:哋)?|大家)[知聽]$/u;

/** Statements that hold for any answer: 邊個都得, 點做都得. */
const ANY = new RegExp(
  `(?:邊個|邊度|點樣|${HOW}(?![解知會可算先])|幾多|幾大|幾時|乜嘢|咩|誰|有冇)[^，。]{0,6}[都亦]|乜[^，。]{0,2}[都亦]` +
    '|(?:邊個|邊度|點樣|幾多|幾時|乜嘢|誰|有冇)[^，。]{0,6}又' +
    '|有[咩乜](?:[^，。]{0,4}(?:就|記得|隨時)|(?:問題|事|需要|意見)可以)',
  'u',
);
/** The same interrogative twice, which asks nothing: 想食幾多就食幾多. */
const SAME_TWICE = /(邊個|邊度|幾多|幾時|[咩乜]|點(?!解))[^，。]{0,6}(?:就|咪|得)[^，。]{0,4}\1/u;
/** A verb on both sides of 唔 that covers both cases and asks nothing: 去唔去都要, 信唔信由你, 去唔去我都去. */
const EITHER_WAY =
  /(?![會可知覺])(\p{Script=Han})唔(?:\1(?:[意得到起咗識]|埋)?[^，。]?(?:都(?!係咪)|由[你佢])|\1(?<![係想記明])\p{Script=Han}{0,2}[我你佢]哋?都[要會照]?\1)/u;
const EITHER_WAY_BEFORE_PAUSE = /(\p{Script=Han})唔\1\p{Script=Han}{0,2}，(?:[我佢]哋?)?都[要會照]?\1/u;

/** 唔通 rules out a report, and 咩 asks about the report itself: 你唔知咩. */
const REPROACH = /(?<![行走講])唔通(?=.{2})|你(?:哋)?唔(?:知道?|記得|明白?)咩$|你(?:估|以為)我.{1,6}咩$/u;

/** Alternatives to choose from: 要定唔要, 堂食定外賣. */
const CHOICE =
  /(?<![一決肯固穩約])(\p{Script=Han})定唔\1|(?:堂食|外賣|食|拎走)定(?:外賣|堂食|拎走)|[凍熱](?:飲|嘅)?定[凍熱]|呢[個隻款件]\p{Script=Han}{0,2}定嗰[個隻款件]/u;
/** The question of a waiter for the number of guests. */
const HOW_MANY_PEOPLE = /^請?問?幾(?:多)?位[呀啊]?$|^邊位[呀啊]?$/u;

/** Whether a clause of Cantonese asks a question. */
export function isCantoneseQuestion(text: string, { before = '', after = '' }: ClauseContext = {}): boolean {
  if (/(?:[嗎吗]|[下吓]話)$/u.test(text)) return true;
  if (REPROACH.test(text) || HOW_MANY_PEOPLE.test(text)) return true;
  // 我呢 is a topic, 你呢 a question.
  if (/^(咁|噉)?[你佢](哋)?呢$/u.test(text)) return true;
  if (/請問(?!過|一聲|你[一件個])(?=.{2})(?!.{0,30}(?:嘅話|嘅時候|嗰陣時?)$)/u.test(text)) return true;
  if (ANNOUNCED.test(before) || EITHER_WAY.test(text)) return false;
  if (EITHER_WAY_BEFORE_PAUSE.test(`${text}，${after}`)) return false;
  const reported = INDIRECT.exec(text);
  if (reported !== null) return isAskedBefore(text, reported);
  const bare = text.replace(PARTICLES, '');
  if (QUESTION_ENDINGS.test(bare) && !NOT_QUESTION.test(bare)) return bare.length > 1;
  const any = ANY.exec(text);
  if (any !== null || SAME_TWICE.test(text)) return any !== null && A_NOT_A.test(text.slice(0, any.index));
  if (CHOICE.test(bare) && !/[都亦]/u.test(bare)) return true;
  if (/點知[㗎呀啊呢]*$/u.test(text)) return true;
  return WORDS.test(text) || A_NOT_A.test(text) || LAST_WORDS.test(bare);
}

/** Whether the words before a reported question ask: 你可唔可以話我知佢去邊. */
function isAskedBefore(text: string, reported: RegExpExecArray): boolean {
  const main = text.slice(0, reported.index);
  if (ASKED_FIRST.test(main)) return !/我(?:哋)?(?:都|又|真係)?$/u.test(main);
  if (ANY.test(text) || TOPIC_BEFORE.test(main)) return false;
  const isLast = text.replace(/[咗晒呀啊呢吖喇啦㗎𡃉嚹囖喎]+$/u, '').endsWith(reported[0]);
  const isUnknown = /[唔冇]/u.test(reported[0]);
  return A_NOT_A.test(main) ? !(isLast && isUnknown) : !isUnknown && WORDS.test(main);
}
