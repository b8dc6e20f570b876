import { rule, type ReadingRule } from './reading-rule.ts';

const DIGITS = '一二三四五六七八九';
const NUMBERS = `零〇${DIGITS}十百千萬億廿卅`;
/** Amounts: digits, and words for an uncertain one. */
const AMOUNTS = `${NUMBERS}兩幾半`;
/** Classifiers and units after which 度 is "about". */
const COUNTED = '個隻條粒杯件碗張本支枝間位份棟對箱盒包袋樽人次歲點日晚月期鐘蚊元斤磅米里呎寸噸成';

/** Words before 咪 at the beginning of a clause, where it is "don't". */
const ADDRESSED = '您|大家|各位|千祈|唔該|拜託|求你哋?|麻煩你?|快啲|仲|最好|以後|下次|即刻|同我|俾我|畀我';
/** Those who are told, before 咪: 叫佢咪嘈. */
const TOLD = '(?:叫|嗌|勸|警告|話俾|話畀|提醒|求|教|話)(?:咗)?(?:我|你|佢|人|大家|班友|啲人|個仔|個女|細路)哋?(?:聽)?';
/** Continuations of 你咪 that are rather forbidden than told. */
const FORBIDDEN =
  '[嘈阻搞玩郁走喊笑亂再咁理扮呃激煩嚇逼催掛信打鬧偷死怪插多哭吵拖逗整衰攪望掂碰摸郁惹惱嬲驚]|成日|諗住|以為|當|一味|一直|周圍|淨係|去(?!咗)|咁|食咁|講(?!過|咗)|阻住';
/** Continuations of 咪 that are never forbidden: 咪就係, 咪話咗. */
const STATED =
  '就|係|重|一樣|同|去親|即|算|仲|會|有|冇|得(?!罪)|好(?![奇笑])|啱|知|話[咗過](?!我)|[一-龥]{1,2}[咗過](?!頭|分|火|份|敏|期)';

/** Verbs that 下 makes short and casual, beside those that stand before it most often. */
const VERBS =
  '拍幫曬熨煲炒煎蒸切摺疊剪縫擦刷吹吸跳跑游爬推拉拖攬錫咬嚼舔餵揸揼擺搬抬執收派借還追捉釣種摘淋澆修補裝拆洗揉捏按貼撕揭翻摸撫扮演跟睬呃氹恰蝦笑喊嗌鬧讚多謝送接載駁改填抄計較溫背練搽踩搭騎減增壓拌燉焗燒烤炸剃梳刮刨挖擠塗噴灑鋪綁閂熄聞嚐嘗哄湊抱孭揹砌拼錄播撳掀撥搖晃扭旋敲踢踏跪蹲躺歇抖透舒伸屈彎搓搔抓篤插拔抽塞織印誦彈妝整理清燙晾攪化約問安慰反商檢調更升充拎轉返沖散換求灌識';

/** Readings that the characters around a character decide, where words do not. */
export const CONTEXT_RULES: readonly ReadingRule[] = [
  // Particles at the end of a clause; 咯血 and 嘍囉 are words.
  rule(/(?<=[\p{Script=Han}*])咯(?=$|[，。！？咯])/gu, 'lo3'),
  rule(/(?<=[\p{Script=Han}*])嘍(?=$|[，。！？])/gu, 'lo3'),
  rule(/(?<=[\p{Script=Han}*])呵(?=$|[，。！？])/gu, 'ho1'),

  // "Will" after a verb of learning, and before words that no meeting has.
  rule(/(?<=[教學])會(?=[我你佢咗唔人]|阿[一-龥]|[點游揸煮做講寫讀唱彈踩用打忍尊放愛欣珍獨照分接面表控])/gu, 'wui5'),
  rule(
    /會(?=考[到埋唔慮驗車試]|試[下吓過用]|議[論價]|見[到我你佢]|計[到埋錯]|(?<![開入])員工|場場|(.)\1(?!聲))/gu,
    'wui5',
  ),
  rule(/(?<=[下今明舊前後出每近上][一-龥]?年)會(?![長員議費])/gu, 'wui5'),
  rule(/(?<=[花狗貓雞雀蟲草樹風])會(?![員議所址])/gu, 'wui5'),

  // "A little".
  rule(
    new RegExp(
      `(?<=[${VERBS}])下(?![手面次個一去嚟來邊晝午星禮班車年季屆集冊載降跌令棋屬巴場]|單(?!車)|\\p{Script=Latin})`,
      'gu',
    ),
    'haa5',
  ),
  rule(/(?<=[拍幫握揮舉郁洗拖])下(?=手)|(?<=[睇問諗搵估聽試])下(?=邊)|(?<=停)下(?=先|$|[啦喇咯])/gu, 'haa5'),
  rule(/(?<=[行走跑滾跌])下(?=樓梯|山(?!頂)|斜|坡)/gu, 'haa6'),
  rule(
    /下(?=[集季屆冊卷旬限游](?!中|水)|一[站班章集季個位次屆步場回代科句]|[站班](?!長|房)|次(?!序)|星期|禮拜|個(?:月|星期|禮拜|學期)|半年|晝|午(?!餐))/gu,
    'haa6',
  ),
  rule(/(?<=[嶺山林樹灘塘坑田頭屋角])下(?=$|[村邨道])/gu, 'haa6'),
  rule(/下(?=載|半身|嚥|一組)|(?<=[轄腋腳樹燈])下(?![吓巴])/gu, 'haa6'),
  rule(/(?<=地)下(?=[停室鐵水道管城街商錢賭組黨工活情車])/gu, 'haa6'),

  // "Then, isn't it", "don't", and the microphone.
  rule(new RegExp(`(?<=^(?:${ADDRESSED})?)咪(?!${STATED})`, 'gu'), 'mai5'),
  rule(new RegExp(`(?<=${TOLD})咪(?!${STATED})`, 'gu'), 'mai5'),
  rule(new RegExp(`(?<=你哋?)咪(?=${FORBIDDEN})`, 'gu'), 'mai5'),
  rule(/(?<=千祈|記住|記得)咪/gu, 'mai5'),
  rule(/(?<=[你佢我哋])咪(?=話(?!俾|畀|我|佢)|成日|實|梗|真係|都|點)/gu, 'mai6'),
  rule(/(?<!叫.{0,4})咪(?=[^，。]*[囉咯囖嘍]$)/gu, 'mai6'),
  rule(/(?<=[支枝])咪|(?<=(?<![嗰呢邊一])個|無線|有線|[開收試封駁揸])咪(?=$|[講唱壞冇響])/gu, 'mai1'),

  // "The whole of", and about a number.
  rule(
    /(?<![變造組構完達贊形促功合養生集分切寫畫整砌編縮速])成(?=粒鐘|個(?:月|鐘|星期|禮拜|世界)|本(?:[書簿雜字小漫畫日記護相聖劇]|嘢)|[廿一二三四五六七八九十兩幾](?!為|員|功|交))/gu,
    'seng4',
  ),
  rule(new RegExp(`(?<=[${DIGITS}十兩幾])成(?=人|新|熟|[以都係嘅]|$)`, 'gu'), 'seng4'),

  rule(/嗎(?!啡|哪)/gu, 'maa3'),
  // Surnames before a given name of two characters, at the beginning and the end of a clause.
  rule(
    /(?<=^|[，。同叫搵識])單(?=[一-龥]{2}(?:$|[，。話係喺同有去先小唱做演]))(?![位身人車打純獨一親元據邊調數價程日行名字向點眼方張丁線品腳槓刀簧層證票車期])/gu,
    'sin6',
  ),
  rule(/(?<=^|[，。同叫搵識])區(?=[一-龥]{2}(?:$|[，。話係喺同有去先小唱做演]))(?![議域內分隊位間長外裏塊])/gu, 'au1'),
  rule(/(?<=[阿老])區(?=$|[，。話係喺])/gu, 'au1'),
  rule(/(?<=^|[，。同叫搵識])仇(?=[一-龥]{2}(?:$|[，。話係喺同有去先小唱做演]))(?![恨人家敵視殺口])/gu, 'kau4'),

  rule(/成(?=年[禮人])/gu, 'sing4'),

  rule(/(?<=即)使|使(?=徒)|使(?=用(?!嚟)|喚|[我你佢人]哋?[感覺不得更變難明大深])/gu, 'si2'),

  // "About" after a classifier; a degree after a bare number.
  rule(new RegExp(`(?<=[${AMOUNTS}]|年)度`, 'gu'), 'dou6'),
  rule(new RegExp(`(?<=[${AMOUNTS}][^，。]{0,2}[${COUNTED}](?<!第.{1,3}))度(?![假身橋期過])`, 'gu'), 'dou2'),
  rule(/(?<=[呢嗰邊依喺哩])度/gu, 'dou6'),
  rule(/度(?=身|橋|期(?!間)|高磅|尺|三圍)/gu, 'dok6'),

  // "And some" between a number and what is counted; the digit elsewhere.
  rule(/零/gu, 'ling4'),
  rule(new RegExp(`(?<=[十百千萬廿卅個斤年])零(?=[人個歲蚊年日月鐘分度隻條萬磅斤米間]|$)`, 'gu'), 'leng4'),
  rule(/(?<=個)零(?=[兩幾三])/gu, 'leng4'),
  rule(/(?<=孤)零|零(?=零丁)/gu, 'ling4'),

  rule(/(?<=講(?:句|[咩乜]嘢?|說|嗰句))話/gu, 'waa2'),
  rule(/(?<=[飛升衝跳爬行走跑游攀])上(?=[天山樓岸台去嚟水])/gu, 'soeng5'),
  rule(/(?<=層)樓(?=高)/gu, 'lau4'),
  rule(/(?<=^落)下$/gu, 'haa6'),
  rule(/(?<=唔)到(?![期位達時步站])/gu, 'dou2'),
  rule(/試(?=考)|(?<=個)試(?![下吓過用])/gu, 'si5'),
  rule(/(?<=[國本港西蘭利斯士拿大亞根牙典麥威洲球聯廷徑呢嗰兩邊每各支])隊(?![長員伍友形列])|隊(?=波)/gu, 'deoi2'),
  rule(/(?<=[買即])中(?![央國心間環學文])|中(?=六合彩|三T)/gu, 'zung3'),
  rule(/(?<=[駛寄奉呈獻遞])上/gu, 'soeng5'),
  rule(/(?<=^)上(?=會$)/gu, 'soeng5'),
  rule(/(?<=^上)會$/gu, 'wui2'),
  rule(/魚(?=柳)/gu, 'jyu4'),
  rule(/重(?=上[二一三四五六七八九十])/gu, 'cung4'),
  rule(/(?<=[佢你我人]好)好(?=學(?![會校生]))/gu, 'hou3'),
  rule(/沈(?=[迷默重船沒底浸睡思淪穩澱溺寂痛悶落吟積醉靜着著冤])|(?<=[深下浮消擊低昏陰])沈/gu, 'cam4'),
  // "Storey" after a number.
  rule(new RegExp(`(?<=[${DIGITS}十百幾邊])樓(?![梯宇價盤市高上])`, 'gu'), 'lau2'),
  rule(new RegExp(`(?<=[${AMOUNTS}第每多歲首])名(?![牌字單義額])`, 'gu'), 'ming4'),
];
