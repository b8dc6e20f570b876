import { rule, type ReadingRule } from './reading-rule.ts';

/** Verbs after which 到 is "to succeed in" where nothing follows, and after 得 and 唔. */
const SEEING =
  '睇見聽搵揾收買估諗遇撞攞拎捉學賺影聞搶借賣食飲做用玩揀執抽追接救打考爭省偷察約換退訂租拍搭幫試計入寫開過';

/** Verbs of one character after which 到 is "to succeed in" before an object too. */
const REACHING = '識見搵揾收估諗遇撞碰釣摸摘攞拎捉賺聞搶借揀執抽接救拍約換幫試察租訂俾畀偷省';

/** Verbs of two characters after which 到 is "to succeed in", too. */
const REACHING_WORDS =
  '感受|感覺|發覺|察覺|體會|體驗|留意|注意|意識|發現|接觸|影響|收集|搜集|聯絡|聯繫|預約|申請|預計|預料|預測|溝通|騷擾|掌握|證明|' +
  '吸引|滿足|答覆|回覆|彌補|建立|引誘|肯定|確定|認識|理解|了解|接收|接受|觀察|解決|處理|控制|享受|吸收|聯想|想像|反映|改變|分享|' +
  '把握|幫助|爭取|購買|租借|感染|傷害|感動|觸動|打動|刺激|鼓勵|提供|避免|阻止|登記|報名|查詢|辨認|區分|分辨|記錄|拍攝';

/** Times and degrees, before which 到 is "until": 約到好夜. */
const UNTIL =
  '半夜|深夜|手都?軟|天光|天黑|凌晨|朝早|晏晝|下晝|上晝|夜晚|今[日晚年]|聽[日晚朝]|尋[日晚]|第[二日三]|最[尾後]|後尾|而家|依家|宜家|現在|幾(?:時|點|耐|夜|癲)|' +
  '[零一二三四五六七八九十兩]{1,3}(?:點|月|號|年|歲)|好[夜晏遲攰亂癲盡悶]|咁(?!多)|去(?!年)|頭[痛暈]|啱|傻|癲|盡|爆|死|暈|攰|冇晒';

/** Times, vehicles, goods and people that come. */
const COMING =
  '[春夏秋冬][天季]|[節年季月]|時[候間]|時辰|[限期]|(?:日子|生日|假)|[一二三四五六七八九十幾半]?[點號日]|鐘|彎|路口|巴士|的士|小巴|電車|地鐵|港鐵|列車|火車|飛機|[架班]車|船|外賣|快遞|速遞|包裹|件貨|[啲批]貨|' +
  '封信|郵件|[我你佢]哋?|人客?|[客友]|警察|老[師闆]|醫生|同[學事]|[爸媽]|就快|差唔多|已經|終於|啱啱|未';

/** 到 is dou2 after a verb of perception or success, otherwise dou3, "until, to". */
export const ACHIEVEMENT_READINGS: readonly ReadingRule[] = [
  // Someone or a time has come: 秋天到啦, 巴士到咗.
  rule(new RegExp(`(?<=${COMING})到(?=[啦喇嘞咗未]|$)`, 'gu'), 'dou3'),
  rule(new RegExp(`(?<=[${SEEING}][得唔])到`, 'gu'), 'dou2'),
  // Something has not been reached: 未到嗰個地步.
  rule(/(?<=^未|[都仲還又也就係\p{Script=Han}](?<![睇搵見收買做食學摸])未)到(?!手|肉)/gu, 'dou3'),
  // Whether something succeeds: 做唔做到.
  rule(/(?<=\1[唔有未](\p{Script=Han}))到(?![零一二三四五六七八九十兩幾今聽夜])/gu, 'dou2'),
  rule(/(?<=\p{Script=Han}唔)到(?!期|位|達)/gu, 'dou2'),
  rule(new RegExp(`(?<=[${SEEING}])到(?=$|[晒㗎喎嘅呀啊*])`, 'gu'), 'dou2'),
  rule(new RegExp(`(?<=(?<!直)[${REACHING}]|${REACHING_WORDS})到(?!${UNTIL}|達|期|會|訪)`, 'gu'), 'dou2'),
];
