import { rule, type ReadingRule } from './reading-rule.ts';

/** Nouns before 上 when it is their upper side; after other words it is a verb. */
const SURFACE = '面身世晚早路街地以床樓枱檯桌網手頭臉海天山水岸陸際本實則論史會台書紙機島空牆線道理度質術';
/** Objects of 上 as a verb: vehicles to get on, things to put on, places to go to. */
const MOUNTED =
  '船(?!員)|機(?![械會構率關能制])|飛機|直升機|巴士|的士|小巴|火車|電車|地鐵|渡輪|廁所|洗手間|傳(?![統說聞媒來嚟奇])|架(?!構)|碟(?!子)|' +
  '菜(?![式單價])|油(?![價站田漬麻])|粉(?![絲紅底])|報紙|雜誌|頭條|熱搜|法庭|庭(?!院)|色(?!彩)|鎖|鏡(?!子)';

/** Characters after 更 when it is "more" and not a shift. */
const MORE = '加多好大細少快慢高低易難有唔為是應要想可能深遠近新重嚴強早遲勁清正改換新名動生替進衣';

/** Verbs and objects of "to treat as": 當冇事, 當佢透明. */
const TREATED =
  '[冇無](?:[講嚟來去做聽見睇問到]|事|嘢|存在)|死咗|透明|空氣|傻|白痴|朋友|兄弟|唔(?:係|存在|見|知)|係(?!時)|玩|食生菜|小朋友|細路|人';

/** Trades and shops, after which 行 is a firm. */
const TRADE =
  '地產|珠寶|拍賣|電器|樂器|藥材|鐘錶|鋼琴|單車|影音|唱片|古董|測量|皮草|海味|參茸|傢俬|家具|五金|建材|玉器|電腦|電單車|貿易|代理|(?<![獎現資基公酬租美薪罰黃])金|米';

/** Characters before 度 "degree, place" or "system", which is no "to measure". */
export const DEGREE_BEFORE =
  '呢嗰邊喺個幾哩依零一二三四五六七八九十百半兩溫程態制速高長深寬闊難強密濕年季角額限進印調幅力軌厚濃硬亮熱精緯經再';
/** Characters before 校 "school". */
export const SCHOOL_BEFORE = '學高全分本母原各中小私院貴該男女名離入留停復';

/** Everyday words and nouns whose reading depends on their neighbors. */
export const EVERYDAY_READING_RULES: readonly ReadingRule[] = [
  rule(new RegExp(`(?<![${SURFACE}])上(?=${MOUNTED})`, 'gu'), 'soeng5'),
  // "Morning"; "dynasty" is ciu4.
  rule(/(?<=[成每第])朝(?![鮮代廷向聖])|(?<=由)朝(?=[到做打忙坐行企睇瞓])/gu, 'ziu1'),
  rule(/朝(?=[五六七八九十行]晚[一-龥])/gu, 'ziu1'),
  // "Shift"; "more" is gang3.
  rule(
    new RegExp(`(?<=[夜日早中晚孖轉開編值上落交收頂調輪]|通宵|[夜日]間|[返當][緊咗過完])更(?![${MORE}])`, 'gu'),
    'gaang1',
  ),
  rule(/轉(?=更(?![改換新多好加]))/gu, 'zyun3'),
  rule(/(?<![零一二三四五六七八九十以]|早|晚)上(?=更(?![加多好大高進新]))/gu, 'soeng5'),
  rule(/夜(?=更(?![加多好深長靜黑]))/gu, 'je6'),
  rule(/更(?=表(?![現示達明揚面態])|亭|期(?!待)|分(?![明散開得別裂心為]))/gu, 'gaang1'),
  // "To measure, to work out": 度尺寸, 度橋, 度期.
  rule(
    new RegExp(
      `(?<![${DEGREE_BEFORE}])度(?=[尺掂橋]|[吓下到返]?(?:條[橋數期]|[橋期])|[吓下](?:尺|時間)|檔期|好時間)`,
      'gu',
    ),
    'dok6',
  ),
  // "To treat as"; "when" is dong1.
  rule(new RegExp(`(?<![相適應])當(?=[我你佢]哋?(?:${TREATED})(?!.*(?:時|嗰陣|之後|嘅話)))`, 'gu'), 'dong3'),
  rule(/(?<=[我你佢哋人冇唔咪直就])當(?=[我你佢](?!.*(?:時|嗰陣)))/gu, 'dong3'),
  rule(/(?<![相適應])當(?=[冇無](?:事|咗|發生|聽|嘢|件)|睇唔|唔(?:知|見|存在)|透明|死咗|食生菜)/gu, 'dong3'),
  rule(/(?<=訂唔?到|訂[咗好埋返緊定]|留[咗定]?)位(?![置於元數女先小])/gu, 'wai2'),
  // "Firm"; "trade" is hong4.
  rule(new RegExp(`(?<=${TRADE})行(?![為動政情家李人街山路走程駛業緊咗過得唔入出落去嚟埋開先前公*])`, 'gu'), 'hong2'),
  rule(/(?<=裝修|飲食|做(?:建築|地產|保險|金融|美容|運輸))行(?![為動政情人])/gu, 'hong4'),
  // "Flat, house"; "storey" and "building" in longer words are lau4.
  rule(/(?<=[新舊交驗收])樓(?![盤價宇市下上面底層梯花房齡])/gu, 'lau2'),
  rule(/(?<=租|酒店)房(?![間署屋子租客東])/gu, 'fong2'),
  rule(
    /(?<=大頭|好[多少]|[影映拍][到咗緊完]|全身|半身|黑白|結婚|婚紗|畢業|家庭|沙龍)相(?![信似關同反當比對處隔識機片認稱差爭符連等傳撞約見親愛遇])/gu,
    'soeng2',
  ),
  // "Meeting, society"; "will" is wui5.
  rule(/(?<=[開去個搞立加席入](?:股東|業主|居民|同學))會(?!唔)/gu, 'wui2'),
  rule(/(?<=股東|業主)會(?=$|嘅|主席|委員|成員|選舉|大會)/gu, 'wui2'),
  // The virus; a champion is gun3.
  rule(/(?<=新)冠(?![軍名亞季詞])/gu, 'gun1'),
  // "To set"; "school" is haau6.
  rule(new RegExp(`(?<![${SCHOOL_BEFORE}])校(?=鬧?鐘|錶)`, 'gu'), 'gaau3'),
  rule(/(?<=(?<![順方隨以不未大小利輕簡])便)當(?![然局初年時日])/gu, 'dong1'),
  rule(/(?<=國|古典|電子|流行|搖滾|爵士|交響|管弦|敲擊|室內)樂(?![於見意得觀園天趣極])/gu, 'ngok6'),
  // A film opens in the cinemas or closes.
  rule(/(?<=[上落][咗緊]?)畫(?![面家紙廊像質上室院展筆])/gu, 'waa2'),
];
