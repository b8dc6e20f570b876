import { rule, type ReadingRule } from './reading-rule.ts';

/** Nouns before 中 "in". */
const PLACES =
  '口手書文劇戲水風圖表雨信宮雲腦鍋詩軍獄杯框叢庫腹掌夢欄車囊河雪案洞池園江村火城隊心眼湖海林山家群羣班校畫鏡';
/** Characters after 中 "to hit": 手中獎 has 中獎 behind it. */
const HIT = '獎招槍伏咗毒傷計頭正意過到晒埋返標彩籤暑彈箭刀環的風';
/** Continuations of 應 "should" in rules and reports, but 應用 and 應對. */
const OBLIGED =
  '採取|符合|包括|根據|按照?|依照?|遵守|遵從|遵循|立即|立刻|儘|盡|避免|注意|使用|提供|考慮|優先|獲得?|視乎|留意|繳|設[有立置]|予以|於|在|由|至少|不[得可能應會]|如何|怎|為|定期|適當|妥善|小心|保持|確保|向|與|把|將|先|當時?刻';
/** Effects on those whom something makes happy: 使顧客滿意. */
const EFFECTS =
  '滿意|失望|受惠|受損|受傷|增加|減少|下降|上升|提高|提升|恢復|改善|惡化|混亂|困擾|擔心|放心|安心|開心|感動|驚訝|憤怒|不滿|得益|獲益|破產|倒閉|停頓|癱瘓|延誤';
/** People whose part someone takes: 當老闆. */
const PARTS =
  '老闆|老師|教師|醫生|護士|律師|警察|差人|消防員|兵|爸爸|媽媽|總統|主席|校長|隊長|班長|組長|村長|市長|義工|志願者|明星|歌手|演員|模特兒?|經理|廚師|司機|記者|作家|科學家|太空人|導遊|保安|家長|店長|選手|評判|裁判|主持';
/** Times that one spends: 度過餘生. */
const SPENT =
  '難關|餘生|晚年|一生|童年|週末|周末|假期|節日|生日|聖誕|新年|中秋|[一-龥]{0,6}(?:日子|時光|夜晚|晚上|時間|歲月|一天|一日)';
/** Verbs before 上 that end with it: 愛上一個人. */
const ONTO =
  '等講聊唱做試睇寫愛跟衝踏登坐送放掛貼爬行走撞遇戴穿着推搬拎帶飛跳升追搭錄插騎趕加寫畫附用染迷配考算得唔去番返食';

/**
 * Readings of written Chinese, as in news, notices and rules, which conversation reads otherwise.
 */
export const FORMAL_READING_RULES: readonly ReadingRule[] = [
  rule(new RegExp(`(?<=[${PLACES}])中(?![${HIT}])`, 'gu'), 'zung1'),
  // "To become": 成了冠軍, but 做成了; multiples, 成倍.
  rule(
    /(?<![做讀搞講談買賣辦約飛行起走返開嫁娶考救學寫接拍追拎攞收派贏得唔冇])成(?=了(?!功)|倍[咁噉]?[升增加跌減])/gu,
    'sing4',
  ),
  rule(/(?<=[唔不])成(?=問題|比例|氣候|敬意)/gu, 'sing4'),
  rule(new RegExp(`(?<![反適回答相感順對供響])應(?=${OBLIGED})(?!由咗)`, 'gu'), 'jing1'),
  // "To make", but 唔使佢做.
  rule(/(?<![唔好夠使])使(?=之|其|得(?=[我你您佢他她它各有])|[他她它您]們?(?![去做嚟買]))/gu, 'si2'),
  rule(
    new RegExp(
      `(?<![唔好夠])使(?!信用卡|現金|八達通|優惠|積分|電子|呢|嗰)(?=[一-龥]{2,5}(?:${EFFECTS}))(?![錢咗晒緊乜咩幾])`,
      'gu',
    ),
    'si2',
  ),
  rule(
    new RegExp(
      `當(?=(?:一?[個位名])?(?:${PARTS})(?!係|是|傻|冇|[咁噉]|[一-龥]?透明))(?<!(?:將|把|攞|拎)[^，。]{0,8}當)`,
      'gu',
    ),
    'dong1',
  ),
  rule(new RegExp(`度(?=過(?:[咗了])?(?:${SPENT}))`, 'gu'), 'dou6'),
  // "Last, above": 上一個, 上週末; "to get on" after other verbs.
  rule(
    new RegExp(
      `(?<![${ONTO}])上(?=一(?:[篇次集季代任屆頁章步輪句段回期站]|[局場節](?![^，。]{0,5}[課堂]))|[週周][一二三四五六日末]|世紀|述|文(?![憑章化學言法書])|圖(?![書畫]))`,
      'gu',
    ),
    'soeng6',
  ),
  // "Should" after adverbs and those who are obliged, where no word of answering begins.
  rule(/(?<=[亦也更則先均仍又港府員工者校方長])應(?![付對酬徵用聲允承邀戰變考驗屆運接答許援力召約景節有])/gu, 'jing1'),
  rule(/(?<=^|[，。指稱前後])當(?=有[人關])/gu, 'dong1'),
  // "Just, in the course of"; above zero.
  rule(
    /正(?=制訂|按|因[為此]?|考慮|研究|處理|調查|準備|泊車)|(?<=[至由為達])正(?=[零一二三四五六七八九十百])/gu,
    'zing3',
  ),
  // To lead by one to nothing, to end in a draw.
  rule(/成(?=[零一二三四五六七八九十]{1,2}比|平手|和局)/gu, 'sing4'),
  // "Under" what was done or lacks, and "next" before an office.
  rule(
    /(?<=而|可施|[沒無冇]有?(?:辦法|選擇|準備|證據|通知|諮詢|監管|共識))下(?=$|[，。]|[^一嘅])|下(?=任(?:校長|主席|總統|特首|行政|市長|會長|首相))/gu,
    'haa6',
  ),
  rule(/上(?=一個(?:年|月|星期|世紀|世代|階段|學期|財政)|[來嚟]?(?:來說|來講|嚟講|而言))/gu, 'soeng6'),
  // A rank, and a throne.
  rule(/(?<=第[一二三四五六七八九十]{1,2})位(?=$|[，。以已被的嘅])|(?<=[首原])位(?=$|[，。])/gu, 'wai6'),
  // "To make" a country or people do something.
  rule(/(?<![唔好夠])使(?=中國|國家|政府|民眾|港人|自己人|兇徒)/gu, 'si2'),
  // Actions that go on.
  rule(/(?<=[帶看望舉含憑懷抱握攜藉隨沿朝向對跟掛忍流記拿笑說聽])[着著](?![咗住衫褲鞋裙])/gu, 'zoek6'),
  rule(/(?<=[馬晚手街網場路會早]上)將/gu, 'zoeng1'),
  rule(/(?<=(?<![每逐])一)生(?=[走都愛充所中最只從未的])/gu, 'sang1'),
  rule(/(?<![打三五夜])更(?=[不多大唔勁高低好嚴難重])/gu, 'gang3'),
  // "To get, to put on" after further verbs, and before what one gets.
  rule(/(?<=[患冠纏付衝升攀駛鋪拖塞柙惹])上(?!海|[下述面])|上(?=了(?:年紀|[台臺車床癮當]))/gu, 'soeng5'),
  rule(/(?<=年代|被告|受訪者|候選人)中(?![招獎過咗])/gu, 'zung1'),
  rule(/為(?=[^，。]{2,6}(?:建立|爭取|服務|發聲|打氣|禱告|提供|付出|犧牲)(?!的))/gu, 'wai6'),
  rule(
    /(?<=(?<![最更較擴放偉很])大)會(?=的)|(?<=國)會(?=議員|通過|大樓|選舉|山莊|聽證|表決|匆匆|休會|參眾|眾議)/gu,
    'wui2',
  ),
  // At a meeting, and of meetings: 在會上說.
  rule(/(?<=[在於](?:[^，。]{0,4}(?:晚餐|創投|[峰峯]))?)會(?=上(?![升演網]))/gu, 'wui2'),
  rule(/會(?=見(?:傳媒|記者|媒體|代表|家屬|主席|總統|總理|議員|市民))/gu, 'wui6'),
  // Hundreds of people; 數到三 counts.
  rule(
    /(?<![多少總人次基參無尾你我佢幫])數(?=[十百千萬億]{1,3}(?:[個名人位元萬億年次間條件張隻日天公噸米呎]|$))/gu,
    'sou3',
  ),
  // The tones: 第五聲, 九聲.
  rule(/(?<=第[一二三四五六七八九])聲/gu, 'sing1'),
];
