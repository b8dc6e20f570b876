import type { IncomingMessage } from 'node:http';

/**
 * Clients of services that offer OpenAI's calls elsewhere build these paths themselves: `groq-sdk`
 * and Azure's newer API `/openai/v1/…`, Azure's older one `/openai/deployments/{model}/…`, and for
 * sessions `/openai/realtime`.
 */
const PREFIX = /^\/openai(?:\/(?:v1|deployments\/[^/?]+)(?=\/(?:audio|models|realtime)\b)|(?=\/realtime\b))/;

/** The address at which this service has what the client asks for. */
export const withoutOpenaiPrefix = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string => url.replace(PREFIX, '/v1');

/** Whether the client asked at the address of Groq, whose clients require `x_groq` in answers. */
export const isForGroq = ({ originalUrl }: { originalUrl: string }): boolean => originalUrl.startsWith('/openai/v1/');
