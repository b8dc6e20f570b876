/** A reading of a character between two texts, which are seen as far as `REACH`. */
type Frame = readonly [reading: string, before: RegExp, after: RegExp];

/** How far the text beside a character decides, in characters. */
const REACH = 10;
const ANY = /(?:)/u;

/** Readings that no word decides, by what stands beside the character; the first fit counts. */
const FRAMES: Readonly<Record<string, readonly Frame[]>> = {
  // To be or to become; what is taken for something else is dang4.
  当: [['dang1', /(?<![上适恰妥正得])$/u, /^(?:[了过上着]?\p{Script=Han}{1,4}[长师员生官兵王家])(?!得)/u]],
  还: [
    ['huan2', ANY, /^(?:[我你您他她它]们?|人家|别人)的?(?:钱|债|款|书|人情|账|车|东西|公道|清白|自由)/u],
    ['huan2', /[没不未已快该要请先来去]$/u, /^[我你您他她它]/u],
    ['huan2', ANY, /^[我你您他她它]们?(?:$|一(?!样|直|定|起))/u],
  ],
  着: [
    ['zhao2', /[猜够逮捉]$/u, /^(?:了|$)/u],
    ['zhao2', /找$/u, /^(?!找|[我你他她]|一)\p{Script=Han}{0,8}了/u],
    ['zhuo2', /穿$/u, /^(?:$|打扮|讲究|得体|朴[素实]|整[洁齐]|时尚|考究|随[意便]|入时|华丽|体面|方面)/u],
    ['zhao2', /[火灯炉柴烟]$/u, /^(?:了(?!的)|不了|起来)/u],
    ['zhao2', /(?:^|[有在把会没正防怕])$/u, /^火(?:的(?:时候|地方|危险)|了|点|时|后|地|现场|原因|$)/u],
  ],
  了: [['liao3', ANY, /^结(?:了|掉|[这那此一]|$)|^解(?:了(?:[一这那]|$)|[到过一这那情])/u]],
  和: [
    ['he4', ANY, /^着(?:音乐|节[拍奏]|歌|曲|拍|琴|鼓|旋律)/u],
    ['hu2', /[牌麻张将]\p{Script=Han}{0,5}$/u, /^了(?:$|[吧啊，。！])/u],
    ['huo4', /^(?:$)|[把再]$/u, /^稀泥/u],
  ],
  干: [
    ['gan4', /(?<![晒晾烘擦吹烤风变发服皮衣土地口嘴巾漆])$/u, /^得/u],
    [
      'gan4',
      /(?<![晒晾烘擦吹烤风变])$/u,
      /^(?:到(?!底)|满)|^[了过](?:[一二两三四五六七八九十几半好多]+(?:年|天|个|月|小时|辈子|件)|什么|坏事|好事|活)/u,
    ],
  ],
  // To pour; to fall is dao3, behind what makes something fall.
  倒: [
    ['dao4', /[把将]\p{Script=Han}{1,6}(?<![推打摔跌撞击绊扳吓压放])$/u, /^(?:[进入出掉满光空到在]|[了]?$)/u],
    [
      'dao4',
      /(?<![推打摔跌撞击绊扳晕吓压放卧扑病累昏跪])$/u,
      /^(?:[是也还真挺很]|不(?!下|了|起)|没(?!有人)|确实|可以|好像|觉得)/u,
    ],
    ['dao4', /(?<![推打摔跌撞击绊扳晕吓压放卧扑病累昏跪])$/u, /^(?:[一了点]{0,2}杯|[了]?[水茶酒油汤]|垃圾)/u],
  ],
  朝: [
    ['zhao1', ANY, /^阳(?:[照升初映洒般似红下东]|从|$)/u],
    ['zhao1', /[迎向沐浴]着?$/u, /^阳/u],
    ['chao2', ANY, /^(?:着|[东西南北前后][边面方走跑看去开]?|[我你他她它这那天])/u],
  ],
  中: [
    ['zhong4', ANY, /^[了过][一二两三四五六七八九十几百千万]+(?:元|块|注|等奖|$)/u],
    ['zhong4', ANY, /^[了过]?(?:[大头特一二三]等?)?[奖彩]/u],
    ['zhong4', ANY, /^[了过](?:毒|[敌他她]?[人的]?计|弹|枪|邪|圈套|暑|风|招|标|埋伏|病毒)/u],
    ['zhong4', /(?:[考看猜打射击砸相选踢投命说料押])$/u, /^(?:[了过]|$)/u],
  ],
  // To count, also before a measure whose number is counted: 数圈数.
  数: [
    ['shu3', ANY, /^(?:[圈人个页行列步次条只张件粒颗格字天票]|心跳|脉搏)数(?!据|学|量|字)/u],
    ['shu3', /(?:[帮给让教叫请][我你您他她]|[一旁]边|来|去)$/u, /^(?![十百千万亿年月日天次学据码字数]|小时|分钟)/u],
    ['shu4', ANY, /^[十百千万亿](?!数)/u],
    [
      'shu4',
      /(?<![来去边始会能要帮给请着你我他她们快先再又让叫教慢地一下头])$/u,
      /^(?:[个名位家年月日天周次种条座国代倍件项处批轮场起届款份只艘辆架台部套所间支队组]|小时|分钟|秒)(?!数)/u,
    ],
  ],
  处: [
    ['chu3', ANY, /^[理于境方置分罚决世女刑]/u],
    [
      'chu3',
      ANY,
      /^(?:以?[一二三四五六七八九十]+年|死刑|罚|拘[役留]|[无有]期|管制|[一二两三四五六七八九十百千万]+元)/u,
    ],
  ],
  冲: [
    ['chong4', ANY, /^(?:着(?!澡|浪)|[我你他她](?:[喊叫吼笑骂发挥招来]|们)|床|鼻)/u],
    ['chong4', /(?:味道?|气味|酒劲|口气|脾气|说话)(?:[很太真儿有点这么]{0,3})$/u, /^(?:$|[得的了人])/u],
  ],
  缝: [['feng2', /(?<![门墙裂牙指夹石骑接])$/u, /^(?:[衣被扣裤裙伤]|[补上好了在合个件几])/u]],
  泡: [['pao1', /[一两]$/u, /^[尿屎]/u]],
  石: [['dan4', /[一二两三四五六七八九十百千万半几]$/u, /^[米粮谷麦大]/u]],
  // The chariot of Chinese chess.
  车: [['ju1', /(?:^|[，。；、前后双进退吃弃])$/u, /^[一二三四五六七八九][平进退]/u]],
  相: [['xiang4', ANY, /^[片机册貌声框]/u]],
  // To measure; behind a noun it is an amount: 用电量.
  量: [
    ['liang2', ANY, /^[了一]量/u],
    ['liang2', /量[了一]$/u, ANY],
    ['liang2', /[衡测丈估考掂思酌]$/u, ANY],
    [
      'liang2',
      /(?:^|[我你您他她它们来去给帮替要想再先没就又还着])$/u,
      /^(?:[一了过着完好出我你他她它]|体[温重长]|血压|身高|尺寸|三围|腰|长(?!期)|宽)/u,
    ],
    ['liang2', /(?:尺子?|[给帮替][我你他她]|[来去要想没再先])$/u, ANY],
    ['liang4', /\p{Script=Han}{2}$/u, ANY],
  ],
  供: [
    ['gong1', /提$/u, ANY],
    ['gong4', /[口招逼翻上串录笔]$/u, /^(?!电|水|应|不)/u],
    ['gong4', ANY, /^[奉品桌认词述职状佛神祖台案]/u],
    ['gong1', ANY, ANY],
  ],
  间: [['jian1', /[房空时期区瞬世人生准手套单双车夜晚民中]$/u, ANY]],
  粘: [['zhan1', ANY, /^[成上在住到着贴好了满]/u]],
  钻: [['zuan1', ANY, /^[了进出井研空过探到入牛木孔洞]/u]],
  闷: [
    ['men1', ANY, /^[热声头]/u],
    ['men4', ANY, ANY],
  ],
  分: [['fen1', ANY, /^(?:[布析辨配享组类段页离支]|别(?!量))/u]],
  单: [['dan1', /[简菜订账名清买孤]$/u, ANY]],
  参: [['can1', ANY, /^[加与赛观考看军战选照]/u]],
  答: [['da2', /[回问解作报对抢]$/u, ANY]],
  看: [['kan4', /[查观察难偷翻]$/u, ANY]],
  长: [
    ['chang2', ANY, /^[期途度短久远城江袖裤裙款篇线条跑安沙春假]/u],
    ['chang2', /[时延伸波]$/u, ANY],
  ],
  转: [['zhuan3', ANY, /^[向换变移让账身弯]/u]],
  差: [
    [
      'cha4',
      /(?:[太很更最真极挺]|超级|有点|比较|非常|特别|相当|质量|服务|态度|效果)$/u,
      /^(?![别异距额错价事遣旅役])/u,
    ],
    ['cha4', ANY, /^(?:太[多远]|很多|得多|远了|劲|点)/u],
  ],
  累: [
    ['lei2', /果实?$|硕果$/u, /^累/u],
    ['lei2', /果实?累$|硕果累$/u, ANY],
    ['lei3', /(?:伤痕|罪行|债务|血债)累?$/u, /^累|^$|^[的，。]/u],
  ],
};

/** The reading of the character at a place; null where none of the frames fits. */
export function readByFrame(text: readonly string[], at: number): string | null {
  const frames = Object.hasOwn(FRAMES, text[at] ?? '') ? FRAMES[text[at]!]! : [];
  if (frames.length === 0) return null;
  const before = text.slice(Math.max(0, at - REACH), at).join('');
  const after = text.slice(at + 1, at + 1 + REACH).join('');
  return frames.find(([, left, right]) => left.test(before) && right.test(after))?.[0] ?? null;
}
