import { shareHeapLimit } from '@jyutsing/system/share-heap-limit';

// Processes that run many files hold hundreds of megabytes of objects, which would be marked after
// each 64 MiB of sound.
shareHeapLimit();
