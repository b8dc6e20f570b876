/** Words for the requested text. */
const SUMMARY_WORDS =
  'summary|overview|recap|rewrite|rewritten version|revised version|translation|摘要|總結|总结|概要|撮要|概括|概述|簡介|简介|整理|重點|重点|內容|内容|要約|まとめ|요약|정리';

/** Matches a colon that belongs to no time or URL. */
const COLON = '(?:：|:(?!\\d|//))';

/** An acknowledgement before the text; alone it may belong to the summary. */
const POLITE =
  '(?:(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|got it|no problem|好的?|當然(?:可以)?|当然(?:可以)?|冇問題|沒問題|没问题|收到|はい|承知(?:いた)?しました|承知です|わかりました|네|물론입니다|물론이죠|알겠습니다)[\\s,，、.。!！~]*)';

const OPENINGS = [
  // Sure, here is a summary of the video in Cantonese:
  `${POLITE}?(?:here(?:'s|’s| is| are)|this is|below is|the following is)\\b[^\\n:：]{0,160}?\\b(?:${SUMMARY_WORDS})\\b[^\\n:：.]{0,120}${COLON}`,
  `${POLITE}here(?:'s|’s| is| are)\\b[^\\n:：.]{0,160}${COLON}`,
  // Summary: / Video summary (English):
  `(?:(?:the|a|brief|short|video|final|plain[- ]text|english|overall)\\s+){0,4}(?:summary|tl;?dr|overview)(?:\\s+(?:of|in)\\s+[^\\n:：.]{1,80})?\\s*(?:[(（][^\\n()（）]{1,40}[)）])?\\s*(?:${COLON}|\\n)`,
  // 好的，以下是呢條影片嘅摘要：
  `${POLITE}?(?:以下|下面)(?:就)?(?:是|係|系|为|為)[^\\n:：。]{0,60}${COLON}`,
  `${POLITE}?(?:呢個|呢段|這|这)(?:就)?(?:是|係|系|为|為)[^\\n:：。]{0,40}(?:${SUMMARY_WORDS})[^\\n:：。]{0,10}${COLON}`,
  `(?:(?:這|这|呢|本|整)?(?:段|條|条|部|個|个)?(?:影片|視頻|视频|內容|内容|節目|节目|廣東話|粵語|中文|繁體中文|简体中文|簡短|全文)(?:嘅|的)?){0,3}(?:摘要|總結|总结|概要|撮要|概括|概述)(?:如下)?\\s*(?:[(（][^\\n()（）]{1,20}[)）])?\\s*(?:${COLON}|\\n)`,
  // 以下は動画の要約です。
  `${POLITE}?以下[はがに][^\\n:：。]{0,60}(?:要約|まとめ|概要)[^\\n:：。]{0,30}(?:${COLON}|[。\\n])`,
  `(?:(?:この)?(?:動画|ビデオ|映像|内容|日本語)(?:の|による)?){0,3}(?:要約|まとめ|概要)\\s*(?:${COLON}|\\n)`,
  // 다음은 영상 요약입니다.
  `${POLITE}?(?:다음은|아래는)[^\\n:：.]{0,60}(?:요약|정리)[^\\n:：.]{0,30}(?:${COLON}|[.\\n])`,
  `(?:(?:이\\s*)?(?:영상|동영상|비디오|내용|한국어)(?:의)?\\s*){0,3}요약\\s*(?:${COLON}|\\n)`,
];
const LEAD_IN = new RegExp(`^(?:${OPENINGS.join('|')})\\s*`, 'iu');
/** A heading without text after it. */
const HEADING_ALONE = /^(?:summary|摘要|總結|总结|概要|撮要|要約|まとめ|요약)\s*[:：]?$/iu;

/** Removes "Summary:", "Sure, here is …:", 以下是…：, 以下は要約です。 and the like at the start. */
export function withoutLeadIn(text: string): string {
  let rest = text;
  for (let found = LEAD_IN.exec(rest); found !== null; found = LEAD_IN.exec(rest)) {
    rest = rest.slice(found[0].length);
  }
  return HEADING_ALONE.test(rest) ? '' : rest;
}
