import { rule, type ReadingRule } from './reading-rule.ts';

/** Characters before 爭 "to contend", which is no "to lack" or "to owe". */
export const CONTEND_BEFORE = '競鬥紛戰力相抗論';

/**
 * Readings in conversation and news that differ from the dictionary's, found by comparison with
 * transcripts. Each pattern matches one character, and later rules override earlier ones.
 */
export const COLLOQUIAL_READING_RULES: readonly ReadingRule[] = [
  rule(/兩(?=[個隻條粒張件杯碗對雙位次間枝支])/gu, 'loeng5'),
  // The weight of 37.8 g.
  rule(/(?<=[一二三四五六七八九十百半幾])兩(?=[金銀肉菜茶藥米鹽重]|$|[，。！？、；])/gu, 'loeng2'),
  rule(/(?<=每)兩(?=[一二三四五六七八九十])/gu, 'loeng2'),
  // The classifier of people; "place" is wai6.
  rule(/(?<=[幾每]|(?<!第)[一二兩三四五六七八九十])位(?!小?數|元|置|於|一體)/gu, 'wai2'),
  // 睇下嘛; 樓下嘛 is a place.
  rule(/(?<![地樓之以腳手底鄉閣屬部低天落放留剩喺])下(?=嘛)/gu, 'haa5'),
  // A dozen.
  rule(/(?<=(?<!對)[一兩三四五六七八九十半幾])打(?=[雞鴨皮鹹]?蛋|啤酒?(?!牌)|罐|樽|橙|月餅|玫瑰|$)/gu, 'daa1'),
  // "Again" before verbs of one character.
  rule(
    /(?<![好幾咁太最更仲真體嚴加減超過極粗沉笨])重(?=[做裝遇拍寫印買填打排錄鋪煮炒配唱洗跑玩食睇試]|新(?![年聞娘]))/gu,
    'cung4',
  ),
  rule(/(?<=[多嗰呢])位(?!置|於|元|數)/gu, 'wai2'),
  // "Department, place" is cyu3; "to deal with, to be in" is cyu5.
  rule(/(?<![相共獨身地懲判酌論])處(?![理於境罰分方置女男決世身變刑事死以暑])/gu, 'cyu3'),
  rule(/(?<=傾.{0,2})偈/gu, 'gai2'),
  // "Until".
  rule(
    /到(?=半夜|天光|凌晨|夜晚|[零一二三四五六七八九十兩]{1,3}點(?![零一二三四五六七八九])|而家|依家|今日|聽日|最後)/gu,
    'dou3',
  ),
  // Written for 仲, "still".
  rule(/(?<![體超減增幾好太咁加過淨毛])重(?=[有未係冇會想唔喺])/gu, 'zung6'),
  // The animal and the dish; other words are read by the dictionary.
  rule(/(?<=[啲條買釣劏捉蒸煎隻幾啖嘅有冇缸嘢])魚(?![翅蛋片肉滑缸皮柳生丸腩乾油頭塘杆竿台臺船翁島執式])/gu, 'jyu2'),
  // "To wear"; after other verbs it marks the progressive.
  rule(
    /(?<![睡瞓沿順跟向對看望拿走坐踩燈火成帶接拖抱牽攬揸隨朝味有本])着(?=[咗件條對衫褲鞋裙泳褸襪睡西短])/gu,
    'zoek3',
  ),
  rule(/(?<=[嗰呢])排(?!骨)/gu, 'paai4'),
  rule(/(?<=[魚鞋餅花藥書肉菜髮具精])[舖鋪](?!頭|位|面|張|開)/gu, 'pou2'),
  rule(/(?<=[個我你佢])妹(?!夫|妹|婿)/gu, 'mui2'),
  // "Rate"; "frank, rash, to lead" are seot1.
  rule(/(?<![草輕坦統直表粗真])率(?![先領直真性眾兵師然])/gu, 'leot2'),
  rule(/(?<=[嘅靚])袋(?=$|[呀啊啦喇])/gu, 'doi2'),
];
