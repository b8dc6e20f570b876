/** A sentence to practise: its text, jyutping, and meaning in English and in written Chinese. */
export type Sentence = readonly [text: string, jyutping: string, english: string, written: string];

export const SET_NAMES = ['tones', 'finals', 'greetings', 'numbers', 'food', 'work'] as const;
export type SetName = (typeof SET_NAMES)[number];

/** The parts of each sentence are separated by `|`. */
const WRITTEN: Readonly<Record<SetName, readonly string[]>> = {
  tones: [
    '媽媽買馬。|maa4 maa1 maai5 maa5|Mum buys a horse.|媽媽買馬。',
    '三碗半飯。|saam1 wun2 bun3 faan6|Three and a half bowls of rice.|三碗半飯。',
    '佢想食西瓜。|keoi5 soeng2 sik6 sai1 gwaa1|He wants to eat watermelon.|他想吃西瓜。',
    '我識佢。|ngo5 sik1 keoi5|I know him.|我認識他。',
    '試下先啦。|si3 haa5 sin1 laa1|Try it first.|先試試吧。',
    '呢件衫幾好睇。|ni1 gin6 saam1 gei2 hou2 tai2|This shirt is quite pretty.|這件衣服挺好看。',
    '嗰個時間唔啱。|go2 go3 si4 gaan3 m4 ngaam1|That time does not suit.|那個時間不合適。',
    '買嘢定賣嘢？|maai5 je5 ding6 maai6 je5|Buying or selling?|買東西還是賣東西？',
    '飲湯定係食糖？|jam2 tong1 ding6 hai6 sik6 tong2|Soup, or sweets?|喝湯還是吃糖？',
    '佢瞓咗，唔好嘈。|keoi5 fan3 zo2 m4 hou2 cou4|She is asleep, be quiet.|她睡了，別吵。',
    '有水冇水都得。|jau5 seoi2 mou5 seoi2 dou1 dak1|With or without water, both will do.|有水沒水都可以。',
    '老師喺市場。|lou5 si1 hai2 si5 coeng4|The teacher is at the market.|老師在市場。',
    '我問佢，佢聞到香味。|ngo5 man6 keoi5 keoi5 man4 dou2 hoeng1 mei6|I asked him; he smelled the scent.|我問他，他聞到香味。',
    '張枱上面有盒糖。|zoeng1 toi2 soeng6 min6 jau5 hap6 tong4|There is a box of sweets on the table.|桌子上有一盒糖。',
    '細佬試咗四次先識。|sai3 lou2 si3 zo2 sei3 ci3 sin1 sik1|My little brother learnt it after four tries.|弟弟試了四次才會。',
    '婆婆怕熱，公公怕凍。|po4 po2 paa3 jit6 gung4 gung1 paa3 dung3|Grandma dislikes heat, grandpa the cold.|婆婆怕熱，公公怕冷。',
    '今晚風大，記得閂窗。|gam1 maan5 fung1 daai6 gei3 dak1 saan1 coeng1|It is windy tonight, remember to shut the window.|今晚風大，記得關窗。',
    '我等咗佢好耐，佢都未嚟。|ngo5 dang2 zo2 keoi5 hou2 noi6 keoi5 dou1 mei6 lai4|I waited long for him, and he has not come.|我等了他很久，他還沒來。',
    '呢首詩係一個詩人寫嘅。|ni1 sau2 si1 hai6 jat1 go3 si1 jan4 se2 ge3|This poem was written by a poet.|這首詩是一位詩人寫的。',
    '屋企近街市，買餸好方便。|uk1 kei2 kan5 gaai1 si5 maai5 sung3 hou2 fong1 bin6|Home is near the market, so shopping is easy.|家離市場近，買菜很方便。',
    '佢慢慢行，我快快趣趣追上去。|keoi5 maan6 maan2 haang4 ngo5 faai3 faai3 ceoi3 ceoi3 zeoi1 soeng5 heoi3|He walks slowly, and I quickly catch up.|他慢慢走，我快快地追上去。',
  ],
  finals: [
    '十個人。|sap6 go3 jan4|Ten people.|十個人。',
    '食藥。|sik6 joek6|Take medicine.|吃藥。',
    '落雨喇。|lok6 jyu5 laa3|It is raining.|下雨了。',
    '一盒鴨蛋。|jat1 hap6 aap3 daan2|A box of duck eggs.|一盒鴨蛋。',
    '我鍾意藍色。|ngo5 zung1 ji3 laam4 sik1|I like blue.|我喜歡藍色。',
    '男仔喺南邊。|naam4 zai2 hai2 naam4 bin1|The boy is in the south.|男孩在南邊。',
    '執拾張床。|zap1 sap6 zoeng1 cong4|Make the bed.|收拾床鋪。',
    '急急腳走咗。|gap1 gap1 goek3 zau2 zo2|Left in a hurry.|匆匆走了。',
    '佢識得八國語言。|keoi5 sik1 dak1 baat3 gwok3 jyu5 jin4|She knows eight languages.|她會八國語言。',
    '法國菜貼士多。|faat3 gwok3 coi3 tip1 si2 do1|French restaurants get many tips.|法國菜館小費多。',
    '塊木板好滑。|faai3 muk6 baan2 hou2 waat6|The wooden board is slippery.|那塊木板很滑。',
    '月餅要切開八份。|jyut6 beng2 jiu3 cit3 hoi1 baat3 fan6|Cut the mooncake into eight.|月餅要切成八份。',
    '我哋喺碼頭等船。|ngo5 dei6 hai2 maa5 tau4 dang2 syun4|We wait for the boat at the pier.|我們在碼頭等船。',
    '今個月特別濕熱。|gam1 go3 jyut6 dak6 bit6 sap1 jit6|It is very humid and hot this month.|這個月特別潮熱。',
    '隔籬屋有隻黑貓。|gaak3 lei4 uk1 jau5 zek3 hak1 maau1|There is a black cat next door.|隔壁有一隻黑貓。',
    '佢習慣朝早七點起身。|keoi5 zaap6 gwaan3 ziu1 zou2 cat1 dim2 hei2 san1|He usually gets up at seven.|他習慣早上七點起床。',
    '閒日搭車冇咁逼。|haan4 jat2 daap3 ce1 mou5 gam3 bik1|Buses are less crowded on weekdays.|平日坐車沒那麼擠。',
    '雪櫃入面有兩盒雪糕。|syut3 gwai6 jap6 min6 jau5 loeng5 hap6 syut3 gou1|There are two boxes of ice cream in the fridge.|冰箱裏有兩盒雪糕。',
    '佢跌咗落嚟，隻腳好痛。|keoi5 dit3 zo2 lok6 lai4 zek3 goek3 hou2 tung3|He fell down, and his leg hurts.|他掉下來，腳很痛。',
    '呢條橋好長，行成個鐘。|ni1 tiu4 kiu4 hou2 coeng4 haang4 seng4 go3 zung1|This bridge is long, it takes an hour to walk.|這條橋很長，要走一個小時。',
    '學生急住交功課，唔記得寫名。|hok6 saang1 gap1 zyu6 gaau1 gung1 fo3 m4 gei3 dak1 se2 meng2|In a hurry to hand in homework, the student forgot the name.|學生趕着交功課，忘了寫名字。',
  ],
  greetings: [
    '早晨！|zou2 san4|Good morning!|早安！',
    '你好嗎？|nei5 hou2 maa3|How are you?|你好嗎？',
    '多謝晒。|do1 ze6 saai3|Thanks a lot.|非常感謝。',
    '唔該借借。|m4 goi1 ze3 ze3|Excuse me, let me pass.|勞駕讓一讓。',
    '對唔住。|deoi3 m4 zyu6|I am sorry.|對不起。',
    '唔緊要。|m4 gan2 jiu3|It does not matter.|沒關係。',
    '聽日見。|ting1 jat6 gin3|See you tomorrow.|明天見。',
    '食咗飯未呀？|sik6 zo2 faan6 mei6 aa3|Have you eaten yet?|吃飯了嗎？',
    '好耐冇見喇。|hou2 noi6 mou5 gin3 laa3|Long time no see.|好久不見了。',
    '你叫咩名呀？|nei5 giu3 me1 meng2 aa3|What is your name?|你叫甚麼名字？',
    '我姓陳，叫我阿明得喇。|ngo5 sing3 can4 giu3 ngo5 aa3 ming4 dak1 laa3|My surname is Chan, just call me Ming.|我姓陳，叫我阿明就行。',
    '好高興認識你。|hou2 gou1 hing3 jing6 sik1 nei5|Nice to meet you.|很高興認識你。',
    '歡迎你嚟香港。|fun1 jing4 nei5 lai4 hoeng1 gong2|Welcome to Hong Kong.|歡迎你來香港。',
    '祝你生日快樂！|zuk1 nei5 saang1 jat6 faai3 lok6|Happy birthday to you!|祝你生日快樂！',
    '新年快樂，身體健康！|san1 nin4 faai3 lok6 san1 tai2 gin6 hong1|Happy New Year, and good health!|新年快樂，身體健康！',
    '請入嚟坐，飲杯茶先。|cing2 jap6 lai4 co5 jam2 bui1 caa4 sin1|Come in, sit down and have some tea.|請進來坐，先喝杯茶。',
    '我係第一次嚟呢度。|ngo5 hai6 dai6 jat1 ci3 lai4 ni1 dou6|It is my first time here.|我第一次來這裏。',
    '你最近忙唔忙呀？|nei5 zeoi3 gan6 mong4 m4 mong4 aa3|Have you been busy lately?|你最近忙不忙？',
    '有空記得打電話畀我。|jau5 hung1 gei3 dak1 daa2 din6 waa2 bei2 ngo5|Call me when you are free.|有空記得給我打電話。',
    '代我問候你屋企人。|doi6 ngo5 man6 hau6 nei5 uk1 kei2 jan4|Give my regards to your family.|替我問候你的家人。',
    '唔好客氣，當自己屋企得喇。|m4 hou2 haak3 hei3 dong3 zi6 gei2 uk1 kei2 dak1 laa3|Do not be shy, make yourself at home.|別客氣，當作自己家就好。',
  ],
  numbers: [
    '三個人。|saam1 go3 jan4|Three people.|三個人。',
    '兩蚊雞。|loeng5 man1 gai1|Two dollars.|兩塊錢。',
    '而家幾點？|ji4 gaa1 gei2 dim2|What time is it now?|現在幾點？',
    '九點半。|gau2 dim2 bun3|Half past nine.|九點半。',
    '一共五十蚊。|jat1 gung6 ng5 sap6 man1|Fifty dollars in all.|一共五十元。',
    '我今年廿八歲。|ngo5 gam1 nin2 jaa6 baat3 seoi3|I am twenty-eight this year.|我今年二十八歲。',
    '聽日係星期六。|ting1 jat6 hai6 sing1 kei4 luk6|Tomorrow is Saturday.|明天是星期六。',
    '等我十分鐘。|dang2 ngo5 sap6 fan1 zung1|Wait ten minutes for me.|等我十分鐘。',
    '佢住喺十二樓。|keoi5 zyu6 hai2 sap6 ji6 lau2|She lives on the twelfth floor.|她住在十二樓。',
    '我要買四張飛。|ngo5 jiu3 maai5 sei3 zoeng1 fei1|I want four tickets.|我要買四張票。',
    '電話號碼有八個字。|din6 waa2 hou6 maa5 jau5 baat3 go3 zi6|A phone number has eight digits.|電話號碼有八個數字。',
    '呢本書賣一百二十蚊。|ni1 bun2 syu1 maai6 jat1 baak3 ji6 sap6 man1|This book costs a hundred and twenty dollars.|這本書賣一百二十元。',
    '第六個站落車。|dai6 luk6 go3 zaam6 lok6 ce1|Get off at the sixth stop.|第六個站下車。',
    '今日係七月一號。|gam1 jat6 hai6 cat1 jyut6 jat1 hou6|Today is the first of July.|今天是七月一日。',
    '我屋企有五個人。|ngo5 uk1 kei2 jau5 ng5 go3 jan4|There are five people in my family.|我家有五個人。',
    '打八折之後係幾多錢？|daa2 baat3 zit3 zi1 hau6 hai6 gei2 do1 cin2|How much is it after twenty percent off?|打八折之後是多少錢？',
    '三點三嗰陣去飲下午茶。|saam1 dim2 saam1 go2 zan6 heoi3 jam2 haa6 ng5 caa4|We have afternoon tea at a quarter past three.|三點一刻去喝下午茶。',
    '一個鐘頭有六十分鐘。|jat1 go3 zung1 tau4 jau5 luk6 sap6 fan1 zung1|An hour has sixty minutes.|一小時有六十分鐘。',
    '佢儲咗兩萬蚊去旅行。|keoi5 cou5 zo2 loeng5 maan6 man1 heoi3 leoi5 hang4|He saved twenty thousand dollars for a trip.|他存了兩萬元去旅行。',
    '我哋約咗夜晚七點喺九龍塘等。|ngo5 dei6 joek3 zo2 je6 maan5 cat1 dim2 hai2 gau2 lung4 tong4 dang2|We meet at seven in the evening in Kowloon Tong.|我們約了晚上七點在九龍塘等。',
    '上個月有三千幾人嚟參觀。|soeng6 go3 jyut6 jau5 saam1 cin1 gei2 jan4 lai4 caam1 gun1|Over three thousand people visited last month.|上個月有三千多人來參觀。',
  ],
  food: [
    '食飯喇。|sik6 faan6 laa3|Dinner is ready.|吃飯了。',
    '好好味。|hou2 hou2 mei6|Very tasty.|很好吃。',
    '我唔食辣。|ngo5 m4 sik6 laat6|I do not eat spicy food.|我不吃辣。',
    '一杯凍檸茶。|jat1 bui1 dung3 ning2 caa4|An iced lemon tea.|一杯凍檸檬茶。',
    '唔該，埋單。|m4 goi1 maai4 daan1|The bill, please.|勞駕，結賬。',
    '走冰少甜。|zau2 bing1 siu2 tim4|No ice, less sugar.|不要冰，少甜。',
    '有冇齋菜？|jau5 mou5 zaai1 coi3|Is there anything vegetarian?|有沒有素菜？',
    '呢個餸係乜嘢？|ni1 go3 sung3 hai6 mat1 je5|What is this dish?|這道菜是甚麼？',
    '我哋去飲茶啦。|ngo5 dei6 heoi3 jam2 caa4 laa1|Let us go for dim sum.|我們去喝茶吧。',
    '蝦餃同燒賣各一籠。|haa1 gaau2 tung4 siu1 maai2 gok3 jat1 lung4|One basket each of shrimp dumplings and siu mai.|蝦餃和燒賣各一籠。',
    '加多碗白飯，唔該。|gaa1 do1 wun2 baak6 faan6 m4 goi1|One more bowl of rice, please.|請多加一碗白飯。',
    '呢碗雲吞麵好彈牙。|ni1 wun2 wan4 tan1 min6 hou2 daan6 ngaa4|These wonton noodles are springy.|這碗餛飩麵很有嚼勁。',
    '菠蘿包入面冇菠蘿。|bo1 lo4 baau1 jap6 min6 mou5 bo1 lo4|There is no pineapple in a pineapple bun.|菠蘿包裏面沒有菠蘿。',
    '媽咪煲咗湯畀我哋飲。|maa1 mi4 bou1 zo2 tong1 bei2 ngo5 dei6 jam2|Mum made soup for us.|媽媽燉了湯給我們喝。',
    '我想要一份叉燒飯，唔要葱。|ngo5 soeng2 jiu3 jat1 fan6 caa1 siu1 faan6 m4 jiu3 cung1|I would like barbecued pork rice without spring onion.|我想要一份叉燒飯，不要葱。',
    '呢間茶餐廳啲奶茶好滑。|ni1 gaan1 caa4 caan1 teng1 di1 naai5 caa4 hou2 waat6|The milk tea of this café is smooth.|這家茶餐廳的奶茶很滑。',
    '食完飯記得洗碗。|sik6 jyun4 faan6 gei3 dak1 sai2 wun2|Remember to do the dishes after dinner.|吃完飯記得洗碗。',
    '夏天食西瓜最消暑。|haa6 tin1 sik6 sai1 gwaa1 zeoi3 siu1 syu2|Watermelon is best against the summer heat.|夏天吃西瓜最消暑。',
    '條魚蒸八分鐘就啱啱好。|tiu4 jyu2 zing1 baat3 fan1 zung1 zau6 ngaam1 ngaam1 hou2|Steam the fish for eight minutes and it is just right.|魚蒸八分鐘就剛剛好。',
    '今晚煮咩餸好呢？|gam1 maan5 zyu2 me1 sung3 hou2 ne1|What shall we cook tonight?|今晚做甚麼菜好呢？',
    '如果唔夠鹹，可以落少少豉油。|jyu4 gwo2 m4 gau3 haam4 ho2 ji5 lok6 siu2 siu2 si6 jau4|If it is not salty enough, add a little soy sauce.|如果不夠鹹，可以加一點醬油。',
  ],
  work: [
    '返工喇。|faan1 gung1 laa3|Off to work.|上班了。',
    '開會未呀？|hoi1 wui2 mei6 aa3|Has the meeting begun?|開會了沒有？',
    '我放緊假。|ngo5 fong3 gan2 gaa3|I am on leave.|我正在放假。',
    '我做會計嘅。|ngo5 zou6 wui6 gai3 ge3|I am an accountant.|我是做會計的。',
    '老細搵你。|lou5 sai3 wan2 nei5|The boss is looking for you.|老闆找你。',
    '今日要加班。|gam1 jat6 jiu3 gaa1 baan1|I have to work overtime today.|今天要加班。',
    '幾點放工呀？|gei2 dim2 fong3 gung1 aa3|When do you get off work?|幾點下班？',
    '唔該幫我影印。|m4 goi1 bong1 ngo5 jing2 jan3|Please make a copy for me.|請幫我複印。',
    '個會改咗時間。|go3 wui2 goi2 zo2 si4 gaan3|The meeting was moved.|會議改了時間。',
    '佢啱啱行開咗。|keoi5 ngaam1 ngaam1 haang4 hoi1 zo2|She has just stepped away.|她剛剛走開了。',
    '請你留低口訊。|cing2 nei5 lau4 dai1 hau2 seon3|Please leave a message.|請你留下口信。',
    '份文件喺我張枱度。|fan6 man4 gin2 hai2 ngo5 zoeng1 toi2 dou6|The document is on my desk.|文件在我的桌子上。',
    '聽朝十點喺會議室見。|ting1 ziu1 sap6 dim2 hai2 wui6 ji5 sat1 gin3|See you in the meeting room at ten tomorrow morning.|明早十點在會議室見。',
    '佢新嚟，好多嘢要學。|keoi5 san1 lai4 hou2 do1 je5 jiu3 hok6|He is new, with much to learn.|他新來，有很多東西要學。',
    '我想請一日病假。|ngo5 soeng2 ceng2 jat1 jat6 beng6 gaa3|I would like a day of sick leave.|我想請一天病假。',
    '今個月底要交報告。|gam1 go3 jyut6 dai2 jiu3 gaau1 bou3 gou3|The report is due at the end of this month.|這個月底要交報告。',
    '你可唔可以再講一次？|nei5 ho2 m4 ho2 ji5 zoi3 gong2 jat1 ci3|Could you say that again?|你可以再說一遍嗎？',
    '電腦壞咗，要搵人整。|din6 nou5 waai6 zo2 jiu3 wan2 jan4 zing2|The computer broke, someone must repair it.|電腦壞了，要找人修理。',
    '我會喺星期五之前覆你。|ngo5 wui5 hai2 sing1 kei4 ng5 zi1 cin4 fuk1 nei5|I will answer you before Friday.|我會在星期五之前回覆你。',
    '麻煩你將份合約電郵畀我。|maa4 faan4 nei5 zoeng1 fan6 hap6 joek3 din6 jau4 bei2 ngo5|Please send me the contract by email.|麻煩你把合約電郵給我。',
    '呢個計劃要傾清楚先可以開始。|ni1 go3 gai3 waak6 jiu3 king1 cing1 co2 sin1 ho2 ji5 hoi1 ci2|We must talk this plan through before we begin.|這個計劃要先談清楚才可以開始。',
  ],
};

/** Sets of sentences, from short to long. */
export const SETS = Object.fromEntries(
  Object.entries(WRITTEN).map(([name, lines]) => [name, lines.map(sentenceOf)]),
) as Record<SetName, Sentence[]>;

export function isOfSet(text: string): boolean {
  return SET_NAMES.some((name) => SETS[name].some(([sentence]) => sentence === text));
}

function sentenceOf(line: string): Sentence {
  const [text = '', jyutping = '', english = '', written = ''] = line.split('|');
  return [text, jyutping, english, written];
}

export type Level = 1 | 2 | 3;
/** The most syllables of a sentence of the first and of the second level. */
const SYLLABLES_OF_LEVEL = [4, 8] as const;

export function levelOf([text, jyutping]: Sentence): Level {
  const count = jyutping === '' ? [...text].length : jyutping.split(' ').length;
  if (count <= SYLLABLES_OF_LEVEL[0]) return 1;
  return count <= SYLLABLES_OF_LEVEL[1] ? 2 : 3;
}
