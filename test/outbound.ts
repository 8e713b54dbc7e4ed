import pino from 'pino';
import { createOutbound, type Outbound } from '../src/platform/outbound/outbound.ts';

/** The real client, which may call the stand-ins on this machine. */
export function testOutbound(lifetime: { after(cleanUp: () => unknown): void }): Outbound {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], log: pino({ level: 'silent' }) });
  lifetime.after(() => outbound.close());
  return outbound;
}
