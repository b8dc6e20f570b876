// Runs where the packages are installed: one client, unchanged, against the service. Arguments: the
// name of the client, the address, the key, the folder with sentence.wav and sentence.pcm. Prints a
// line of JSON for each ability: {"does", "got"}; "got" is what the client received, or begins with
// "FAILED".
import { name } from './harness.js';

const MODULES = [
  [/^(?:ai6-|@ai-sdk\/(?!mcp))/, './ai-sdk.js'],
  [/^(?:openai|groq)/, './openai.js'],
  [/^deepgram/, './deepgram.js'],
  [/elevenlabs/, './elevenlabs.js'],
  [/^@langchain\/community/, './langchain.js'],
  [/mcp|modelcontextprotocol|agents/, './mcp.js'],
];
const [, path] = MODULES.find(([pattern]) => pattern.test(name));
const { programs } = await import(path);
await programs[name]();
// Streams that are still open would keep the process.
process.exit(0);
