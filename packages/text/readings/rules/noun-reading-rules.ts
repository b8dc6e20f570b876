import { rule, type ReadingRule } from './reading-rule.ts';
import { LESS_FREQUENT_SURNAMES, RARE_SURNAMES, SURNAMES, SURNAMES_ALSO_WORDS, TOLD_OF_PERSON } from './surnames.ts';

/** Places before 上 and a noun, where 上 is their upper side or inside: 巴士上油漆, 書架上碟. */
const PLACES_BEFORE =
  '巴士|的士|小巴|飛機|直升機|列車|火車|電車|地鐵|渡輪|郵輪|貨車|(?:書|貨|鞋|衣|層|酒|菜|晾衫|置物)架|碟|餐牌|白板|黑板';

/** 太 after these is "Mrs". */
const SURNAMES_ALONE = SURNAMES + LESS_FREQUENT_SURNAMES + RARE_SURNAMES;
const SURNAMES_IN_WORDS = `${SURNAMES_ALSO_WORDS}古石雷區查`;
/** Heads of groups and offices; other words with these characters have 長 "long" after them. */
const HEADED = '[館廠艦組團學族鄉縣軍所]|幹事|執行';

/** Verbs before 着 when it marks an action that goes on. */
const GOES_ON = '[睡瞓沿順跟向對看望拿走坐踩燈火帶接拖抱牽攬揸隨朝味有本執]';
/** Clothes. */
export const CLOTHES = '[衫褲褸裙鞋襪恤衣褂袍]|西裝|晚禮服|校服|制服|禮服|泳衣|旗袍|背心|晚裝|睡衣';

/** Nouns with changed tones, titles and clothes; see `READING_RULES`. */
export const NOUN_READING_RULES: readonly ReadingRule[] = [
  rule(new RegExp(`(?<=${PLACES_BEFORE})上(?=油[漆漬污跡]|碟|菜[式單價名]?|粉|報紙|雜誌|色彩|鏡)`, 'gu'), 'soeng6'),
  // The town, but 上水警車.
  rule(/上(?=水(?:火車|港鐵|站|圍|鄉|墟|廣場|中心|村|匯|總站|醫院|屠房|街市|入境|居民|彩園|清河))/gu, 'soeng6'),
  // "Mrs" after a surname.
  rule(new RegExp(`(?<=[${SURNAMES_ALONE}])太(?=$|[，。呀啊]|${TOLD_OF_PERSON})`, 'gu'), 'taai2'),
  rule(
    new RegExp(`(?<=(?:^|[，。同俾畀搵係])[${SURNAMES_IN_WORDS}](?<!搵單))太(?=$|[，。呀啊]|${TOLD_OF_PERSON})`, 'gu'),
    'taai2',
  ),
  rule(new RegExp(`(?<=${HEADED})長(?![期達遠途久度短跑假線命壽洲江城])`, 'gu'), 'zoeng2'),
  // The head of a village or an estate, but 五公里長 and 萬里長城.
  rule(/(?<=(?:^|[，。嘅個位任做係同叫搵])[里村邨區保])長(?=$|[，。話同喺係叫去嚟有同嘅])(?!城|征)/gu, 'zoeng2'),
  rule(/長(?=智慧齒|鬍鬚|暗瘡|痘|腫瘤|骨刺|針眼|痱滋|白髮)/gu, 'zoeng2'),
  rule(/長(?=[咗出](?:[條隻粒啲]|好多|一[條隻粒])?(?:痘|牙|毛|草|瘡|斑|濕疹|暗瘡|白頭髮))/gu, 'zoeng2'),
  // "Daughter" after a foreign name.
  rule(/(?<=\*)女(?=$|[呀啊啦喇嘅同都係好嚟話，])/gu, 'neoi2'),
  // "To put on": 着返件褸, 着咩衫好.
  rule(new RegExp(`(?<!${GOES_ON})[着著](?=得|[多返起少](?:[件條對套兩幾]|靚|${CLOTHES}))`, 'gu'), 'zoek3'),
  rule(
    new RegExp(`(?<!${GOES_ON})[着著](?=(?:[咩乜]嘢?|邊[件條對套]|[呢嗰][件條對套])?(?:${CLOTHES}))`, 'gu'),
    'zoek3',
  ),
  rule(/(?<=[燈火][都仲又]?|部?機)著(?=[咗住得])/gu, 'zoek6'),
];
