import { CREEKS, KEPT_WORDS, STUDIED } from './kept-words.ts';

/**
 * A rule for a written character that stands for another word. Applied wherever `from` occurs: a
 * word of `keep` around it leaves it unchanged unless a longer word of `words` matches; a word of
 * `words` changes it to `to`; otherwise it changes if `before` and `after` both match (a missing
 * one matches anything; with both missing only words count). `colloquial` rules apply only in
 * clearly spoken Cantonese.
 */
export type SpellingRule = {
  from: string;
  to: string;
  keep?: readonly string[];
  words?: readonly string[];
  before?: RegExp;
  after?: RegExp;
  colloquial?: true;
};

const list = (text: string): string[] => text.split(' ');
/** Words in which 既 means "already" or "since". */
const ALREADY = list('既然 既定 既有 既得 既往 既成 既是 既濟 既遂 既視感 既而 既來之 既出 既已');
const ANYWHERE = /^/u;
const AFTER_HAN = /\p{Script=Han}$/u;
/** End of the sentence, or particles up to it. */
const ENDS = /^[呀啊啦喇嘅㗎架喎囉囖嘞呢吖先噃嘛嚹咋喳啫啩咩添\s]*([，。！？,.!?…]|$)/u;
const PLACES =
  '香港|九龍|新界|旺角|銅鑼灣|中環|尖沙咀|灣仔|沙田|元朗|屯門|荃灣|深水埗|觀塘|油麻地|佐敦|太古|北角|大埔|將軍澳|機場|大陸|內地|深圳|廣州|澳門|台灣|台北|' +
  '北京|上海|英國|美國|日本|東京|韓國|泰國|法國|德國|加拿大|澳洲|倫敦|大學|中學|小學|學校|公司|屋企|醫院|餐廳|酒樓|商場|街市|超市|樓下|樓上|門口|附近|隔離|對面|' +
  '裏面|入面|出面|外面|上面|下面|前面|後面|旁邊|側邊|中間|廚房|廁所|客廳|房間|床上|車站|巴士站|地鐵站|圖書館|茶餐廳|網上|街上|電視|報紙';
/** A location: the place, then a verb or the end. */
const AT_PLACE = new RegExp(
  '^((呢|嗰|果|邊)(度|處)(?!人)|邊(?=[呀啊呢㗎]*([，。！？]|$))|度(?![假數過身門度])|屋企(?!人)|公司(?=[呀啊等做開]|$)|學校(?=[呀啊等做開]|$)|家度|([^，。！？]{0,4})(裏面|入面|出面|上面|下面|隔離|樓下|門口|旁邊|對面)|' +
    `(${PLACES})(出世|出生|大|住|讀|做|返|食|飲|買|等|見|搵|玩|開|學|教|工作|生活))`,
  'u',
);

/** Something that is performed: 一齣粵劇. */
const PLAY = /^(?!咗|去|嚟|街|門|入|口)\p{Script=Han}{0,3}?(戲|劇|片|電影)/u;

/** The place of a person: 我系旺角. For a thing 系 may lead to its name: 首都系北京. */
const AT_NAMED_PLACE = new RegExp(`^(${PLACES})[呀啊㗎啦喇]*([，。！？]|$)`, 'u');
/**
 * Surnames that Simplified text writes like another word, with that word and the characters after
 * which it is that word: 於 is 于 in 於先生, not in 對於先生.
 */
const SURNAMES: readonly (readonly [word: string, surname: string, inWord: string])[] = [
  ['於', '于', '對由關至等屬位處在出基善易限忠終敢過急勇樂鑑'],
  ['範', '范', '模規師示典防就風'],
  ['遊', '游', '旅導郊周漫遨重夢同出巡'],
  ['塗', '涂', '糊生亂粉'],
  ['樸', '朴', '質儉純素'],
];
const TITLE = /^(先生|小姐|女士|老師|醫生|太太|太(?![多大貴遠細少高低長短快慢遲早過嚴難好])|[sS]ir)/u;

const surnameRules: SpellingRule[] = SURNAMES.flatMap(([from, to, inWord]) => [
  { from, to, before: new RegExp(`(?<![${inWord}])$`, 'u'), after: TITLE },
  { from, to, before: /(?<!百)姓$|阿$/u },
]);

/** Rules in order of application: each sees the output of the previous ones. */
export const SPELLING_RULES: readonly SpellingRule[] = [
  ...surnameRules,
  { from: '嶽', to: '岳', keep: list('山嶽 五嶽 東嶽 西嶽 南嶽 北嶽 中嶽 河嶽 海嶽 川嶽 嶽麓'), before: ANYWHERE },
  {
    from: 'D',
    to: '啲',
    before: /[\p{Script=Han}，。](?<!維他命)$|^$/u,
    after: /^\p{Script=Han}(?<![級座室班組餐杯罩樓場字])/u,
  },
  { from: 'D', to: '啲', before: /[快慢早遲大細多少好平貴近遠高低輕重]$/u, after: ENDS },
  { from: 'D', to: '啲', before: /[呢嗰哩果依邊有冇]$/u },
  { from: 'd', to: '啲', before: /\p{Script=Han}$|^$/u, after: /^\p{Script=Han}/u },
  { from: '系', to: '係', before: /[即但淨梗硬]$/u },
  // OpenCC converts 我系 to 我係.
  { from: '係', to: '喺', before: /(?<![但淨梗硬即總就])$/u, after: /^度(?![假數過身門度])/u },
  {
    from: '系',
    to: '喺',
    before: /[放擺坐瞓留匿泊]$|(?<!屋)企$|(?:^|[我你佢哋人都仲會想，。])住$/u,
    after: /^(?![統列數])/u,
  },
  { from: '系', to: '喺', before: /[我你佢哋]$/u, after: AT_NAMED_PLACE },
  // 喺 before 係: decided by the place that follows.
  { from: '系', to: '喺', keep: list('關系 聯系 體系 星系'), before: /(?<![但淨梗硬即總就])$/u, after: AT_PLACE },
  {
    from: '系',
    to: '係',
    keep: [...list(KEPT_WORDS.系), ...STUDIED],
    words: list(
      '大學系 中學系 小學系 同學系 放學系 返學系 上學系 開學系 科學系 學科系 字體系 身體系 學院系 醫院系 戲院系 英文系乜 英文系咩 中文系咩 中文系乜 我系主任 你系主任 佢系主任',
    ),
    before: ANYWHERE,
  },
  { from: '係', to: '繫', words: list('聯係') },
  { from: '系', to: '係', words: list('關系') },
  { from: '晌', to: '喺', keep: list('晌午 半晌 一晌'), before: ANYWHERE },
  { from: '響', to: '喺', keep: list('影響 音響 響應 交響 迴響'), after: AT_PLACE },
  {
    from: '既',
    to: '嘅',
    keep: ALREADY,
    before: AFTER_HAN,
    after: /^(?![靚平快大好高叻醜肥貴細遠近][又亦])/u,
  },
  { from: '既', to: '嘅', keep: ALREADY, after: /^(?![^，。]{1,6}[又亦且也]).*$/u },
  {
    from: '左',
    to: '咗',
    keep: list(KEPT_WORDS.左),
    words: list('左邊度 左邊個 左邊位 左邊間 左邊樣 左邊啲 左右手車 左近期 左手術 左手續 左手機'),
    before: /\p{Script=Han}(?<![向靠右偏]|轉(?=$))$/u,
  },
  { from: '左', to: '咗', before: /轉$/u, after: /^(?![行入直就再，。邊]|可以|先|$)/u },
  {
    from: '地',
    to: '哋',
    before: /[我你佢渠]$/u,
    after: /^(下(年|個|次|晝|禮拜|星期)|點(?!心|數|滴)|頭先|理[得咗]|主[動要張])/u,
  },
  {
    from: '地',
    to: '哋',
    keep: list(
      '人地生疏 地位 地方 地點 地址 地區 地理 地球 地圖 地面 地板 地產 地盤 地下 地鐵 地獄 地震 地主 地毯 地牢 地利 地庫 地舖 地鋪 地頭 地形 地段 地標 地界 地價 地道',
    ),
    before: /[我你佢渠]$|(?<![個每本當外內成無名世軍私工眾某])人$|^人$/u,
  },
  {
    from: '訓',
    to: '瞓',
    keep: list(
      '訓練 教訓 培訓 受訓 訓話 訓導 訓示 集訓 特訓 家訓 校訓 軍訓 訓斥 訓詁 短訓 訓令 遺訓 內訓 訓誡 訓勉 古訓 訓育 訓政 訓讀 訓狗 訓獸 祖訓 訓詞 訓戒 訓條 訓迪 訓釋 訓民 調訓 故訓 足訓 為訓 庭訓 明訓 訓誨 實訓 輪訓 作訓 冬訓 夏訓 組訓 整訓 聯訓 試訓 施訓 訓諭 師訓 訓喻 合訓 體訓',
    ),
    before: ANYWHERE,
  },
  {
    from: '岩',
    to: '啱',
    keep: list(KEPT_WORDS.岩),
    before: ANYWHERE,
  },
  {
    from: '湧',
    to: '涌',
    keep: list('湧入 湧出 湧現 湧到 湧上 湧向 湧進 湧起 湧動'),
    words: list(CREEKS),
    before: /\p{Script=Han}$/u,
    after: /^(站|道|邨|村|灣|谷|碼頭|郊野|徑)/u,
  },
  { from: '野', to: '嘢', before: /[乜咩]$/u },
  {
    from: '野',
    to: '嘢',
    keep: list(KEPT_WORDS.野),
    words: list('買野餐 食野味道'),
    before: ANYWHERE,
  },
  {
    from: '果',
    to: '嗰',
    keep: list(
      '如果 結果 效果 後果 水果 成果 因果 蘋果 若果 糖果 生果 芒果 奇異果 龍果 堅果 開心果 惡果 青果 百香果 油果 無花果 腰果 白果 戰果 苦果 功果 正果 乾果 鮮果',
    ),
    words: list(
      '果個 果啲 果度 果陣 果邊 果日 果間 果位 果班 果種 果次 果本 果隻 果條 果張 果件 果架 果部 果樣 果時 果晚 果年 果排 果場 果兩 果三 果幾 果處 果份 果家 果層 果座 果棟 果篇 果首 果套 ' +
        '果類 果批 果對 果笪 果支 果杯 果碗 果碟 果粒 果刻 果下 果餐 果輪 果道 果D 果段 果頭 果一 果科 果團 果堆 果束 果台 果號 果瓶 果盒 果罐 果包 果袋 果屆 果代 果圈 果群 果塊 果片 果格 果筆 果卷 果四 果五 果十 果節 果題 果站 果區 果期',
    ),
  },
  {
    from: '個',
    to: '嗰',
    before: /(?<![呢嗰果一兩三幾每邊成另各整前後半\d])$/u,
    after: /^陣(?!營|容|地|法|雨|線|風)/u,
  },
  { from: '個', to: '嗰', before: /(?<![呢嗰果一兩三幾每邊成])$/u, after: /^啲/u },
  {
    from: '依',
    to: '呢',
    keep: list('依次 依據 依依 依樣'),
    after: /^[個啲度間位件兩排邊樣種隻張條部本班首場句款套幅輪份單家]/u,
  },
  { from: '宜', to: '而', before: /(?<![去喺間到在適便]|[去過]咗)$/u, after: /^家(?!家居|傢|俬|庭|人)/u },
  {
    from: '黎',
    to: '嚟',
    keep: list(
      '黎明 巴黎 蘇黎世 黎生 黎太 黎先生 黎小姐 黎智英 黎棟國 黎姿 黎耀祥 黎民 姓黎 黎巴嫩 黎氏 黎家 黎瑞恩 阿黎 黎諾懿 黎海 黎彼得 黎芷珊 黎苑珊 黎筍 黎族 黎老師 黎醫生 黎sir 黎曼 黎曉 黎錦 黎貝 黎元洪 赫胥黎 高黎貢 昌黎 木華黎 黎平 黎陽 黎錦暉 哥斯達黎加 波多黎各 阿闍黎 黎庶',
    ),
    words: list('出黎先 返黎先 過黎先 落黎先 入黎先'),
    before: AFTER_HAN,
  },
  { from: '黎', to: '嚟', before: /^$|[，。！？]$/u, after: /^(?!先生)[緊咗到睇啦呀食先買玩講同喇嘞唔飲多]/u },
  { from: '來', to: '嚟', colloquial: true, keep: ['翻來覆去'], before: /[返番翻]$/u },
  {
    from: '來',
    to: '嚟',
    colloquial: true,
    keep: list('過來人 出來者 將來 未來'),
    before: /[過入出上落攞拎帶搵]$/u,
    after: /^(?!人)/u,
  },
  { from: '來', to: '嚟', colloquial: true, after: /^[緊咗㗎]/u },
  {
    from: '番',
    to: '返',
    keep: list(
      '番茄 番薯 番鬼 番邦 一番 三番 幾番 番禺 番石榴 番狀元 番攤 番外 番號 更番 輪番 番話 番書 番梘 翻番 番文 番衣 魯番 番紅花 番瓜 番椒 番鴨 呢番 兩番 今番 此番 番佬 番婆 紅番 生番 番僧 番位 連番 番組 番劇 新番 六十番 多番 這番 那番 番木瓜 番荔枝 番茜 番麥 番客 番枝 番狗 老番',
    ),
    before: ANYWHERE,
  },
  {
    from: '翻',
    to: '返',
    keep: list(KEPT_WORDS.翻),
    words: list('翻嚟 翻來 翻黎 翻去 翻工 翻學 翻屋企 翻到 翻公司 翻香港'),
    before: /\p{Script=Han}(?<![推打鬧車掀人反天海])$/u,
  },
  {
    from: '比',
    to: '畀',
    after:
      /^((我|你|佢|人)(哋)?(睇|聽|知|食|飲|用|玩|試|攞|鬧|打|話|呃)(?!得|多|少|快|慢)|返|錢(?!更|重要|仲|多)|咗|心機|面(?!積)|貼士|機會)/u,
    keep: list('比心 比人多 比人高 比人好'),
  },
  {
    from: '比',
    to: '畀',
    before: /[買送交寄發留借還傳帶拎攞遞派寫覆賣讓租]$/u,
    after: /^(返|番|我|你|佢|人|阿|啲|個)/u,
  },
  {
    from: '比',
    to: '畀',
    after: /^(人|佢|你|我|老師|警察|老細|老闆)(哋)?(捉|鬧|打|呃|話|笑|偷|搶|罰|炒|撞|咬|串|屈|拉|罵|睇)/u,
  },
  { from: '噶', to: '㗎', keep: list('準噶爾 噶瑪 噶爾 噶廈 薩噶'), before: ANYWHERE },
  { from: '嘎', to: '㗎', keep: list('嘎嘎 嘎然'), before: AFTER_HAN, after: ENDS },
  {
    from: '架',
    to: '㗎',
    keep: list(KEPT_WORDS.架),
    words: list('係咁架 係噉架 一架嘛'),
    before: AFTER_HAN,
    after: ENDS,
  },
  {
    from: '曬',
    to: '晒',
    keep: list(
      '曬衫 曬太陽 曬乾 曬黑 曬傷 日曬 暴曬 曝曬 曬命 曬棚 曬相 曬燈 西曬 防曬 曬衣 曬被 曬棉 曬馬 晾曬 曬月 曬日光 曬鹽 曬書 曬穀 太陽曬 曬到黑 曬住 曬屁股 曬恩愛 曬褲 曬床單 曬鞋 曬後 曬藍 沖曬 曬版 曬到 曬損 曬料 出去曬 曬一曬 曬下 曬床 曬架 曬成 翻曬',
    ),
    words: list('多謝曬 沖曬涼'),
    before: ANYWHERE,
  },
  {
    from: '晒',
    to: '曬',
    words: list(
      '日晒 暴晒 曝晒 西晒 防晒 晾晒 晒太陽 晒命 晒棚 晒燈 晒衣 晒棉 晒月 晒日光 晒鹽 晒穀 晒恩愛 晒傷 太陽晒 沖晒 晒屁股 晒乾',
    ),
  },
  // 洗晒衫: washed them all; 晒衫: hangs them out.
  {
    from: '晒',
    to: '曬',
    before: /(?<![洗收執除買摺熨着著換整濕乾污好])$/u,
    after: /^(衫|被|褲|床單|鞋|冷([，。！？]|$)|馬|相)/u,
  },
  { from: '曬', to: '晒', before: /[洗收執除買摺熨着著換整濕污]$/u, after: /^(衫|被|褲|床單|鞋)/u },
  { from: '嚇', to: '吓', before: /[講睇問聽試玩行食諗搵等傾坐做幫下現搞息抖郁歎嘆飲學用寫讀望游瞓]$/u },
  {
    from: '嚇',
    to: '吓',
    keep: list(
      '嚇人 嚇死 嚇親 嚇到 嚇壞 嚇嚇 嚇一 驚嚇 恐嚇 嚇唬 嚇怕 嚇鬼 嚇我 嚇佢 嚇你 嚇得 嚇窒 嚇傻 嚇暈 嚇醒 嚇走 威嚇 嚇倒 嚇呆 嚇跪 好嚇 佢嚇 你嚇 我嚇 人嚇 嚇咗 嚇着 嚇返 嚇餐 嚇破 嚇退 嚇阻 會嚇 嚇濕 嚇怕 嚇到 被嚇 靠嚇 嚇大 嚇細路 阻嚇 恫嚇 嚇驚 嚇懵 嚇昏 嚇瘋 嚇乜 嚇唔 嚇猴',
    ),
    before: ANYWHERE,
  },
  { from: '譁', to: '嘩', keep: list('喧譁 譁然 譁眾 譁變'), before: ANYWHERE },
  {
    from: '餵',
    to: '喂',
    before: /^$|[，。！？]$|喂$/u,
    after: /^(?![奶食貓狗魚飽母養佢人哺雀雞豬糧藥飯])/u,
  },
  { from: '餵', to: '喂', after: /^([，。！？]|$)/u },
  {
    from: '鬱',
    to: '郁',
    keep: list(
      '憂鬱 抑鬱 鬱悶 鬱金香 陰鬱 悶鬱 鬱結 鬱躁 鬱卒 鬱鬱 鬱葱 鬱蔥 沉鬱 鬱症 躁鬱 鬱積 鬱林 肝鬱 鬱氣 蒼鬱 葱鬱 蔥鬱 馥鬱 鬱郁 鬱悒',
    ),
    before: ANYWHERE,
  },
  { from: '鐘', to: '鍾', after: /^(意(?!外|思)|情|愛|馗)/u },
  { from: '鍾', to: '鐘', before: /[個點分半夠過到粒零]$/u, after: /^(?!意|情|愛|馗|楚|先生|小姐|太)/u },
  {
    from: '只',
    to: '隻',
    before: /[呢嗰果邊幾兩三四五六七八九十百每成半]$/u,
    after: /^(?![係有不會能要是想得可見為好用須限差管在需當因])/u,
  },
  {
    from: '只',
    to: '隻',
    before: /一$/u,
    after: /^[貓狗雞鴨鵝兔豬牛羊馬鳥魚蝦蟹龜鼠手腳耳眼船鞋襪杯碗碟鬼蚊蟲豹象虎狼猴公乸白黑大細小好老]/u,
  },
  {
    from: '只',
    to: '隻',
    after: /^(貓|狗|雞|龜|鴨|兔|豬|老鼠|雀|船|寵物|腳|手(?!遮天)|牙|鞋|碗|杯|碟|錶|表(?![示達演現情明露揚]))/u,
  },
  { from: '出', to: '齣', before: /[一二兩三四五六七八九十呢嗰邊幾成每]$/u, after: PLAY },
  { from: '齣', to: '出', after: /^(去|嚟|咗|街|門|入|口|面|年|世|生)/u },
  {
    from: '僕',
    to: '仆',
    keep: list('公僕 僕人 僕役 女僕 男僕 主僕 忠僕 奴僕 老僕 僕從 風塵僕僕 太僕 臣僕 童僕 婢僕'),
    before: ANYWHERE,
  },
  { from: '彙', to: '匯', before: /(?<![詞字語辭])$/u, after: /^[報集聚]/u },
  { from: '注', to: '註', before: /(?<![關專灌傾貫下投])$/u, after: /^(?:明(?!天|日|年|晚|星)|腳|釋)/u },
  { from: '游', to: '遊', words: list('玩手游 隻手游 款手游 手游公司 手游玩家') },
  // A board is one everywhere but in the word for a boss.
  { from: '闆', to: '板', keep: ['老闆'], before: ANYWHERE },
  // An hour that is added or bought: 加鐘.
  {
    from: '鍾',
    to: '鐘',
    before: /[加補出買起送對校街爆撞敲按骨]$/u,
    after: /^(?=$|[，。！？咗未呀啦喇㗎嘅先數唔得])/u,
  },
  {
    from: '籤',
    to: '簽',
    keep: list('抽籤 求籤 書籤 標籤 牙籤 竹籤 上籤 下籤 中籤 籤文 籤筒 解籤 棉籤 藥籤'),
    before: ANYWHERE,
  },
  { from: '贊', to: '讚', keep: list('贊唔贊 贊育 贊成 贊助 贊同 贊禮 參贊 贊比亞'), before: ANYWHERE },
  {
    from: '復',
    to: '覆',
    keep: list('恢復 康復 修復 報復 光復 收復 往復 平復 反復 不復返'),
    after: /^(返(?!嚟)|我|你|佢|人哋|機|咗人|電郵|電話|緊)/u,
  },
  {
    from: '藉',
    to: '借',
    keep: list('藉口 藉着 藉著 藉此 憑藉 藉由 慰藉 狼藉 藉詞 藉故 藉機 聲名狼藉 枕藉'),
    before: ANYWHERE,
  },
  { from: '舍', to: '捨', keep: list('宿舍 校舍 屋舍 旅舍 精舍 村舍'), after: /^(唔?得|唔[舍捨]得|棄)/u },
  {
    from: '念',
    to: '諗',
    keep: list('掛念 懷念 思念 紀念 觀念 概念 信念 想念 留念 悼念 理念 意念 雜念'),
    after: /^(住(?!經|書)|下|吓|緊(?!經|書)|計|返)/u,
  },
  { from: '準', to: '准', before: /[唔未冇]$/u, after: /^(?!確|繩|則|時|備|成|則|[呀啊啦㗎嘅]|[，。！？]|$)/u },
  {
    from: '發',
    to: '髮',
    before: /[飛剪電染洗]$/u,
    after: /^(?![生現明展出射起作放動表布佈燒炎病])/u,
  },
  {
    from: '面',
    to: '麵',
    before: /[加碗食炒撈煮仔湯伊粗]$/u,
    after: /^(?![試前對積子部具貌容目孔色向臨談對書線膜霜])/u,
    keep: list('地面 見面 對面 前面 後面 上面 下面 裏面 外面 出面 入面 方面 平面 表面 水面 正面 反面 門面 版面 全面'),
  },
  { from: '台', to: '枱', before: /[^一兩三幾]張$|^張$/u, after: /^(?![灣北中南詞紙])/u },
  { from: '米', to: '咪', before: /[係]$/u, after: /^(?![飯粉線酒缸蛋漿奇色黃芝蘭高字其白糕通老舖鋪])/u },
  { from: '表', to: '錶', before: /[隻戴]$/u, after: /^(?!演|現|情)/u },
  { from: '台', to: '枱', before: /(?<![電舞平後講陽月站電視])$/u, after: /^面(?!前|對)/u },
  {
    from: '重',
    to: '仲',
    keep: list(
      '體重 嚴重 尊重 超重 注重 隆重 沉重 貴重 比重 着重 著重 看重 加重 減重 淨重 口味重 好重 幾重 太重 咁重 慎重 保重 珍重 雙重 倍重 負重 病重 更重 最重 鄭重 側重 起重 重會 重想 敬重 器重 嚴重',
    ),
    after: /^(有|未|係|可以|會|話|記得|唔|喺|冇|諗|識|差|使|咁|以為|想)/u,
    colloquial: true,
  },
  // 咁 is right before gradable words (咁大); otherwise it is 噉.
  { from: '咁', to: '噉', words: list('咁樣 係咁先 咁就 咁即係') },
  { from: '咁', to: '噉', before: AFTER_HAN, after: ENDS },
  { from: '咁', to: '噉', keep: ['咁啱'], after: /^[嘅㗎]/u },
  {
    from: '咁',
    to: '噉',
    before: /^$|[，。！？]$/u,
    after:
      /^(?!$|[，。！？多少大細好靚耐快慢遠近貴平抵高低早夜遲難易叻勁差衰熱凍攰嘈嚴長短忙輕新舊勤曳乖正啱辛複簡奇得開犀誇緊鍾巧惡懶蠢傻醜肥瘦濕乾乸黑白光暗硬軟老嫩深淺厚薄滿空清甜酸苦辣香臭麻危安方慘悶樂幸重])/u,
  },
];
