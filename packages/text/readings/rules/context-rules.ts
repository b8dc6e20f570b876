import { rule, type ReadingRule } from './reading-rule.ts';
import { AMOUNTS, DIGITS } from './amounts.ts';
import { BRIEFLY_READINGS } from './briefly-readings.ts';
import { CONTEND_BEFORE } from './colloquial-reading-rules.ts';
import { DEGREE_BEFORE, SCHOOL_BEFORE } from './everyday-reading-rules.ts';
import { MEETING_READINGS } from './meeting-readings.ts';

/** Classifiers and units after which 度 is "about". */
const COUNTED = '個隻條粒杯件碗張本支枝間位份棟對箱盒包袋樽人次歲點日晚月期鐘蚊元斤磅米里呎寸噸成';

/** Words before 咪 at the beginning of a clause, where it is "don't". */
const ADDRESSED =
  '您|大家|細路(?:仔|哥)?|小朋友|同學|喂|各位|千祈|唔該|拜託|(?:求|拜託|請|唔該|麻煩)你哋?|麻煩|拜託|快啲|仲|最好|以後|下次|即刻|同我|俾我|畀我';
/** Those who are told, before 咪: 叫佢咪嘈. */
const TOLD = '(?:叫|嗌|勸|警告|話俾|話畀|提醒|求|教|話)(?:咗)?(?:我|你|佢|人|大家|班友|啲人|個仔|個女|細路)哋?(?:聽)?';
/** Continuations of 你咪 that are rather forbidden than told. */
const FORBIDDEN =
  '[嘈阻搞玩郁走喊笑亂再咁理扮呃激煩嚇逼催掛信打鬧偷死怪插多哭吵拖逗整衰攪望掂碰摸郁惹惱嬲驚]|成日|喺度|諗住|以為|當|一味|一直|周圍|淨係|去(?!咗)|咁|食咁|講(?!過|咗)|阻住';
/** Continuations of 咪 that are never forbidden: 咪就係, 咪話咗. */
const STATED =
  '就|係|重|一樣|同(?:.{1,5}一樣|埋)|去親|即|算|仲|會|有|冇|得(?!罪)|好(?![奇笑])|啱|知|其實|可以|可能|因為|所以|由佢|喺(?!度)|佢|嗰|呢|話[咗過](?!我)|[一-龥]{1,2}[咗過](?!頭|分|火|份|敏|期|馬路|街|海|關)';
/** Persons whose words one listens to; 聽日, 聽講 and 聽到 begin no person. */
const LISTENED_TO =
  '(?:我|你|您|佢|他|她|人)[哋們家]?|自己|大家|(?![日晚朝講到得唔完過晒下吓啲埋咗緊返起落])\\p{Script=Han}{0,3}[爸爹媽娘爺嫲公婆哥姐弟妹叔伯姨父母師生練長闆士官員友帝主神]';

/** Readings that the characters around a character decide, where words do not. */
export const CONTEXT_RULES: readonly ReadingRule[] = [
  // Particles at the end of a clause; 咯血 and 嘍囉 are words.
  rule(/(?<=[\p{Script=Han}*])咯(?![血痰吱噔嗒])/gu, 'lo3'),
  // The sound of a hen or of laughter.
  rule(/咯(?=咯?[笑叫聲])/gu, 'gok1'),
  rule(/(?<=[\p{Script=Han}*])嘍(?!囉|啅)/gu, 'lo3'),
  rule(/(?<=[\p{Script=Han}*])呵(?=$|[，。！？])/gu, 'ho1'),
  // Hearsay; otherwise it marks the speaker's surprise, wo3.
  rule(
    /(?<=(?:佢哋?|人哋?|阿[一-龥]{1,2}|老[師闆細豆婆公]|[醫先學]生|公司|學校|天文台|新聞|政府|朋友|同[事學]|[爸媽嫲爺姐哥妹弟])話[^，。]*|聽講[^，。]*)喎$/gu,
    'wo5',
  ),
  // Wonder at why something is so.
  rule(/(?<=(?:點解|做乜|為乜|乜(?=咁))[^，。]*)嘅$/gu, 'ge2'),

  ...MEETING_READINGS,
  ...BRIEFLY_READINGS,

  // "Then, isn't it", "don't", and the microphone.
  rule(new RegExp(`(?<=^(?:${ADDRESSED})?)咪(?!${STATED})`, 'gu'), 'mai5'),
  rule(new RegExp(`(?<=${TOLD})咪(?!${STATED})`, 'gu'), 'mai5'),
  rule(new RegExp(`(?<=你哋?)咪(?=${FORBIDDEN})`, 'gu'), 'mai5'),
  rule(new RegExp(`(?<=(?:^|[，。！？])你哋?)咪(?!${STATED})(?=[一-龥]{1,2}(?:[啦喇]|先|住)$)`, 'gu'), 'mai5'),
  // 媽咪 is a word, but 阿媽 is another.
  rule(/(?<=阿媽)咪(?!咪)/gu, 'mai6'),
  rule(/(?<=千祈|記住|記得)咪|(?<=你哋?)咪(?=話我(?![聽知]))/gu, 'mai5'),
  rule(/(?<=[你佢我哋])咪(?=話(?!俾|畀|我|佢)|成日[^，。]*[嘅㗎架囉]$|實|梗|真係|都|點)/gu, 'mai6'),
  rule(/(?<!叫.{0,4})咪(?=[^，。]*[囉咯囖嘍]$)/gu, 'mai6'),
  rule(/應(?=唔應)|(?<=應唔)應/gu, 'jing1'),
  rule(/沈(?=下去|落|咗)/gu, 'cam4'),
  rule(/長(?=得(?:[好幾咁唔太真最]|真係|非常)?(?:[快慢高矮靚肥瘦細大似醜壯帥密茂粗]|好睇|結實))/gu, 'zoeng2'),
  rule(/(?<=打[完咗緊下過場舖幾]{1,2})牌/gu, 'paai2'),
  rule(new RegExp(`(?<=[${AMOUNTS}]尺)度$`, 'gu'), 'dou2'),
  rule(/(?<=[個改咩乜佢我你]|嘅)名(?=[叫係好真都]|$)/gu, 'meng2'),
  rule(/(?<=[叫隻])咪(?=咪)|(?<=[叫隻]咪)咪/gu, 'mi1'),
  rule(/咪(?=錶)|(?<=[支枝])咪|(?<=(?<![嗰呢邊一])個|無線|有線|[開收試封駁揸])咪(?=$|[講唱壞冇響])/gu, 'mai1'),

  // After a doubled adjective "somewhat", otherwise a plural: 紅紅哋, 我哋, 媽媽哋.
  rule(/哋/gu, 'dei6'),
  rule(/(?<=\1([一-龥]))(?<![爸媽哥姐弟妹公婆爺嫲伯叔舅姨嬸姑奶太囝囡寶豬仔女貓狗兔熊]{2})哋/gu, 'dei2'),

  rule(/嗎(?!啡|哪)/gu, 'maa3'),
  // Surnames before a given name of two characters, at the beginning and the end of a clause.
  rule(
    /(?<=^|[，。同叫搵識])單(?=[一-龥]{2}(?:$|[，。話係喺同有去先小唱做演]))(?![位身人車打純獨一親元據邊調數價程日行名字向點眼方張丁線品腳槓刀簧層證票車期])/gu,
    'sin6',
  ),
  rule(
    /(?<=^|[，。同叫搵識])區(?=[一-龥]{2}(?:$|[，。話係喺同有去先小唱做演]))(?![議域內分隊位間長外裏塊政])/gu,
    'au1',
  ),
  rule(/(?<=[阿老])區(?=$|[，。話係喺])/gu, 'au1'),
  rule(/(?<=^|[，。同叫搵識])仇(?=[一-龥]{2}(?:$|[，。話係喺同有去先小唱做演守射踢撲]))(?![恨人家敵視殺口])/gu, 'kau4'),

  rule(/(?<=[一-龥])成(?=一[團片體格統])/gu, 'sing4'),

  // "To succeed" after another verb.
  rule(
    /(?<=[讀做搞傾講去食飲睇玩買賣辦談約飛行起搬走嚟返開嫁娶考救學寫接拍追拎攞收派贏坐瞓][唔得])成(?![為功長員立])/gu,
    'seng4',
  ),
  rule(/成(?=龍)/gu, 'sing4'),

  rule(/(?<=唔)使(?=用)|(?<=^)使(?=$)/gu, 'sai2'),
  rule(
    /(?<!唔)使(?=(?:人人?|大家|眾人|各人|市民|學生|公司|社會|香港|雙方|對方)(?!去|嚟|做|買|送|拎|攞|帶|叫|搬|打|好[狼衰]|錢|工|費)|[我你佢]哋?(?:[感覺不得更變難明深發陷失受成能嬲喊驚痛]|可以|好(?!多|[大少]啲)|非常|十分|極之|開心|快樂|傷心|擔[心憂]|尷尬|尊敬|佩服|害怕|震驚|放[心棄]|安心|心動|[著着]迷|懷疑|充滿|相信))/gu,
    'si2',
  ),
  rule(
    /(?<![唔好夠])使(?![錢咗晒緊得乜咩幾完少多淨到過起唔費橫又啲埋])(?=[一-龥]{2,4}(?:更加?|變[得成]|得到|可以|能夠|無法|成為|失去|感到)(?!錢))/gu,
    'si2',
  ),
  rule(/(?<=即)使|使(?=徒)|(?<!唔)使(?=用(?!嚟)|喚|[我你佢人]哋?[感覺不得更變難明大深])/gu, 'si2'),

  // "About" after a classifier; a degree after a bare number.
  rule(new RegExp(`(?<=[${AMOUNTS}](?<![點年一成]半)|年)度`, 'gu'), 'dou6'),
  // 三萬零度, 兩尺半度, 三分二度, 兩年度呀; but a year's number is before 年度.
  rule(
    new RegExp(
      `(?<=[百千萬億月]零|[${AMOUNTS}](?!點)[${COUNTED}字][半幾]|[一二三四五]分[一二三四]|港幣|個字|個禮拜|個星期|(?<!點)一半)度(?=[喇啦呀啊囉嘞左呢㗎]|$)`,
      'gu',
    ),
    'dou2',
  ),
  rule(new RegExp(`(?<=(?<![零〇至${DIGITS}])[${DIGITS}兩十幾半]年)度(?=[喇啦呀啊囉嘞先左呢]|$)`, 'gu'), 'dou2'),
  rule(new RegExp(`(?<![${DEGREE_BEFORE}])度(?=[咗緊晒]|完(?!全))`, 'gu'), 'dok6'),
  rule(new RegExp(`(?<![${DEGREE_BEFORE}])度(?=一度|住先)|(?<=(?<![${DEGREE_BEFORE}])度一)度`, 'gu'), 'dok6'),
  rule(new RegExp(`(?<=[${AMOUNTS}][^，。]{0,2}[${COUNTED}](?<!第.{1,3}))度(?![假身橋期過])`, 'gu'), 'dou2'),

  // The words of a person, 聽媽媽嘅話, but 聽日落雨嘅話 and 聽佢講嘅話 are "if".
  rule(new RegExp(`(?<=(?<!打)聽[晒咗過]?(?:${LISTENED_TO})嘅)話`, 'gu'), 'waa6'),
  rule(/(?<=講(?:句|[咩乜]嘢?|說|嗰句)|(?<!佢|我|你|聽.{1,5})嘅)話(?=$|[，呢])/gu, 'waa2'),
  // The name that someone has in a language, but 英文名稱 and 中文名著.
  rule(/(?<=[中英日韓法德]文)名(?![稱著詞家師句篇勝])/gu, 'meng2'),
  // Roads have a middle, 皇后大道中; one knows of wins and slander, 知道中獎 and 中傷.
  rule(/(?<=道)中(?![獎招槍伏咗毒傷計頭意正風])/gu, 'zung1'),
  rule(/正(?=嘢(?!心)|斗|到爆)/gu, 'zeng3'),
  // On the hour, 三點正.
  rule(
    /(?<=[一二三四五六七八九十兩][點時半]|[點時]半)正(?=$|[，。！？開到先出入集嘅去返嚟]|見|喺)(?!斗|嘢)/gu,
    'zing3',
  ),
  rule(/(?<=[飛升衝跳爬行走跑游攀])上(?=[天山樓岸台去嚟水])/gu, 'soeng5'),
  rule(/(?<=唔)到(?![期位達時步站])/gu, 'dou2'),
  rule(/(?<=面)試/gu, 'si3'),
  rule(new RegExp(`(?<![${CONTEND_BEFORE}])爭(?=[咩乜]嘢?|幾[多錢個])`, 'gu'), 'zaang1'),
  rule(
    new RegExp(
      `(?<![${SCHOOL_BEFORE}間兩三四])校(?=[大細高低快慢](?:聲|啲|返)|[返啱咗緊完埋晒極準]|[唔得](?![係會有好要准唔幾個百三五])|下(?!一|個|年|學)|[多少](?:次|咗)|冷氣|[水室]?溫|光)`,
      'gu',
    ),
    'gaau3',
  ),
  rule(/禁(?=[唔得]住)/gu, 'gam1'),
  // "To adjust" a thing and its degree; people are transferred, diu6.
  rule(/調(?=[返番咗好]?[個部隻]?[鬧時]?[鐘錶]|[咗好埋返]味|酒)|(?<=[個粒]掣)調/gu, 'tiu4'),
  rule(
    /(?<=(?:溫度?|冷氣|暖氣|雪櫃|焗爐|風扇|音量|聲量?|光度|亮度|光暗|色溫|火力?|水溫|高度|長度|速度|濃度|字體|比例|座椅|椅背|枱燈|鬧鐘|手機|電話|喇叭|熒幕|螢幕)(?:都|要|就|可以|已經|[將先]){0,2})調(?=到|去|至|做|成|咗|返|下|吓)/gu,
    'tiu4',
  ),
  rule(
    /調(?=[到至返咗去做成]{1,2}(?:攝氏|華氏|[零一二三四五六七八九十廿兩幾半]{1,4}度|最[大細高低快慢光暗強弱熱凍前後]|靜音|震機|震動|飛行模式|無聲))/gu,
    'tiu4',
  ),
  rule(/(?<=點半)度(?=[到先]|$)/gu, 'dou2'),
  rule(/(?<=[國本港西蘭利斯士拿大亞根牙典麥威洲球聯廷徑呢嗰兩邊每各支])隊(?![長員伍友形列])|隊(?=波)/gu, 'deoi2'),
  rule(/(?<=[駛寄奉呈獻遞])上/gu, 'soeng5'),
  rule(/沈(?=[迷默重船沒底浸睡思淪穩澱溺寂痛悶落吟積醉靜着著冤])|(?<=[深下浮消擊低昏陰])沈/gu, 'cam4'),
  // "Storey" after a number.
  rule(new RegExp(`(?<=[${DIGITS}十百幾邊])樓(?![梯宇價盤市高上])`, 'gu'), 'lau2'),
  rule(new RegExp(`(?<=[${AMOUNTS}第每多歲首])名(?![牌字單義額])`, 'gu'), 'ming4'),
];
