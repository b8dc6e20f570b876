import { toSimplified } from '#text/script/convert-script.ts';
import { bigrams, scoreOfEdge, scores, type Lexicon } from './lexicon.ts';

/**
 * Function characters of Cantonese and Mandarin in both scripts, without those that are often part
 * of content words (有, 上, 大).
 */
const FUNCTION_CHARACTERS = new Set(
  '嘅咗喺唔佢哋啲嘢冇嗰嚟畀俾噉咁㗎乜咩嘞喇啦囉喎吖咋啫呀啊呢吧吗嗎嘛哦喂哈嗯哎唉我你您他她它们們这這那哪的了着著过過是係系不没沒就都也又再还還仲先至和同跟及与與或而且但所以因为為如果把被让讓俾啱个個只隻之其些么麼怎甚什谁誰很好太最更真吓下咪埋晒緊住',
);
const RUN = /\p{Script=Han}+|[a-z][a-z\d'-]+/gu;
/** Pairs of content characters that carry no content. */
const STOP_PAIRS = new Set(
  '大家 其實 其实 今日 今天 而家 現在 现在 時候 时候 嗰陣 覺得 觉得 知道 之後 之后 以後 以后 之前 以前 可以 應該 应该 可能 已經 已经 開始 开始 時間 时间 東西 东西 有人 有個 有啲 一樣 一样 一次 一定 自己 人哋 有時 有时 好多 很多 多人 第一 第二 第三 最後 最后 講返 說到 说到 繼續 继续 朋友 問題 问题 事情 今集 影片 視頻 视频 頻道 频道 觀眾 观众 留言 訂閱 订阅 點讚 点赞 點樣 邊個 乜嘢 做咩 唔使 一日 一年 一個 一个 一啲 一些 一下 有冇 出嚟 出来 落去 起來 起来 上面 入面 裏面 里面 下面 然後 然后 後來 后来 後尾 當然 当然 不過 不过 比如 譬如 反正 突然 結果 结果 真係 一齊 一起'.split(
    ' ',
  ),
);

const OPENERS = scores({
  '首先 其實 其实 然後 然后 仲有 另外': 2.6,
  '但係 不過 不过 但是 所以 跟住 而家 最後 最后 好啦 好喇 好了 后来 後來 後尾 反正 總之 总之 當然 当然 因此 第一 第二 第三 今日 今天': 1.8,
  '因為 因为 如果 咁樣 同埋 而且 仲要 有個 有啲 有人 佢哋 我哋 他们 我们 大家 就算 比如 譬如 例如 當時 当时 以前 之後 之后 好多 那么': 1.2,
  '我 佢 他 她 你 咁 那 呢 這 这 第 講 说 好 哎 唉 哇 啊 再 有 每 最': 0.6,
  '嘅 的 了 咗 着 著 過 过 啦 㗎 喇 囉 吖 呀 嗎 吗 吧 啫 咋 埋 晒 個 个 住 們 们 哋 啲 到 得 地': -3,
  '就 都 也 先 又 又 係 是 同 和 會 会 要 可 可以 去 嚟 来 唔 不': -0.8,
});
const CLOSERS = scores({
  '㗎啦 㗎喇 嘅啦 嘅喇 嚟㗎 㗎 喇 啦 囉 嘞 喎 吖 啫 咋 添 嗎 吗 吧 呀 啊 哦 嘛 了吧 的吧 咩': 1.8,
  '呢 了 先 嘅 的 晒 咗 過 过 啲 嚟 去 到': 0.4,
  '我 你 佢 他 她 我哋 我们 你哋 你们 佢哋 他们 個 个 同 和 跟 將 将 把 被 畀 喺 在 係 是 唔 不 冇 没 没有 好 很 太 最 更 就 都 也 又 再 先至 因為 因为 如果 所以 但係 但是 要 會 会 可以 應該 应该 想 嗰 呢個 嗰個 这个 那个 這個 那個 一 二 三 四 五 六 七 八 九 十 兩 两 半 每 第 仲 還 还 點 怎么 例如 譬如 比如 首先 其實 其实 然後 然后 跟住 仲有 另外 而且 同埋 即係 向 對 对 從 从 當 当':
    -3,
});

/** Cantonese and Mandarin, in Traditional or Simplified characters. */
export const CHINESE: Lexicon = {
  spaced: false,
  separator: '',
  fullStop: '。',
  comma: '，',
  sentenceLength: { typical: 20, max: 60 },
  boundaries: { model: 'chinese', reading: 'characters', standard: toSimplified },
  opens: (text) => scoreOfEdge(OPENERS, text, 'start'),
  closes: (text) => scoreOfEdge(CLOSERS, text, 'end'),
  units: (sentence) =>
    (sentence.match(RUN) ?? [])
      .flatMap((run) => (/^\p{Script=Han}/u.test(run) ? contentRuns(run).flatMap(bigrams) : [run]))
      .filter((unit) => !STOP_PAIRS.has(unit)),
  courtesy:
    /訂閱|订阅|撳讚|點讚|点赞|點個讚|点个赞|一键三连|小鈴鐺|小铃铛|畀個like|關注一下|关注一下|留言|弹幕|彈幕|大家好|各位好|歡迎返|歡迎嚟|欢迎来|歡迎來|欢迎回|多謝收睇|多謝大家|感谢收看|感謝收看|下集|下期|下次見|下次见|下個禮拜|拜拜|再見|再见|哈囉|哈喽|早晨呀|好久不[見见]|轉發|转发|分享畀|分享给/u,
  substance:
    /要|唔好|不要|別要|必須|必须|應該|应该|最好|最少|至少|一般|通常|先至|才能|才会|因為|因为|由於|由于|所以|即係|就是|如果|否則|否则|唔係嘅話|不然|為咗|为了|關鍵|关键|原因|辦法|办法|最緊要|最要紧|重要|代表|每[日年月次個个隔]|之前|之內|以內|以内|比例|避免|防止|足夠|足够|左右|大約|大约|超過|超过/gu,
  anecdote:
    /我|佢|他|她|朋友|太太|老婆|同事|室友|阿[爺媽嫲婆哥姐]|媽|妈|爸|女朋友|有次|有一次|有一回|嗰次|上次|嗰日|當日|当时|當時|以前|嗰年|去年|細個|小時候|小时候|笑|話我|说我/gu,
  aside: /[啦喇囉啊呀哈吖喎㗎嘛哦咋啫哎唉嘞嗯]|好了|扯远|講返|鏡頭|聽到|小心|等等|真係|真的|慘|靚|不好意思|唔好意思/gu,
  number:
    /[\d二三四五六七八九十百千萬万两兩半][\d一二三四五六七八九十百千萬万點点半零]*|百分|分之|一(?=[百千萬万度公年月日個个]{0,1}(?:公|厘|毫|度|百|千|萬|万|比|年|半))/gu,
  question: /[？?]\s*$|[嗎吗呢咩]\s*$|點解|點算|为什么|為什麼|怎么办|邊度|有人問|有人问|同学问|觀眾問/u,
  dangling:
    /^(?:因為|因为|所以|但係|但是|不過|不过|而且|而|即係|即是|就是|如果唔係|唔係|不然|否則|否则|咁|噉|佢|呢[個啲樣件度]|嗰|這|这|那|他|她|它|再|又|當然|当然|跟住|然後|然后|後來|后来|結果|结果|仲)/u,
};

function contentRuns(run: string): string[] {
  const runs: string[] = [];
  let current = '';
  for (const char of run) {
    if (FUNCTION_CHARACTERS.has(char)) {
      if (current !== '') runs.push(current);
      current = '';
    } else current += char;
  }
  if (current !== '') runs.push(current);
  return runs;
}
