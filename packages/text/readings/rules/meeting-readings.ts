import { AMOUNTS, NUMBERS } from './amounts.ts';
import { rule, type ReadingRule } from './reading-rule.ts';

/** Continuations of a meeting or a society: what it has, and does more often than people. */
const OF_MEETING =
  '$|[，。！？嘅上入喺係將由於舉順圓暫主代長員址費刊友場議所]|有(?:幾多人|冇)|開[始咗完到得緊]|成[員功]|幹事|門票|現場|籌款|宣[佈布讀]|派對|決[定議]|通過|討論|取消|改[咗到期]|延期|結束|完[咗結]|(?<!(?:聖誕|畢業)會)(?:好[長耐悶短精成正]|幾[長耐悶精])|當[日晚]|[嗰呢]日|啱啱|司儀|活動|代表|秘書|理事|委員|網站|總部|聲明';
/** Those that people do not have either: 學生會上網 is about students. */
const OF_SOCIETY = OF_MEETING.replace('上入喺係將由', '係').replace('主代', '').replace('刊友場議所', '刊友場所');
/** Nouns that make a meeting; no longer ones that end so, 員工 and 供應商, and no time, 今早. */
const MEETING_NOUN =
  '(?<!聖誕|畢業)(?:(?<![學高院全本女男])校|(?<![最擴放偉])大|(?<![員義社技職勞打返放手施])工|(?<![應展銷理造貿廠])商|(?<=^|[開個嘅次嗰呢返])[周週早晨]|品茶|茶|宴|社團)';
/** Those of a person, who can be asked, sleep and think. */
const OF_PERSON =
  '[問接睇諗覺食飲瞓返去嚟話見叫打講教學搵等坐企行走買嬲喊笑驚怕鍾知識記忘帶揸幫同畀俾送遲擔死凍攰病嘈鬧陪追逃忍諒哭讀]|介[意懷]|緊張|溫[書習]|失望|投[入訴降]|唔(?:見|鍾|開|明|識|知|想|敢|舒)|開心|感動|明白|考試|有壓力|令|罰';
/** Nouns with what counts them: a year, an evening, a drink; no names of meetings. */
const COUNTED_BEFORE = `(?:[${AMOUNTS}成每嗰呢今明後前舊出下上近]年|(?<![嗰呢慈善])[聽今每琴尋昨當成]晚|[飲沖斟杯壺奉煲食]茶|(?:[飲杯支枝樽啲紅白啤米戒醉劈清]|飲[咗完晒得埋])酒|[呢啲首聽種]音樂)`;

/** 會: "will, can" (wui5), a meeting or a society (wui2), and in words of meeting (wui6). */
export const MEETING_READINGS: readonly ReadingRule[] = [
  // "Will" after a verb of learning, and before words that no meeting has.
  rule(
    /(?<=[教學])會(?=[我你他她佢咗了唔人]|阿[一-龥]|[點游揸煮做講寫讀唱彈踩用打忍尊放愛欣珍獨照分接面表控])/gu,
    'wui5',
  ),
  rule(
    /(?<![有冇個啲嘅次好等畀俾趁大多見搵緊握予供]機|[社約誤體領]|中[學五])會(?=考[到埋唔得慮驗車試呢嗰第]|試[下吓過用]|議[論價]|見[到我你佢]|計[到埋錯]|(?<![開入])員工|場場|(.)\1(?!聲))/gu,
    'wui5',
  ),
  rule(/(?<=[花狗貓雞雀蟲草樹風])會(?![員議所址])/gu, 'wui5'),

  rule(
    /(?<=(?:^|[仔女我你佢哋人先都要未有想就快]|開始|自己|慢慢|可以|能夠|終於|已經)學)會(?!主席|成員|代表|$)/gu,
    'wui5',
  ),
  // A society or a party, and what it has or does.
  rule(/(?<=[大商工教社舞晚年學協校宴馬茶酒業])會(?=會)/gu, 'wui2'),
  rule(/(?<=會)會(?=[長員所址費章刊友])|會(?=所(?![有以])|址|費(?![時事神心]))/gu, 'wui2'),
  rule(
    /(?<=生日|音樂|演唱|畢業|聖誕|迎新|歡送|分享|簡介|發佈|記者|[茶舞宴酒]|(?<![今聽明尋琴昨當每嗰呢前後])晚)會(?=(?<!(?:聖誕|畢業)會)(?:好(?![似彩])|幾)|嘅|上|入面|現場|門票|場地|取消|改期|完|當日|[嗰呢]日|開始|啱啱|$)/gu,
    'wui2',
  ),
  // A meeting at a time, 九點四十五分開會, which is no parting.
  rule(new RegExp(`(?<=[${NUMBERS}點半鐘]分?開)會`, 'gu'), 'wui2'),
  rule(/(?<=個)會(?=開[咗到得完緊]|傾[咗到]|改[咗到期]|取消|好[長耐悶短])/gu, 'wui2'),
  // After a noun that is counted, 兩年會, or a person: 家長會接我.
  rule(new RegExp(`(?<=${COUNTED_BEFORE})會(?![議員長費刊])`, 'gu'), 'wui5'),
  rule(
    new RegExp(
      `(?<=記者|家長|同學|學生|老師|校友|大學|校長|居民|工人|議員|球迷|歌迷|會員|團友)會(?=${OF_PERSON})`,
      'gu',
    ),
    'wui5',
  ),
  // Funds do this, and no foundation does.
  rule(/(?<=基金)會(?=升|跌|蝕|賺)/gu, 'wui5'),
  rule(new RegExp(`(?<=${MEETING_NOUN})會(?=${OF_MEETING})|(?<=家長|學生)會(?=${OF_SOCIETY})`, 'gu'), 'wui2'),
  rule(
    /(?<=聯誼|聯歡|展銷|研討|座談|交流|懇親|同鄉|宗親|懷舊|迎新|答謝|慶功|聯合|促進|協進|婦女|互助|聯席|籌備|監察|專責|扶輪|獅子|發布|新聞|路演|讀書|查經|團契|祈禱|家教)會(?=[喺由將於嘅主舉辦成派籌活代秘理委網總聲]|有(?:好多|冇|得)|$)/gu,
    'wui2',
  ),
  // A chance is also seized; an accountant is not "will count".
  rule(/(?<=[有冇個啲次好搵握予趁良等畀俾]機)會/gu, 'wui6'),
  rule(
    /(?<![做個讀係位學請名嘅當任間]|[有冇個啲次好搵握予趁良等畀俾]機)會(?=計(?:清楚|掂|晒|住|下|返|啱|[少多漏條呢嗰幾]))/gu,
    'wui5',
  ),
  rule(/會(?=長[高大肥胖出滿毛草])|(?<=[隻匹條][一-龥])會(?![員議])/gu, 'wui5'),
  rule(/(?<=(?:基督|天主|佛|道|東正|回|耶穌|新)教)會(?![唔有令使教])/gu, 'wui2'),
  rule(new RegExp(`(?<=[${NUMBERS}]晚)會(?![議場])`, 'gu'), 'wui5'),
  rule(/會(?=後(?:傾|見|派|有|記|大家|聚))/gu, 'wui2'),
  rule(/會(?=心(?:微笑|一笑|的|嘅))/gu, 'wui6'),
  // Those who part meet again; 首相會 and 張相會 are others.
  rule(/(?<=(?<![首真丞宰睇影照互福張])相)會(?=$|[嘅於喺，。])/gu, 'wui6'),
  rule(/(?<![首真丞宰睇影照互福張])相(?=會(?:$|[嘅於喺，。]))/gu, 'soeng1'),
];
