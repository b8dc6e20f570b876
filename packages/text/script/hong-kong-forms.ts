/**
 * OpenCC's `hk` follows the government's glyph list (羣, 牀, 衞, 説), which subtitles and people in
 * Hong Kong rarely use; these are the usual forms. Only characters with one meaning in every word.
 */
export const USUAL_FORMS: Readonly<Record<string, string>> = {
  羣: '群',
  牀: '床',
  衞: '衛',
  揾: '搵',
  麪: '麵',
  峯: '峰',
  裡: '裏',
  哂: '晒',
  嗮: '晒',
  臺: '台',
  俾: '畀',
  爲: '為',
  溼: '濕',
  檯: '枱',
  綫: '線',
  啓: '啟',
  衆: '眾',
  鷄: '雞',
  説: '說',
  税: '稅',
  悦: '悅',
  脱: '脫',
  户: '戶',
  閲: '閱',
  鋭: '銳',
  卧: '臥',
  兑: '兌',
  温: '溫',
  藴: '蘊',
  豔: '艷',
  敍: '敘',
  鈎: '鉤',
  嫺: '嫻',
  箇: '個',
  擡: '抬',
  閤: '合',
  侷: '局',
  彔: '錄',
  孃: '娘',
  釐: '厘',
  餈: '糍',
  譭: '毀',
  摞: '攞',
  巖: '岩',
  癡: '痴',
  𠮶: '嗰',
  㖞: '喎',
  絃: '弦',
  炖: '燉',
  蜕: '蛻',
  愠: '慍',
  醖: '醞',
  囱: '囪',
  頽: '頹',
};

/**
 * Words that people and recognizers often write with another character of the same sound, where
 * Hong Kong has a usual one. Both sides have equal length, so that word times stay valid.
 */
export const USUAL_PHRASES: readonly (readonly [from: string, to: string])[] = pairs(
  '儘量 盡量, 儘快 盡快, 重覆 重複, 扎花 紮花, 紮實 扎實, 扎營 紮營, 諾定鹹 諾定咸, 佔美 占美, 沖擊 衝擊, 沖勁 衝勁, 姜蔥 薑葱, 姜葱 薑葱, 滙報 匯報, ' +
    '鋪頭 舖頭, 店鋪 店舖, 商鋪 商舖, 吉鋪 吉舖, 間鋪 間舖, 開鋪 開舖, 執鋪 執舖, 封鋪 封舖, 鋪位 舖位, 鋪租 舖租, 租鋪 租舖, 金鋪 金舖, 當鋪 當舖, ' +
    '依家 而家, 鐘意 鍾意, 岩岩 啱啱, 甘樣 噉樣, 念唔到 諗唔到, ' +
    '甘多 咁多, 甘耐 咁耐, 甘大 咁大, 甘貴 咁貴, 甘遠 咁遠, 甘快 咁快, 甘靚 咁靚, 甘好 咁好, ' +
    '吾好 唔好, 吾係 唔係, 吾系 唔係, 吾知 唔知, 吾會 唔會, 吾使 唔使, 吾該 唔該, 吾同 唔同, 吾得 唔得, 吾見 唔見, 吾要 唔要, 吾想 唔想, 吾記得 唔記得, ' +
    '渠地 佢哋, 渠哋 佢哋, 渠話 佢話, 同渠 同佢, 叫渠 叫佢, ' +
    '老板娘 老闆娘, 硃紅 朱紅, 衚衕 胡同, 控制枱 控制台, 操作枱 操作台, 枱球 台球, 託福 托福, 讚比亞 贊比亞, 總彙 總匯, ' +
    '遊盪 遊蕩, 物証 物證, 人証 人證, 遊擊 游擊, 廕庇 蔭庇, 庇廕 庇蔭, ' +
    '鍛鍊 鍛煉, 鍊鐵 煉鐵, 鍊金 煉金, 火鍊 火煉, 熔鍊 熔煉, 入夥紙 入伙紙, 遊刃有餘 游刃有餘, 恆生 恒生, 恆指 恒指, 恆隆 恒隆, 恆基 恒基, 恆大 恒大, 恒安 恆安, 畀斯麥 俾斯麥, 畀路支 俾路支, 天恒 天恆, 旭日初昇 旭日初升, 百裏挑一 百里挑一, 斗勇 鬥勇, 壓力錶 壓力表',
);

function pairs(text: string): (readonly [string, string])[] {
  return text.split(',').flatMap((pair) => {
    const [from = '', to = ''] = pair.trim().split(' ');
    return from === '' || from === to ? [] : [[from, to] as const];
  });
}
