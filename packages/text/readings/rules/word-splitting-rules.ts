import { CLOTHES } from './noun-reading-rules.ts';
import { rule, type ReadingRule } from './reading-rule.ts';

/** Things that 邊 asks about, so that 上邊 and 下邊 before it are no places: 揀下邊款. */
const ASKED_ABOUT = '[個款隻條種位部件本張份杯碗套雙班科堂科屋場]|間(?!中(?!學))';
/** Words before 下 and 上 as places. */
const PLACED = '喺響係落坐企住放樓山樹床枱車橋向由從';

/** Verbs before a machine or a plane, and names of machines; 新機會 and 有機會 are chances. */
const MACHINE =
  '[打轉接登候死關開]|咖啡|洗[碗衣]|路由|拖[拉地]|[抽除]濕|收音|公仔|扭蛋|吸[塵奶]|榨汁|跑步|按摩|傳真|售票|販賣|汽水|空調|氣炸|投影|掃[描地]|電話|遙控|影印|打印|' +
  '提款|冷氣|乾衣|縫紉|發電|升降|起重|碎紙|飲水|麵包|製冰|暖風|遊戲';

/**
 * Readings of characters in what looks like a word and is none: 着緊條褲 is not 着緊 "anxious". They
 * hold against every word.
 */
export const WORD_SPLITTING_RULES: readonly ReadingRule[] = [
  rule(new RegExp(`着(?=緊(?:[件條對套頂隻雙](?!事)|${CLOTHES}))`, 'gu'), 'zoek3'),
  // Coloured clothes are worn.
  rule(/着(?=色[衫褲裙衣褸])/gu, 'zoek3'),
  rule(new RegExp(`(?<=\\p{Script=Han})(?<![${PLACED}])下(?=邊(?:${ASKED_ABOUT}))`, 'gu'), 'haa5'),
  rule(new RegExp(`(?<=[你佢我哋想要會去])上(?=邊(?:[科堂班]|間(?!中(?!學))))`, 'gu'), 'soeng5'),
  rule(new RegExp(`(?<=[上下](?<![${PLACED}].))邊(?=${ASKED_ABOUT})`, 'gu'), 'bin1'),
  rule(/(?<=準備|預備|練習|溫習|安排|考慮|約)下(?=面試)/gu, 'haa5'),
  rule(/度(?=過先)/gu, 'dok6'),
  // A trade, but 呢行為, 嗰行人路 and 佢呢行得好慢.
  rule(
    /(?<=[呢嗰這那]|(?:^|[做入揀轉])邊)行(?=$|人(?:工|才|都|好)|[^人為李程動車路走過緊下吓嚟去街山開出得到返埋快慢先落上咗運船使刑經旅星進宮政章銷禮蹤徑駛](?![得到郁完返落入]))/gu,
    'hong4',
  ),
  // Someone plays an instrument until: 彈琴彈到手軟.
  rule(/(?<=(?:琴|結他|琵琶|古箏|樂器|首歌|支歌)[^，。]{0,3})彈(?=到|得|完|唔|咗)/gu, 'taan4'),
  rule(/正(?=負)/gu, 'zing3'),
  // Offices, whatever follows.
  rule(
    /(?<=[校教總訓財政事會票庶]務|訓導|輔導|註冊|入境|售票|詢問|查詢|辦事|登記|接待|諮詢|秘書|人事|採購|管理|報名|領取|服務|收費|繳費|泊車|存放|更衣|吸煙|問訊|急症|發展|資訊|保安)處(?![理罰分於決境世])/gu,
    'cyu3',
  ),
  // Punishment and company are no offices.
  rule(/(?<=[獨共懲論判])處/gu, 'cyu5'),
  // A shop, 間鋪排長龍, but 時間鋪排.
  rule(/(?<=(?<![時中房空夜期晚])間)[鋪舖](?![頭咗滿晒地設路])/gu, 'pou3'),
  rule(
    /(?<=(?<![海河湖岸路街左右])邊)行(?=邊\p{Script=Han})|(?<=[海河湖岸路街]邊)行(?![人車館])|(?<=邊\p{Script=Han}{1,2}邊)行/gu,
    'haang4',
  ),
  // "Will" before verbs that seem to end words of meeting: 會計落去, 會議到價.
  rule(/(?<=[你我佢哋人]|[校局部署]長|老師|醫生)會(?=計落|議[到唔]|面見)/gu, 'wui5'),
  // A machine will, and has no chance: 打機會上癮, 咖啡機會壞.
  rule(new RegExp(`(?<=(?:${MACHINE})機)會(?!率|均等|成本|主義|難得)`, 'gu'), 'wui5'),
  // Sport and music do this, and no event does.
  rule(
    /(?<=(?<![個場次屆間校])(?:運動|音樂))會(?=令|使(?!命)|變|停(?!辦)|響|嘈|攰|瘦|肥|幫|影響|開心|健康|放鬆|減|流汗|出汗|傷|唔見)/gu,
    'wui5',
  ),
  // The whole of what one finishes: 睇完成本書.
  rule(/(?<=[上睇讀聽玩行食唱講抄做寫煲]完)成(?=[個本套部集條堆煲碟盒包])/gu, 'seng4'),
  // The whole of a copy; an ingredient is 成份.
  rule(
    /(?<![食主])成(?=份(?:卷|試卷|功課|工(?!作)|人工|報紙|合約|文件|表格|禮物|問卷|稿|早餐|午餐|晚餐|下午茶|遺產|身家|\*))/gu,
    'seng4',
  ),
  // A queue is long, and no captain: 條隊長到出街.
  rule(/(?<=條)隊(?=長)/gu, 'deoi2'),
  rule(/(?<=條隊)長/gu, 'coeng4'),
  // A kind of something, not "to plant": 這種樹.
  rule(/(?<=[呢嗰這那每各某]|(?<!一)邊|[一二三四五六七八九十幾兩多])種(?=[花樹菜草瓜米田豆])/gu, 'zung2'),
  // An adult's, but 成年冇見.
  rule(/成(?=年(?:子女|男女|男性|女性|親屬|公民|人士))/gu, 'sing4'),
  // For a ride, but 佔下風.
  rule(/(?<=兜)下(?=風)/gu, 'haa5'),
  // How big, but 大成 is a name.
  rule(/(?<=[大細高低])成(?=點)/gu, 'seng4'),
  // Until one is tired of it, where 睇到 and 聽到 would be a word.
  rule(
    /(?<=[睇聽買食飲做玩影講搵等唱讀寫學煮執])到(?=厭|眼(?:瞓|瘀|花|訓|都)|頭(?:暈|痛|都)|癲(?![佬婆])|飛起|嘔|喊(?!聲|話|冷)|停唔|唔想|上癮|天光|手(?:軟|痠|震)|腳(?:軟|痠)|肚(?:痛|脹)|傻(?![仔佬人婆]))/gu,
    'dou3',
  ),
  // Someone else is not to know: 你咪話佢知.
  rule(/(?<=^|[，。]|你哋?)咪(?=(?:話|話?[俾畀])[佢人]哋?[知聽])/gu, 'mai5'),
  // People forbid themselves nothing, unless someone told him: 叫我咪去.
  rule(/(?<=(?:^|[噉咁以後果是，]|跟住)我哋?)咪/gu, 'mai6'),
];
