import { type Probe, probe } from './probe.ts';

/** The API's public description. */
export const descriptionProbes: Probe[] = [
  '/api/partners/openapi.json',
  '/api/partners/asyncapi.json',
  '/api/partners/docs/',
  '/api/partners/docs/docs.css',
  '/api/partners/docs/contract.md',
  '/api/partners/docs/api-messenger.md',
  '/api/partners/docs/examples/messenger.mjs',
  '/llms.txt',
].map((path) => probe(`GET ${path}`));
