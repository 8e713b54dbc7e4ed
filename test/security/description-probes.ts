import { type Probe, probe } from './probe.ts';

/** The API's description, which is open to everybody. */
export const descriptionProbes: Probe[] = ['openapi.json', 'docs/', 'docs/docs.css'].map((file) =>
  probe(`GET /api/partners/${file}`),
);
