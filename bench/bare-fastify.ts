// The lower bound of a Fastify server: one route that answers a constant.
import { fastify } from 'fastify';

const answer: unknown = JSON.parse(process.env['ANSWER'] ?? '{}');
const server = fastify();
server.get('/', () => answer);
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
