import { readFileSync } from 'node:fs';
import type { Language } from '@jyutsing/contracts/transcript';
import { foldCharacters, withPrivateCharacters } from './script/fold-characters.ts';

/** The characters that only Simplified writing has, one after the other. */
const SIMPLIFIED_ONLY = new URL('../../models/traditional-words/simplified-only.txt', import.meta.url);

const HAN = /\p{Script=Han}/gu;
const LATIN_WORD = /\p{Script=Latin}+/gu;

/**
 * Characters and words of written Cantonese, in Simplified writing as well. Characters that
 * Mandarin has in other words are told by their words: 喇叭, 猫咪.
 */
const COLLOQUIAL = new RegExp(
  [
    // Characters of Cantonese words alone.
    '[嘅咗喺佢哋啲嘢冇嗰嚟畀噉咁㗎乜瞓啱攞揾睇嬲谂諗㖞𠮶嘥揸掟攰嗱囖冚喎啩嘞囉咯噃攰孭搣脷冧曱煲嘥啖]',
    '唔(?![，。！？,.!?…—~～]|$)|(?<![哈猫貓咪舞妈媽])咪(?![咪表])|喇(?![叭嘛])|(?<!哞|羊|叫)咩(?!咩)|嗌(?!气|氣)|俾(?!斯)|吖(?!啶)|揿掣|搵',
    // 系 and 既, which stand for 係 and 嘅, and 左 and 地 for 咗 and 哋.
    '[都就即但净淨只定又仲真梗总總定唔点點]系(?![统統列数數])|系(?:咪|度|边|邊|呢|咁|我|你|佢|唔|乜|咩|边|人|好(?!安全|领|鞋|扣|带|绳))|[我你他佢人]地(?![方点點板位址区區理图圖产產步下铁鐵])|[食飲饮买買睇去做讲講返放落瞓冇收]左(?![右边邊手脚腳轉转])|(?<![向靠偏极極往拐转轉])左(?=$|[，。！？,.!?啦喇])|[食飲饮落睇做返去讲講行瞓坐开開等揾煮洗整搵用教学學听聽写寫买買搞打玩影赶趕笑喊唱游揸叫住着搬排炒煲充修拆装裝谂諗倾傾]紧(?![急张要密跟迫巴])|影(?:张|張|返)?相',
    // Everyday words.
    '一齐|一齊|几多|几时(?!候)|几耐|几钱|几点钟|点解|点样|点算|点知|点会|点做|点去|边[个度位间啲处](?!角)|而家|依家|宜家|听日|听晚|听朝|聽日|寻日|寻晚|琴日|琴晚|钟意|屋企|倾[偈紧下住]|返[工学屋]|放工|收工(?![资錢])|食[饭晒紧完乜咩得过埋晏]|饮[茶汤]先|落雨|落车|落街|行[街路山](?![道上径])|买餸|细[路佬妹个]|后生|老豆|家姐|靓[仔女]|好靓|几靓|得闲|得唔得|好彩|唞|早唞|雪柜|出粮|差佬|鬼咁|好鬼|好睇|好味|好攰|平啲|一阵间|成日|成个(?!月)|先至|仲有|仲未|仲要|仲可|讲嘢|讲笑|讲咗|傾偈|啱啱|头先|尋日|有冇|冇有|醒目|乜嘢|点都|咁多|个仔|个女|仆街|扑街|扮嘢|食嘢|今朝|听讲|打工仔|收线|打交(?!道)|嬲|痴线|黐线|搞掂|搞定晒|唔使|返嚟|几好(?!处)|好似(?=[你我佢有冇])|俾面|畀面|埋单|埋嚟|执[笠房嘢]|揾食|大佬|阿[妈爸]话|咪住|咪搞|乘晒|晒(?=[啦喇呀㗎])|[完讲食用买走]晒|睇戏|冲凉|湿滞|论尽|论尽|黑箱|湿湿碎|劲[抽正]|串嘴|揸车|嘥气|塞车(?=啦|呀|喇)|巴士站|搭[巴的]士|的士|士多|朱古力|雪糕|波鞋|薯仔|士多啤梨|曲奇|冷衫|银包|荷包|唔该|多谢晒',
    // Times, places and people.
    '[出旧舊]年(?![代轻輕度]|[一-龥]?[级級])|[晏下上]昼|[晏下上]晝|晏觉|朝早|夜晚黑|出面(?!对|對)|[呢嗰]排|隔篱|隔籬|老细(?!胞)|老細(?!胞)|事头|差人|阿[婆伯嫲爷爺公叔]|街市|茶餐[厅廳]|冰室|电单车|電單車|小巴|银纸|銀紙|散纸|散紙|手袜|颈巾|雨褛|底衫|波裤|枱|凳仔',
    // Verbs: 食 and 饮 for eating and drinking, 着 for wearing, 返 and 低 after a verb.
    '食(?=[药藥辣烟煙糖鱼魚鸡雞肉菜粉面麵早夜宵好到住过過少多])(?!肉[动動类類性]|药品|藥品)|[饮飲](?=水(?![机機用源思])|[酒奶汽咖啡杯])|煲[汤湯水]|[着除][衫鞋裤褲裙袜襪]|闩|熄[灯燈咗机機]|[坐跌瞓踎企]低|放低(?=[个個啲支本杯袋]|$)|收[早得]早|企[起喺系度咗]|(?<=[一-龥])(?<![往折遣重回])返(?=$|[，。！？啦去晒屋工我你佢个個])',
    // This and these with a classifier, money, and things of the day.
    '呢(?=[条條件个個度张張部架种種次排位间間样樣边邊])|[一两兩三四五六七八九十百千万萬半几幾\\d]蚊(?!子|虫|蟲|香)|[个個][几幾半]?[钟鐘](?![头頭表])|(?<=[一-龥]{2})添(?=$|[，。！])|出街|阵间|陣間|[冲沖](?:[咗完个個紧緊]{0,2})凉|八[达達]通|点[计計数數估揀]|[执執](?=[到返好埋低齐齊正])|走[冰甜青]|[开開]波|搏命|乸|孭|擘|拍拖|[饮飲]胜|劏|番工|[滚滾冻凍]水|[肥瘦]佬|靓|靚|抵食|[夹夾]份',
    // A state with what it leads to, 热到晕, and words after the verb: 食先, 好未, 走晒.
    '(?<=[一-龥]{2})(?<![首原起优優领領事率预預祖争爭抢搶最在早当當占佔])先(?=$|[，。！？啦喇,.!?])|(?<=[一-龥]{2})未(?=$|[，。！？?呀啊])|[去走卖賣冻凍湿濕干烂爛写寫做讲講]晒|一阵(?=$|[，。！啦先间])|一陣(?=$|[，。！啦先間])',
    '打边炉|去边(?=[玩食睇度搵行呀啊]|$|[，。？?])|(?:^|[，。！？])个头(?=[好痛晕])|(?<=[我你佢])只(?=[猫狗猪兔鸡鸭龟牛雀鹦](?!粮|年|肉))|^只(?=[猫狗猪兔鸡鸭龟牛雀鹦])',
    // Reported speech, questions, and a classifier that makes a noun definite: 个袋, 架车.
    '[我你佢板师師妈媽爸友佬]话(?=[今听聽琴寻尋佢我你要会會冇有好唔想])|(?:^|(?<=[得想系係该該住]))点(?=[呀啊]|$)|[话話]点|点就点|(?:^|[，。！？执執俾拎熄搬摆擺])个(?![人体體性别別案中儿兒子头頭位个個])|^[条條](?=[裙裤褲路鱼魚数數命友颈頸女仔])|^[架件部间間](?=[一-龥])(?![子数數套歇距构構分门門队隊长長署接隔谍諜断斷件落属屬位族])|好(?=[冻凍攰靓靚叻劲勁衰惨慘抵瘀])',
  ].join('|'),
  'u',
);

/** Particles and words that are Cantonese where no word of Mandarin is beside them. */
const RATHER_CANTONESE =
  /拎住|成[晚日身班]|仲(?![裁介夏秋])|[帮幫]手|[热熱冻凍饿餓饱飽肥痛笑嘈闷悶忙贵貴劲勁惊驚吓嚇傻]到(?![了头頭来來达達时時期底处處]|[一-龥]{0,5}[的了])|听住|聽住|肚饿|肚餓|[饮飲][一两三四五兩][杯碗碟樽支]|少甜|少冰|[识識](?=[讲講做游煮写寫用你我])|[一-龥]住(?=[个個])|[买買借开開要写寫租叫做拎装裝带帶拧]樽|(?<=[一-龥]{2})(?<![一决決肯规規固确確稳穩约約否假指协協预預认認设設制评評测測裁鉴])定(?![期时時位居义義价價额額律制量点點金单單做])(?=[一-龥]{1,3}$)|(?<![进進執执旅银銀流飞飛航步施发發同运運])行(?=[唔先返])|(?<=[我你佢])地(?![方区區])/u;
/** The function words of Mandarin. */
const OF_MANDARIN =
  /[的了是他她它们這这那哪吗吧没沒不很也在给給什怎谁誰您把说說儿兒吃喝找请請咱]|跟(?!住)|东西|東西|块钱|塊錢|喜[欢歡]|一[下份]|[还還]是|孩子|[洗]澡|[今昨明]天/u;

/** Words that Simplified writing alone has, of characters that are in both: 以后, 什么, 女儿. */
const SIMPLIFIED_WORDS =
  /[女幼男婴健]儿|儿[子女童歌]|[哪那这]儿|[哪那这心家屋手夜嘴眼车店城室]里|里[面头边]|[什怎这那多要]么|[以之然最随]后|后[来面天年边悔]|[一两三四五几这那]只(?![是有要能好会])|面[条包粉馆]|干[净杯燥脆吗嘛什]|[头理长]发(?![现生展表])|出发|发[现生展表]/u;

/** Words of Taiwan and of the north that no writer in Hong Kong uses. */
const MANDARIN_ALONE =
  /計程車|捷運|公車站|網路|軟體|硬體|滑鼠|早安(?!隆)|咱們|[哪這那]兒|一會兒|玩兒|[幹干]嘛|沒事兒|甭|啥(?!事後)|咋(?:辦|樣|回事)|你們好|謝謝您|鳳梨|馬鈴薯|速食麵|腳踏車|智慧型手機|簡訊|列印|行動電話號碼/u;

let simplifiedOnly: ReadonlySet<string> | null = null;

/**
 * Guesses the language of a text for speech by its script and words. More than two Latin words for
 * each Chinese character are English. Chinese without a Cantonese word is Mandarin if it has a
 * character that only Simplified writing has, or a word of Taiwan or the north. Everything else is
 * Cantonese, the usual language of this service: Cantonese, the written Chinese of Hong Kong, and
 * numbers.
 */
export function languageOfText(written: string): Language {
  const text = withPrivateCharacters(foldCharacters(written));
  const hanCount = text.match(HAN)?.length ?? 0;
  const latinCount = text.match(LATIN_WORD)?.length ?? 0;
  if (latinCount > 2 * hanCount) return 'english';
  return (isSimplified(text) || MANDARIN_ALONE.test(text)) && !isColloquial(text) ? 'mandarin' : 'cantonese';
}

function isColloquial(text: string): boolean {
  return COLLOQUIAL.test(text) || (RATHER_CANTONESE.test(text) && !OF_MANDARIN.test(text));
}

function isSimplified(text: string): boolean {
  simplifiedOnly ??= new Set(readFileSync(SIMPLIFIED_ONLY, 'utf8').trim());
  for (const character of text) if (simplifiedOnly.has(character)) return true;
  return SIMPLIFIED_WORDS.test(text);
}
