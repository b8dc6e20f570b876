import { startS3 } from '#testbed/servers/s3-server.ts';

const { port } = await startS3(process.argv[2] ?? '');
process.send?.(port);
// The channel closes when the test ends, however it ends.
process.once('disconnect', () => process.exit(0));
