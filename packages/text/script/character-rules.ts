/** A context in which a Traditional character is likelier, or less likely, than its words tell. */
export type CharacterRule = {
  /** Its code point. */
  character: number;
  /** Match the end of the text before it and the beginning of the text after it, in Simplified. */
  before: RegExp | null;
  after: RegExp | null;
  /** How much likelier, in nats. */
  by: number;
};

/** Characters before a measure word. */
const COUNTS = '一二兩三四五六七八九十百千萬半幾每第成單雙呢嗰果邊哪那這某0-9０-９';
/** Things that are counted by 隻: animals and their parts, things that come in pairs, vessels, and records. */
const COUNTED =
  '[大細小老黑白黃灰花死生肥瘦靚新舊爛傻衰野流浪乖]*' +
  '(?:[貓狗雞鴨鵝鳥雀豬牛羊馬兔鼠猴虎獅象熊狼狐蛇龜魚蝦蟹蚊蟲蟻蜂蝶鷹鴿鹿鯨鯊豹驢蟬鬼妖怪龍公乸船艇碗碟杯匙筷手腳眼耳牙翼鞋襪錶戒鐲骰棋股歌碟字粽餃蛋箱爐鑊煲軚]|' +
  '老鼠|烏龜|曱甴|蜘蛛|恐龍|企鵝|熊貓|蝴蝶|海豚|寵物|動物|昆蟲|隊|球隊|app|game|手指)';
const TITLES =
  '先生|小姐|女士|太太|太(?=$|[，。！？嘅話同])|老師|醫生|教授|校長|局長|司長|署長|處長|議員|律師|博士|同學|師傅|師奶|經理|主任|總(?=$|[，。])|主席|會計|教練|導演|太公|sir|miss|生(?=$|[，。！？話嘅同係])';
/** Surnames that Simplified writing shares with other characters, and the ends of words with them. */
const SURNAMES: readonly (readonly [surname: string, wordEnds: string])[] = [
  ['余', '其剩多業餘年有富盈殘課結無淨'],
  ['范', '模規師示典防就風'],
  ['涂', '糊生亂粉'],
  ['于', '對由關至等屬位處在出基善易限忠終敢過急勇樂鑑'],
  ['朴', '質儉純素'],
  ['游', '旅導郊周漫遨重夢同出巡'],
  ['鍾', '分點秒時敲鬧掛刻半'],
  ['姜', '生老子沙'],
  ['种', '品一兩各多物這那'],
];

const before = (pattern: string) => `(?:${pattern})$`;
const after = (pattern: string) => `^(?:${pattern})`;

type Row = readonly [character: string, before: string | null, after: string | null, by: number];

const ROWS: readonly Row[] = [
  ['隻', before(`[${COUNTS}]`), after(`(?![係是有不會能要想得可為好用須限怕求顧剩當因])`), 3],
  ['隻', before(`[${COUNTS}]`), after(COUNTED), 6],
  ['隻', null, after(COUNTED), 2],
  ['只', before(`(?<![${COUNTS}])`), after('[係是有不會能要想得可須限怕求顧剩管見聞准許知識睇]'), 4],
  ['颱', null, after('風(?!度|格|采|情|味)'), 8],
  ['恒', null, null, 6],
  ['摺', null, after('[衫被紙疊埋起好返住咗櫈凳床椅傘枱痕頁扇埋]'), 4],
  ['鬥', before('(?<![一北南漏煙熨])'), after('[快叻多大長耐靚高氣爭嘴志角牛獸蟀法器贏輸狠]'), 4],
  ['捨', null, after('唔?得|不得|唔捨得|棄|命|身|己|難'), 5],
  ['仆', null, after('街|親|直|低|倒|落'), 5],
  ['籤', before('抽|求|牙|書|標|竹|中|解|上|下|靈|詩'), null, 4],
  ['枱', before('張|飯|餐|書|圓|抹|執|搭|訂|雀|收|反|檯|寫字|辦公|梳妝|桌球'), after('(?![灣北詞])'), 3],
  ['枱', null, after('面(?!前|對)|腳|布|燈|凳|櫈|頭|底|波'), 3],
  ['枱', before('[上落埋開執霸留]'), after('$|[，。！？嘅㗎]|食|坐'), 4],
  ...SURNAMES.flatMap(([surname, wordEnds]): Row[] => [
    [surname, before(`(?<![${wordEnds}])`), after(TITLES), 6],
    [surname, before('(?<!百)姓|阿'), null, 6],
  ]),
];

/**
 * The rules of a character of a Simplified text. `simplify` gives the Simplified form of a text, in
 * which the contexts are matched.
 */
export function characterRules(simplify: (text: string) => string): ReadonlyMap<string, readonly CharacterRule[]> {
  const compiled = (pattern: string | null) => (pattern === null ? null : new RegExp(simplify(pattern), 'iu'));
  return Map.groupBy(
    ROWS.map(([character, start, end, by]) => ({
      character: character.codePointAt(0)!,
      before: compiled(start),
      after: compiled(end),
      by,
    })),
    ({ character }) => simplify(String.fromCodePoint(character)),
  );
}
