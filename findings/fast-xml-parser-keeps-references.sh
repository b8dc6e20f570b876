#!/bin/sh
# Guess: an XML parser decodes `&#x5187;` wherever it decodes `&amp;`: references to characters belong to
# XML itself, unlike the names of HTML.
# Seen with fast-xml-parser 5.12.1 and saxes 6.0.0 (npm): fast-xml-parser, which processes entities
# unless told otherwise, decodes `&amp;` and `&lt;` but leaves `&#x5187;` and `&#39;` as they stand, in
# elements and in attributes. After that `&amp;#39;` and `&#39;` are the same text, so nobody can mend it
# behind the parser. `htmlEntities: true`, named after other entities, decodes them. saxes decodes both.
# Programs that write every character outside ASCII so are read as numbers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts fast-xml-parser@5.12.1 saxes@6.0.0
cat > parse.js <<'END'
import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';

const xml = '<p by="&#38515;&#x751F;">&#x5187; &amp; it&#39;s &amp;#39;</p>';
const options = { ignoreAttributes: false, attributeNamePrefix: '' };
const fast = (more) => {
  const { p } = new XMLParser({ ...options, ...more }).parse(xml);
  return `${p.by}|${p['#text']}`;
};
function saxes() {
  let read = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ attributes }) => (read += `${attributes.by}|`));
  parser.on('text', (text) => (read += text));
  parser.write(xml).close();
  return read;
}
const seen = { fast: fast({}), html: fast({ htmlEntities: true }), saxes: saxes() };
console.log(JSON.stringify(seen, null, 1));
if (seen.fast !== "&#38515;&#x751F;|&#x5187; & it&#39;s &#39;") throw new Error('behaves differently now');
if (!seen.html.startsWith("陳生|冇 & it's ")) throw new Error('htmlEntities behaves differently now');
if (seen.saxes !== "陳生|冇 & it's &#39;") throw new Error('saxes behaves differently now');
END
node parse.js
echo 'as described'
