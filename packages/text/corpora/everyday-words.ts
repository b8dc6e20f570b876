/**
 * A phrase with one of these words is a sentence. Characters that occur in many terms too (和, 在)
 * count only as whole words.
 */
const FUNCTION_WORDS = new Set(
  (
    '嘅 咗 喺 係 唔 唔係 佢 佢哋 我 我哋 你 你哋 啲 嘢 冇 嗰 呢 㗎 咩 乜 緊 晒 嚟 畀 俾 同埋 同 啦 喇 囉 啊 呀 嗎 吧 ' +
    '的 是 了 在 他 她 它 們 我們 你們 他們 她們 這 那 這個 那個 呢個 嗰個 不是 沒有 哋 埋 將 要 想 請 被 把 對 跟 而 但 但係 但是 都 就 也 又 仲 有'
  ).split(' '),
);

/** Words that occur in any conversation: boosting them does not help and costs precision. */
const EVERYDAY_WORDS = new Set(
  (
    '我哋 你哋 佢哋 人哋 大家 自己 呢個 嗰個 呢啲 嗰啲 呢度 嗰度 邊度 邊個 點解 點樣 咁樣 噉樣 乜嘢 咩嘢 幾多 幾時 而家 今日 聽日 尋日 今晚 今年 ' +
    '因為 所以 但係 不過 如果 雖然 或者 同埋 以及 以及 即係 就係 都係 唔係 真係 仲有 仲係 一個 一些 一啲 一下 一樣 一齊 一定 一直 一般 可以 可能 應該 需要 ' +
    '我們 你們 他們 她們 它們 這個 那個 這些 那些 這裏 那裏 什麼 甚麼 怎麼 怎樣 為什麼 沒有 不是 就是 還是 還有 但是 而且 而是 因此 於是 然後 之後 之前 以後 以前 ' +
    '現在 今天 明天 昨天 時候 時間 其中 其他 其實 另外 此外 包括 關於 有關 對於 根據 通過 透過 由於 作為 成為 進行 表示 認為 覺得 知道 希望 問題 情況 方面 部分 內容 ' +
    '主要 重要 特別 比較 非常 十分 已經 正在 曾經 將會 不會 不同 不能 不要 所有 每個 各個 任何 許多 很多 好多 唔少 不少 多少 大約 左右 以上 以下 之間 之中 ' +
    '開始 結束 繼續 出現 發生 使用 提供 介紹 討論 說明 請問 多謝 謝謝 唔該 你好 大家好 早晨 主題 題目 講者 嘉賓 節目 錄音 會議 訪問 對話 語音 內文 以下 名單 人名 地名 關鍵詞'
  ).split(' '),
);

/** Whether the word is a function word such as 嘅 or 係. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** Whether the word is too common to be a term. */
export function isEverydayWord(word: string): boolean {
  return EVERYDAY_WORDS.has(word) || FUNCTION_WORDS.has(word);
}
