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
/**
 * Things that are counted by 隻: animals and their parts, things that come in pairs, vessels, and
 * records.
 */
const COUNTED =
  '[大細小老黑白黃灰花死生肥瘦靚新舊爛傻衰野流浪乖]*' +
  '(?:[貓狗雞鴨鵝鳥雀豬牛羊馬兔鼠猴虎獅象熊狼狐蛇龜魚蝦蟹蚊蟲蟻蜂蝶鷹鴿鹿鯨鯊豹驢蟬鬼妖怪龍公乸船艇碗碟杯匙筷手腳眼耳牙翼鞋襪戒鐲骰棋股歌碟字粽餃蛋箱爐鑊煲軚]|' +
  '錶(?![示達演現明態決])|老鼠|烏龜|曱甴|蜘蛛|恐龍|企鵝|熊貓|蝴蝶|海豚|寵物|動物|昆蟲|隊|球隊|app|game|手指)';
const TITLES =
  '先生|小姐|女士|太太|太(?![多大貴遠細少高低長短快慢遲早過嚴難好嘈靚舊])|老師|醫生|教授|校長|局長|司長|署長|處長|議員|律師|博士|同學|師傅|師奶|經理|主任|總(?=$|[，。])|主席|會計|教練|導演|太公|sir|miss|生(?=$|[，。！？話嘅同係])';
/**
 * Surnames that Simplified writing shares with other characters, and the ends of words with them.
 */
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
  ['梁', '橋棟屋房樓脊柱鼻主跳危頂大鋼'],
  ['胡', '鬚刮剃留絡'],
  ['松', '輕放寬稀疏蓬手肉'],
  ['占', '霸獨搶侵強攻'],
  ['丑', '小生文武家出'],
  ['干', '餅曬吹抹豆魚肉'],
];

/** Characters behind ginger, which begin no name. */
const OF_GINGER = '茶汁絲丝片葱蔥醋母餅蓉粉黃黄糖湯汤末塊块油水酒味辣蒜撞同好都唔要可炒切加放煲';

/** Things that lie or stand on a table. */
const ON_TABLES = '信|杯|碗|碟|書|筆|嘢|餸|水|飯|電腦|紙|花|燈|匙|銀包|文件|報|茶|酒|蛋糕|生果|藥|眼鏡|電話|手機';
/** Characters before 台 that make a stage or another place of it. */
const STAGES = '[舞講月平陽電獎擂天露司戰高看站炮水吧櫃爐灶砧後前鋼雲]';
const RESTAURANTS = '(?:餐廳|酒樓|酒家|食肆|茶樓|大排檔|冰室|舖頭)';

/** Things that are exact or not. */
const MEASURED = '[測報命卦鐘鍾錶表磅秤尺估算睇講得音法波槍]';

const before = (pattern: string) => `(?:${pattern})$`;
const after = (pattern: string) => `^(?:${pattern})`;

/** A given name, which has no words of grammar. */
const GIVEN_NAME =
  '(?![\\p{Script=Han}]?[點糕餅餸是係系此其上下心外內前後我你佢他她們有冇無係在喺嘅的了咗啲個隻額生地款波溫錢])\\p{Script=Han}{1,2}';
const TIMES = '今日|尋日|琴日|昨日|聽日|今晚|尋晚|前日|日前|今朝|上個?月|今年|舊年';
const PROFESSIONS =
  '主席|總統|總理|部長|市長|局長|特首|議員|歌手|演員|藝人|導演|作者|作家|作曲人|填詞人|教授|醫生|老師|同學|記者|主播|主持|球員|隊長|將軍|校長|經理|律師|博士|發言人|總裁|創辦人|影后|影帝|歌后|天后|天王|男星|女星|影星';
/** Verbs whose subject is a person. */
const DONE_BY_PEOPLE =
  '(?:話佢?|表示|指出|指責|認為|透露|強調|批評|回應|宣佈|宣布|唱|演|主演|執導|主持|出席|獲|當選|出任|辭職|被捕|接受|笑言|坦言|同(?:佢|太|老|妻|家|女|男|仔|阿)|自爆|自認|承認|否認|離世|病逝|去世|結婚|離婚|拍拖|出道|嚟咗|返咗|去咗)';

type Row = readonly [character: string, before: string | null, after: string | null, by: number];

/**
 * Contexts of single characters, for what frequencies of words do not tell: measure words,
 * surnames, dishes, verbs with any object, and where Hong Kong writes otherwise than the word list.
 */
const ROWS: readonly Row[] = [
  ['隻', before(`[${COUNTS}]`), after('(?![係是有不會能要想得可為好用須限怕求顧剩當因])'), 3],
  ['隻', before(`[${COUNTS}]`), after(COUNTED), 6],
  ['隻', null, after(COUNTED), 2],
  ['隻', before('[船艦艇]'), after('(?![係是有不會能要想得可須剩因])'), 6],
  ['只', before(`(?<![${COUNTS}])`), after('[係是有不會能要想得可須限怕求顧剩管見聞准許知識睇]'), 4],
  ['只', before('[呢嗰]'), after('係'), 6],
  ...SURNAMES.flatMap(([surname, wordEnds]): Row[] => [
    [surname, before(`(?<![${wordEnds}])`), after(TITLES), 6],
    [surname, before(`(?<![${wordEnds}])`), after(surname === '游' ? '氏' : '氏|記(?![者得錄憶住性認下低])'), 6],
    [surname, before('(?<!百)姓[係系是]?|阿'), null, 6],
    [surname, before('[我你佢他她仔女]叫|名叫|叫做|姓名[：:]?'), after(`${GIVEN_NAME}(?:$|[，。！？、])`), 8],
    [surname, before(`(?:^|[，。！？、]|${TIMES}|${PROFESSIONS})`), after(`${GIVEN_NAME}${DONE_BY_PEOPLE}`), 8],
    [surname, before(PROFESSIONS), after(`${GIVEN_NAME}(?:$|[，。！？、])`), 8],
  ]),
  // Their usual character where nothing else is told: a beard and a beam are words.
  ['胡', before('(?<![鬚刮剃留絡腮羊字蓄啲有白黑把])'), after('(?![鬚須子渣碴髯])'), 6],
  ['梁', before('(?<![橋棟橫大屋房鼻脊頂主跳上正鋼石木懸高危樓柱條根有向到鐵牆床窗])'), after('(?![柱架木])'), 6],
  ['志', before('(?<![雜日標墓方縣地碑網永])'), after('(?![慶賀])'), 4],
  ['范', before('(?<![模規師示典防就風失藝])'), after('(?![圍疇例本文式])'), 4],
  ['範', before('[模規示典防]'), null, 6],
  ['餘', before('[0-9十百千萬]'), after('(?!姓)'), 6],
  ['松', null, after('[年齡柏林濤樹子木竹鼠露茸仁針脂江岡島井原遼嫩贊巴]'), 6],
  ['松', before('[李王張陳劉趙郭楊周黃孫吳徐青蒼古]如?'), after('$|[，。！？將先]|話'), 8],
  ['壩', null, null, 6],
  ['滙', before('(?<![詞字外語])'), after('豐(?![富厚收盛])'), 12],
  [
    '麵',
    before('[碗碟煮炒湯撈拌蛋腩雞鴨鵝牛豬蝦丸餃吞絲河粉仔腸辣伊煨冷涼]|烏冬|擔擔|陽春|手打|刀削|[煮食整]嘅'),
    null,
    3,
  ],
  [
    '麵',
    before('杯|烏冬|擔擔|陽春|刀削|手打|公仔|即食|意大利|蕎麥|車仔|一丁|乾撈|[撈炒煮]'),
    after('(?![試談對前積孔目向臨貌具膜紅色容上下子])'),
    5,
  ],
  ['麵', before('[食整叫煮要嗌][咗緊埋]?[一兩幾半]?[個碗啲]'), after('(?![試談對前積孔目向臨貌具膜紅色容上下子])'), 8],
  ['麵', before('[粉線飯粥][同定或及、]'), after('$|[都，。！？呀好]'), 10],
  ['麵', before('粥粉|[食炒]粉'), after('$|[飯檔店，。！？都同]'), 10],
  ['麵', before('淨'), after('$|[，。！？走加]'), 6],
  ['塗', null, after('[咗上滿抹改油色口唇指防藥花黑白污鴉料啲落層]'), 8],
  ['麵', null, after('[條檔館店鋪舖粉糊團筋餅底湯]|家(?=$|[，。！？食])|包(?!車)'), 4],
  ['麵', null, after('好(?:好食|淋|韌|爽|彈|味)'), 6],
  ['面', null, after('[試談對前積孔目向臨貌具膜紅色容]'), 3],
  ['乾', before('[吹抹曬晒風晾烘擦口好咁唔晒未]|[魚薯肉菜果餅筍蝦花]'), after('(?![涉預擾犯部線活事掉勁革])'), 3],
  ['乾', null, after('[咗晒曬淨爽燥杯洗糧濕炒癟枯涸脆透爹媽]'), 4],
  ['干', before('[相若欄天]|無|不'), null, 4],
  ['干', null, after('[犯涉預擾戈貝支]'), 8],
  ['幹', null, after('[部活事掉勁線道得過練探警群嘢]|咩|乜'), 4],
  ['鹹', before('[定好太幾唔甜酸苦辣淡咁]'), after('(?!宜|豐|陽)'), 4],
  ['鹹', null, after('[魚蛋菜水酸豬肉湯濕味嘢甜淡辣檸]'), 3],
  ['餵', before('^|[，。！？]|\\p{Script=Han}'), after('[奶食飽養哺糧藥]|[貓狗雀雞豬魚](?![，。！？])'), 5],
  ['繫', before('帶|繩|維|聯|牽'), null, 10],
  ['繫', before('心'), after('[家國祖香民天社災兒女]'), 10],
  ['繫', before('(?:[全鞋領腰]帶|圍巾|繩|絲帶)\\p{Script=Han}{0,2}'), after('[好緊住上實返]'), 10],
  ['繫', null, after('[好緊住上實]?(?:安全帶|鞋帶|領帶|繩)'), 10],
  ['系', before('[體派星譜語根母父旁嫡水色學科院]|文'), null, 5],
  ['系', null, after('[統列數內所花]'), 6],
  // A watch, and no form.
  ['錶', before('[我你佢呢嗰]?[個隻]'), after('好?(?:貴|靚|平|快|慢|準)|停咗|壞咗|幾(?:點|錢)|行得'), 5],
  // Jimmy and James.
  ['占', null, after('士(?=$|[邦甸話係喺])|美(?=$|[，。！？、同和話係喺有陪])'), 10],
  ['發', before('開'), after('[型式]'), 10],
  ['卷', before('第[一二兩三四五六七八九十0-9]{1,3}'), null, 16],
  ['復', before('(?<![重答回批反往繁])'), after('[星旦讀學課健職工仇位航牌元]'), 5],
  ['庵', null, null, 4],
  ['準', before(`${MEASURED}[\\p{Script=Han}]{0,2}`), after('唔准'), 8],
  ['準', before(`${MEASURED}[\\p{Script=Han}]{0,2}准唔`), null, 8],
  ['準', before(`${MEASURED}[唔不]`), after('$|[，。！？啦喇㗎嘅]'), 12],
  ['准', null, after('唔准'), 5],
  ['准', null, after('[你我佢人][哋]?\\p{Script=Han}|[許入出去食用講帶]'), 5],
  ['准', before('准唔|不'), after('(?!確|時)'), 5],
  ['颱', null, after('風(?!度|格|采|情|味|好|穩)'), 4],
  ['恒', null, null, 6],
  ['後', before('[今明]天'), after('天'), 8],
  ['后', before('[皇太王雷]|(?<![今明昨後前一兩三幾每半])天'), after('(?![面邊來嚟續再就])'), 14],
  ['湧', null, after('[入出現到上進向去起動嚟晒咗]'), 4],
  ['錶', before('[咪袋陀掛戴名金銀鑽]'), after('(?![示達演現情明態決格面])'), 5],
  ['摺', null, after('[衫被紙疊埋起好返住咗櫈凳床椅傘枱痕頁扇]'), 4],
  ['鬥', before('(?<![一北南漏煙熨])'), after('[快叻多大長耐靚高氣爭嘴志角牛獸蟀法器贏輸狠]'), 4],
  ['鬥', before('(?<![一二兩三四五六七八九十幾半北南漏煙熨0-9])'), after('[咗緊晒](?!米|水)'), 6],
  ['捨', null, after('唔?得|不得|唔捨得|棄|命|身|己|難'), 5],
  ['仆', null, after('街|親|直|低|倒|落'), 5],
  ['參', before('人|花旗|高麗|[海洋泡黨沙丹紅]'), null, 8],
  ['籤', before('抽|求|牙|書|標|竹|中|解|上|下|靈|詩'), null, 4],
  ['枱', before('張|飯|餐|書|圓|圍|抹|執|搭|[訂留][咗到]?|雀|收|反|寫字|辦公|梳妝|桌球'), after('(?![灣北詞])'), 3],
  ['枱', null, after('面(?!前|對)|腳|布|燈|凳|櫈|頭|底|波'), 3],
  ['枱', before('隔[籬離]|床頭|[二兩四六八十雙多]人'), after('(?![灣北詞階])'), 4],
  ['枱', null, after('波(?![幅動])'), 12],
  ['枱', before('[上落埋開執霸留]'), after('$|[，。！？嘅㗎]|食|坐'), 4],
  [
    '枱',
    before('(?<!咪)[放擺擱攤鋪瀉跌碰撞][咗喺響低返住親]{0,2}|(?:坐|圍|伏|趴)[喺響住]'),
    after('[上角邊](?![個度位彈唱演講])|面(?!前|對)'),
    14,
  ],
  ['枱', before('^|[，。！？、呢嗰]'), after('邊(?![個度位間隻啲])'), 8],
  ['枱', before(`(?<!${STAGES})`), after(`上面?(?:嗰|啲|有)\\p{Script=Han}{0,5}(?:${ON_TABLES})`), 14],
  ['枱', before('成'), after('人|餸|菜|嘢'), 8],
  ['枱', before('^|[，。！？、]'), after('角(?![度色逐])|號(?!碼)'), 8],
  ['枱', before('坐滿[0-9一二兩三四五六七八九十幾]{1,3}'), null, 8],
  ['枱', before('[0-9一二兩三四五六七八九十幾]'), after('(?:都係|係)?(?:親戚|朋友|人客|客人|酒席)'), 8],
  [
    '枱',
    before('[放擺擱攤](?!\\p{Script=Han}{0,4}咪)[低咗]?\\p{Script=Han}{1,5}[喺響]'),
    after('[上邊角]|面(?!前|對)'),
    14,
  ],
  ['枱', before('(?:^|[，。！？])(?:有冇|冇晒?|等緊?)|樓等緊?'), after('$|[，。！？呀喇啦]|要[0-9一兩半三]'), 8],
  [
    '枱',
    before('[每成一二兩三四五六七八九十幾0-9]'),
    after('(?:有|坐|要)?[0-9一二兩三四五六七八九十幾]{1,3}[個位人]'),
    8,
  ],
  ['枱', before('拍'), after('(?![劇戲照])'), 6],
  ['枱', before(`${RESTAURANTS}\\p{Script=Han}{0,6}[有冇無等]`), after('$|[，。！？喇啦未呀嘛㗎]'), 8],
  ['枱', before('book ?(?:咗|到|返|定|張)? ?'), null, 8],
  [
    '枱',
    before('[0-9一二三四五六七八九十]號'),
    after('埋單|落單|嗌|加[餸飯底單]|要[多加]?[一兩半幾0-9]|個?客|嘅客'),
    8,
  ],
  ['黴', null, after('(?![菌素漿])'), -12],
  ['布', before('[公宣發分頒散]'), null, 12],
  ['夥', null, after('伴'), 3],
  ['週', before('[一每上下本今兩三幾][個]?'), after('(?![年歲])'), 3],
  ['週', null, after('[末刊薪]'), 4],
  ['周', null, after('[年歲]'), 12],
  ['徑', null, null, 4],
  ['游', before('[上中下]'), null, 4],
  ['游', null, after('[泳水]'), 4],
  ['游', null, after('[標資離]'), 4],
  ['卷', before(`[${COUNTS}]`), null, 4],
  ['卷', before('[嘅的讀睇買借書套][上中下]'), null, 6],
  ['卷', before('膠|[試考案畫問答閱交]'), null, 5],
  ['卷', before('春'), after('(?![入起走埋])'), 8],
  ['卷', before('瑞士|[蛋春花腸肉手]|壽司|毛巾|蛋糕'), after('$|[，。！？好同真嘅炸]'), 8],
  ['捲', before('[佢我你將會要畀被俾席]'), null, 4],
  ['捲', null, after('[咗起入走埋返住土髮]'), 4],
  [
    '髮',
    before('[頭剪電染洗理束長短白黑金銀假護秀落脫植飛毛鬚]'),
    after('(?![生現明展達出射起作放動表布燒炎病財揮揚掘])'),
    4,
  ],
  ['髮', null, after('[夾型廊膠泥蠟尾質飾箍際圈根絲]'), 5],
  ['藉', null, after('[機口故此由詞意]'), 5],
  ['丑', null, after('[生角旦]'), 4],
  ['餘', null, after('生(?![話嘅同係想去返喺今聽你有冇打搵])'), 4],
  ['余', null, after('[姚杭]'), 8],
  ['姜', before('^|[，。！？]'), after(`(?![${OF_GINGER}])\\p{Script=Han}{2}(?:[係系話唱演]|導演|主演)`), 8],
  ['丑', before('小|跳樑|文武'), null, 3],
  ['沖', before('相|生肖'), after('(?!突|撞|擊)'), 3],
  ['里', null, after('[數程]'), 5],
  ['里', before('[十百千萬]'), after('(?![面頭邊])'), 40],
  ['麵', before('(?:^|[^招洗見])[食煮嗌叫](?:過|咗|緊|晒|完|厭|返|碗)'), after('$|[，。！？啦喇先未呀啊]'), 10],
  ['麵', before('(?:^|[^招])[食煮]'), after('$|[，。！？啦喇先]'), 6],
  [
    '朴',
    before('(?<![淳純簡古質儉])'),
    after('[敏信寶槿智恩秀載政炯海瑞娜振俊贊宰熙善春賢藝初燦](?!素)\\p{Script=Han}'),
    10,
  ],
  [
    '幹',
    before('(?<![曬晒晾吹抹擦飲整弄烘風焗食])'),
    after('咗(?:件.{0,4}[事嘢野]|一番|啲(?:乜|咩|壞|好事|大事|嘢|野|蠢))'),
    12,
  ],
  [
    '錶',
    before('(?:^|[，。！？呢嗰一兩幾我你佢嘅])[只隻]'),
    after('(?![示達明演現揚態決白述露格面情哥姐弟妹叔嬸])'),
    8,
  ],
  ['姦', null, after('[夫婦淫殺]'), 5],
  ['遊', null, after('[戲客覽行艇記玩歷牧]'), 4],
  ['沖', null, after('[走咗涼茶水印奶咖洗淡]|[曬晒](?!太陽)'), 5],
  ['沖', before('[氣興急]沖?'), after('沖|$|[嘅咁地]'), 8],
  ['衝', null, after('[過入出上向去線刺紅閘擊突動勁破浪撞關]'), 3],
  ['佔', before('[霸獨搶侵強攻]'), null, 4],
  ['佔', null, after('[咗領有據用到住去線]'), 4],
  ['迴', null, after('轉(?:壽司|處|位)|[避響旋廊腸盪]'), 5],
  ['託', before('[委拜信寄囑付]'), null, 4],
  ['託', null, after('[兒管福運]'), 10],
  ['洩', before('(?<!排)'), after('(?!物)'), 4],
  ['覆', before('[回答反批顛]'), after('(?!常|活|原)'), 5],
  ['復', null, after('[常甦活原興古]'), 4],
  ['復', before('(?<![答回反批顛])'), after('康'), 6],
  ['鬆', before('[放輕寬稀]'), null, 4],
  ['捱', before('[好點排難]'), after('(?!近|家|着|著)'), 4],
  ['捱', null, after('更|[夜苦窮餓唔下過到住]|世界|義氣|打|罵'), 4],
  ['矇', null, after('[晒咗查眼]'), 4],
  ['薑', before('[沙片生老嫩糖酸子磨拍]|[加落放切炒][啲片埋]?'), null, 4],
  ['薑', before('[食切買落嘅啲塊片]'), after('$|[，。！？同定好唔]'), 6],
  ['薑', null, after('[茶汁醋片粉蓉絲母葱蔥蒜糖黃餅]'), 4],
  ['贊', null, after('[育助成同禮]|比亞'), 4],
  ['鐘', before('[點分秒][半幾零]|[點分秒個]'), null, 5],
  ['兇', before('行|逞|幫|元|緝'), null, 5],
  ['嚇', before('[阻恫威恐驚]'), null, 8],
  // "A little" behind its object: 稱讚佢吓, but 畀佢嚇.
  ['吓', before('(?<![俾畀被怕驚受]\\p{Script=Han}{0,6})[佢你我人]哋?'), after('$|[，。！？啦喇先呀囉咯吖啫]'), 10],
  ['綵', before('剪'), after('(?![色虹紙])'), 12],
  ['錶', before('(?:戴|睇|買|隻|整)[住咗返緊]?[隻只]'), after('(?![示達演現情明態決格面哥姐弟妹叔嬸])'), 8],
  ['只', null, after('表[示達明演現揚態決白述露]'), 12],
  ['表', before('只'), after('[示達明演現揚態決白述露]'), 12],
  ['錶', before('手'), after('(?![示達演現情明態決格面])'), 5],
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
