import { rule, type ReadingRule } from './reading-rule.ts';

/** Those who are invited or hired, and what one treats them to. */
const INVITED = '[你佢我客食飲坐人咗緊嘢槍鎗仙春宵喝假晒返埋過唔多少個嗰呢一兩三幾班位隊]';
/** Those whom notices ask: 各位同學請, 乘客請, 閣下請. */
const ADDRESSED =
  '各位\\p{Script=Han}{0,4}|乘客|顧客|住客|旅客|訪客|遊客|賓客|家長|學生|考生|市民|居民|業主|住戶|租客|會員|公眾|人士|閣下|病人|車主|讀者|觀眾|用家|用戶|參加者|申請人';
/** Beginnings of those whom people hire, and of leaves: 家長請補習老師. */
const HIRED = '[律補工菲司傭老私醫樂歌明阿朋病事產保]';
/** Places to go to, behind their name: 請到十二樓, 請到接待處. */
const PLACES = '[處室樓枱檯部門口房廳堂站店鋪舖所署局院校館場]|中心|櫃位|櫃台|前台|字樓|停車場|\\*';
const TO_PLACE = `到(?!個|位|人|名|假|[你我佢半大]|[^，。]*(?:[食飲]|幫手))[^，。]{0,8}(?:${PLACES})`;
const TREATED = `${INVITED}|到(?!${TO_PLACE.slice(1)})`;
/** Adverbs of commands. */
const COMMANDED =
  '立[即刻]|即|馬上|盡|儘|從速|及[早時]|提[早前]|準時|依時|按時|務必|切[勿記]|勿|不要|唔[好使]|小心|耐心|安靜|自(?!己)|先[到在將登輸把檢查填向與按用]|互相|一併|同時|踴躍|多多|妥|稍|細[閱心讀]|慢慢';
/** Prepositions, before what a request says how to do. */
const BY = '於|按|依|遵|以|用(?!人)|由|從|經(?!理)|向|至(?!親)|將|把|沿|循|與';
/** Verbs of requests, whose object no one would invite, hire or treat to. */
const ASKED =
  '致電|預[備留先]|緊[握記]|跟[我隨從]|輸入|留[意步心言]|注意|使用|保[持留管存]|參[閱考看照]|點擊|掃描|聯[絡繫]|查[詢看閱閲核]|登[入記]|提[供交出]|' +
  '填[寫妥上好]|帶[備同好齊]|攜帶|出示|排[隊好]|確[認保]|選擇|支持|分享|關[注掉好上閉]|讓[座開路]|靠[左右邊]|企[好穩右左後]|配合|諒解|見諒|體諒|原諒|指教|下載|更[新改換]|' +
  '瀏覽|前往|轉[乘往至用駁介]|佩戴|戴[好上返]?(?!住)|扣[好上]|量度|繳|交(?!通)|付款|退[回還出]|領取|取回|放[好低入回置]|除[下去低]|熄|清[理走]|沖(?!涼)|按(?!摩)|撳|等候|輪候|' +
  '覆[診查核]|求[診醫]|離開|進入|停(?!車場)|回[覆答應]|打(?:電話|開)|洗手|檢查|核對|簽[名署收]|節約|愛護|尊重|珍惜|避免|減少|改用|重新|通知|告知|報[名到]|參加(?!\\p{Script=Han}{0,6}嘅人)|投票|欣賞|期待|繼續|返回|移[步開]|收[好妥起]';

/** Ends of what a notice is about, and no people who treat others: 詳情請睇, 落車請拍卡. */
const TOPIC =
  '(?<![佢我你哋人闆司仔女媽爸哥姐弟妹友公婆爺嫲叔伯姑姨舅嬸佬生師同客想會要唔有去再又就幫代己家被得肯以該先都仲係日晚次個咗])(?<=\\p{Script=Han})';
/** Verbs of one character that a notice asks for. */
const ACT = '打(?![工機牌波邊])|[放拍關開睇留搭落行企攞拎畀俾寫鎖戴剪貼刷掃泊](?![戲工卡友稿手鎖布])|拍卡';
/** Topics before a word of another language: 有興趣請DM. */
const ASKED_OF = '(?<=\\*|興趣|有意|需要|有心|問題|資料|詳情|幫手|得閒|收到|者)';

/** 請 is "please" (cing2) in requests; "to invite, to hire, to treat" is ceng2. */
export const REQUESTS: readonly ReadingRule[] = [
  rule(new RegExp(`(?<=^|[敬煩特謹恭懇])請(?!${TREATED})`, 'gu'), 'cing2'),
  rule(/(?<=有)請(?=(?:主席|校長|嘉賓|主禮|司儀|局長|議員|以下|今晚|台上|下一位)(?![^，。]{0,4}[食飲]))/gu, 'cing2'),
  // A condition before it: 如有查詢請.
  rule(
    new RegExp(`(?<=(?:^|[，。])(?:如[有需欲遇]|[若倘](?!果|係))[^，。就我佢]{1,10})請(?!${TREATED})`, 'gu'),
    'cing2',
  ),
  // A time or an act before it: 離開時請, 用完請.
  rule(new RegExp(`(?<=\\p{Script=Han}(?:(?<![之以平有當臨嗰那])[時前後]|完|嘅話))請(?!睇|${TREATED})`, 'gu'), 'cing2'),
  rule(new RegExp(`(?<=${ADDRESSED})請(?!${HIRED}|${TREATED})`, 'gu'), 'cing2'),
  rule(new RegExp(`請(?=${COMMANDED}|${BY}|${ASKED})`, 'gu'), 'cing2'),
  rule(new RegExp(`${TOPIC}請(?=${ACT})|${ASKED_OF}請(?=\\*)`, 'gu'), 'cing2'),
  rule(new RegExp(`請(?=${TO_PLACE})`, 'gu'), 'cing2'),
  rule(new RegExp(`(?<=請)(?=${TO_PLACE})到`, 'gu'), 'dou3'),
];
