/**
 * Characters with several readings in Hong Kong that the word does not always decide: surnames,
 * literary and colloquial readings (ming4, meng2), and changed tones at the end of a word. Leaves
 * out rare readings of the dictionaries.
 */
const LISTED =
  '曾 cang4 zang1, 區 keoi1 au1, 單 daan1 sin6, 任 jam6 jam4, 查 caa4 zaa1, 仇 sau4 kau4, 解 gaai2 haai6, 樂 lok6 ngok6, 車 ce1 geoi1, 朝 ciu4 ziu1, ' +
  '行 haang4 hang4 hong4, 長 coeng4 zoeng2, 重 cung4 zung6 cung5, 會 wui6 wui2 wui5, 中 zung1 zung3, 生 sang1 saang1, 傳 cyun4 zyun6, 調 tiu4 diu6, ' +
  '正 zing3 zeng3, 名 ming4 meng2, 成 sing4 seng4, 青 cing1 ceng1, 平 ping4 peng4, 命 ming6 meng6, 聲 sing1 seng1, 聽 ting1 teng1, 井 zeng2 zing2, ' +
  '請 cing2 ceng2, 精 zing1 zeng1, 靈 ling4 leng4, 嶺 ling5 leng5, 輕 hing1 heng1, 驚 ging1 geng1, 病 beng6 bing6, 領 ling5 leng5, 釘 deng1 ding1, ' +
  '淨 zing6 zeng6, 鏡 geng3 ging3, 頸 geng2 ging2, 贏 jeng4 jing4, 淡 taam5 daam6, 近 gan6 kan5, 斷 tyun5 dyun6 dyun3, 坐 co5 zo6, 上 soeng6 soeng5, ' +
  '使 si2 sai2, 處 cyu3 cyu5, 更 gang3 gang1, 間 gaan1 gaan3, 量 loeng6 loeng4, 興 hing1 hing3, 應 jing1 jing3, 勝 sing3 sing1, 相 soeng1 soeng3 soeng2, ' +
  '種 zung2 zung3, 數 sou3 sou2, 省 saang2 sing2, 冠 gun1 gun3, 分 fan1 fan6, 教 gaau3 gaau1, 勞 lou4 lou6, 思 si1 si3, 食 sik6 zi6, 降 gong3 hong4, ' +
  '華 waa4 waa6, 翟 zaak6 dik6, 柏 paak3 baak3, 券 hyun3 gyun3, 購 kau3 gau3, 倩 sin6 sin3, 茜 sin6 sai1, 賢 jin4 jin2, 埔 bou3 bou2, 灣 waan1 waan4, ' +
  '文 man4 man2, 樓 lau4 lau2, 魚 jyu4 jyu2, 錢 cin4 cin2, 地 dei6 dei2, 廟 miu6 miu2, 寺 zi6 zi2, 園 jyun4 jyun2, 院 jyun6 jyun2, 局 guk6 guk2, 位 wai6 wai2, ' +
  '蛋 daan6 daan2, 茶 caa4 caa2, 話 waa6 waa2, 畫 waa6 waa2, 台 toi4 toi2, 門 mun4 mun2, 盤 pun4 pun2, 房 fong4 fong2, 袋 doi6 doi2, 帶 daai3 daai2, 油 jau4 jau2, ' +
  '糖 tong4 tong2, 梨 lei4 lei2, 橙 caang4 caang2, 鵝 ngo4 ngo2, 鴨 aap3 aap2, 雀 zoek3 zoek2, 蝶 dip6 dip2, 鞋 haai4 haai2, 藥 joek6 joek2, 瘤 lau4 lau2, ' +
  '腸 coeng4 coeng2, 膜 mok6 mok2, 線 sin3 sin2, 片 pin3 pin2, 隊 deoi6 deoi2, 派 paai3 paai1, 員 jyun4 jyun2, 人 jan4 jan2, 棋 kei4 kei2, 琴 kam4 kam2, 旗 kei4 kei2, ' +
  '妹 mui6 mui2 mui1, 弟 dai6 dai2, 婆 po4 po2, 爺 je4 je2, 姐 ze2 ze1, 妮 nei4 nei1, 強 koeng4 koeng5, 玲 ling4 ling2, 明 ming4 ming2, 儀 ji4 ji2';

/** Character → its usual readings. */
export const READING_VARIANTS: ReadonlyMap<string, readonly string[]> = new Map(
  LISTED.split(', ').map((entry): [string, string[]] => {
    const [char = '', ...readings] = entry.split(' ');
    return [char, readings];
  }),
);
