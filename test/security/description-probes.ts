import { type Probe, probe } from './probe.ts';

/** The API's description, which is open to everybody. */
export const descriptionProbes: Probe[] = [
  'openapi.json',
  'asyncapi.json',
  'docs/',
  'docs/docs.css',
  'docs/contract.md',
  'docs/api-messenger.md',
  'docs/examples/messenger.mjs',
].map((file) => probe(`GET /api/partners/${file}`));
