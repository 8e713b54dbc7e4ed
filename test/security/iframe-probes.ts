import { randomToken } from '../../src/platform/secrets/secret.ts';
import type { Patchbay } from '../harness.ts';
import { ask } from './ask.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

type Sought = { token: Record<string, string>; operatorId: string; profileId: string };

/** A link to the chat center that a browser has entered by. It does not lapse during the attacks. */
export async function addIframeLink(patchbay: Patchbay, { token, operatorId, profileId }: Sought) {
  const { context, call } = patchbay;
  const body = { operator: { uuid: operatorId }, profile: { uuid: profileId } };
  const { url } = await ask(patchbay, 'POST', '/api/partners/iframe/', token, body);
  const iframeToken = String(url).split('/').at(-2) ?? '';
  const browserToken = randomToken();
  const browser = { cookie: `__Host-patchbay-browser=${browserToken}` };
  const { headers } = await call('GET', `/chat-center/enter/${iframeToken}/`, { headers: browser });
  const sessionId = (headers.get('content-location') ?? '').split('/').at(-2) ?? '';
  await context.sql`
    update iframe_links set expires_at = '2099-01-01', session_expires_at = '2099-01-01' where id = ${sessionId}`;
  return { iframeToken, browserToken, browser, sessionId };
}

export function iframeProbes(own: Furnished): Probe[] {
  const create = (body: object): Probe => probe('POST /api/partners/iframe/', own.token, { body });
  const operator = { uuid: own.operatorId };
  return [
    create({ operator, profile: { uuid: own.profileId } }),
    create({ operator: { email: own.email }, profile: { phone_number: own.phone } }),
    create({ operator, profile: { external_id: own.profileExternalId } }),
    probe('GET /chat-center/enter/:token/', own.browser, { params: { token: own.iframeToken } }),
    probe('GET /chat-center/:session/', own.browser, { params: { session: own.sessionId } }),
  ];
}
