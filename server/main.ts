import { setFlagsFromString } from 'node:v8';
import { serve } from './serve.ts';

// V8's own choice lets the heap grow to 250 MB and then keeps it a few megabytes above what is in
// use, so that it is collected every second, 10 to 40 ms each time. `--trace-gc` shows both.
setFlagsFromString('--heap-growing-percent=100');
await serve();
