import { bigrams, scoreOfEdge, scores, type Lexicon } from './lexicon.ts';

/** Content words are in kanji and katakana; verb endings are in hiragana and drop out. */
const RUN = /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]{2,}|[a-z][a-z\d'-]+/gu;
const STOP_UNITS = new Set(
  '今日 今回 前回 次回 皆 皆様 時 人 何 事 私 僕 本当 最近 最初 一番 一度 一回 一つ 二つ 自分 感じ 気 話 先週 毎日 毎朝 今年 去年 動画 コメント チャンネル 登録 高評価 大丈夫 実際 正直 普通 全部 全然 結局 結構 多分 場合 言 思 見 聞 行 来 出 入 使 作 食 飲 知 分 方 中 上 下 前 後 間 目 手 日 年 月 度'.split(
    ' ',
  ),
);

const OPENERS = scores({
  'でも それで だから さて では じゃあ まあ あと 次に それから そして しかし ただ まず 最後に ちなみに というわけで ところで さあ つまり': 1.8,
  '私は 僕は うちの 今日は 今回は この前 この その あの これは それは そこの もし だいたい たとえば 例えば 一度': 0.9,
  'は が を に で と も の へ や か ね よ な から けど ので って まで より ば て た だ し れ ん っ ゃ ゅ ょ ー': -3,
});
const CLOSERS = scores({
  'です ます でした ました ません ですね ますね ですよ ますよ ましたね んです んですよ んですね ください でしょう でしょうか ますか ですか ましょう ないです たいです かな よね さい': 2,
  'だ た ない る う ね よ': 0.2,
  'は が を に で と も の へ や な この その あの とても 私 僕 お ご て けど ので から': -2,
});

export const JAPANESE: Lexicon = {
  spaced: false,
  separator: '',
  fullStop: '。',
  comma: '、',
  sentenceLength: { typical: 27, max: 80 },
  boundaries: { model: 'japanese', reading: 'characters' },
  opens: (text) => scoreOfEdge(OPENERS, text, 'start'),
  closes: (text) => scoreOfEdge(CLOSERS, text, 'end'),
  units: (sentence) =>
    (sentence.match(RUN) ?? [])
      .flatMap((run) => (/^\p{Script=Han}{3,}/u.test(run) ? bigrams(run) : [run]))
      .filter((unit) => !STOP_UNITS.has(unit)),
  courtesy:
    /チャンネル登録|高評価|コメント|こんにちは|こんばんは|おはよう|ようこそ|さようなら|お会いしましょう|また次回|また来週|ありがとうございま|お疲れさま|よろしくお願い|ご紹介しました|聞こえていますか|どうも、/u,
  substance:
    /ください|必ず|大事|重要|大切|ポイント|ほうがい|方がい|べき|まず|理由|原因|ので|から|ため|と、|ば、|なければ|しないと|一番|だけ|以上|以下|くらい|前後|ごと|に一回|に一度|週に|月に|使います|なります|できます|ません/gu,
  anecdote:
    /私|僕|俺|うちの|妻|夫|娘|息子|祖母|祖父|母|父|友達|ご主人|おじいさん|おばあさん|先日|この前|先週|昔|一度|いました|ました|でした|言われ|聞かれ|笑/gu,
  aside:
    /さて|では|じゃあ|まあ|あ、|いやあ|おっと|ほら|ですね|ですよ|んです|かな|ましょう|懐かし|面白|かわい|不思議|素敵|すごく|内緒|正直|！/gu,
  number: /[\d０-９二三四五六七八九十百千万半][\d０-９一二三四五六七八九十百千万半]*|一(?=[キ割月週年回度か日時])|割/gu,
  question: /[？?]\s*$|(?:ですか|ますか|ませんか|でしょうか)[。\s]*$/u,
  dangling:
    /^(?:それ|これ|あれ|その|この|あの|そこ|ここ|そう|こう|だから|でも|しかし|それで|そして|なので|ですから|すると|ちなみに|あとは)/u,
};
