import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** Channels in the console. A name may occur twice. */
export function channelProbes(own: Furnished): Probe[] {
  const headers = inConsole(own);
  const params = { uuid: own.messenger.id };
  const channel = (call: string, parts: object = { params }) =>
    probe(call.replace(' ', ' /console/api/channels/'), headers, parts);
  const settings = { allowed_origins: 'https://shop.test' };
  return [
    probe('GET /console/api/messengers/', headers),
    probe('POST /console/api/messengers/check/', headers, { body: { platform: 'Widget', settings } }),
    channel('GET ', {}),
    channel('POST ', { body: { platform: 'Widget', name: 'Window', settings } }),
    channel('GET :uuid/'),
    channel('PATCH :uuid/', { params: { uuid: own.spareChannelId }, body: { name: 'Window', settings } }),
    channel('POST :uuid/pause/'),
    channel('POST :uuid/resume/'),
    channel('POST :uuid/check/', { params: { uuid: own.telegram.id } }),
    channel('GET :uuid/account/'),
    channel('POST :uuid/open-chat/', { params, body: { phone_number: '+79991234567' } }),
    channel('GET :uuid/first-message/'),
    channel('GET :uuid/deliveries/'),
    channel('GET :uuid/failures/'),
    channel('DELETE :uuid/', { params: { uuid: own.spareChannelId } }),
  ];
}

/** Webhooks in the console. */
export function webhookProbes(own: Furnished, webhookUrl: string): Probe[] {
  const headers = inConsole(own);
  const [uuid = ''] = own.endpointIds;
  const event = { uuid, event: own.eventId };
  const webhook = (call: string, parts: object = { params: { uuid } }) =>
    probe(call.replace(' ', ' /console/api/webhooks/'), headers, parts);
  const kind = { event_type: 'message_created', state: 'DELIVERED' };
  const span = { from: '2000-01-01T00:00:00Z', to: '2098-01-01T00:00:00Z' };
  return [
    webhook('GET ', {}),
    webhook('PUT project/', { body: { url: webhookUrl, kinds: ['MAILING_STATE'] } }),
    webhook('POST :uuid/disable/'),
    webhook('POST :uuid/enable/'),
    webhook('POST :uuid/test/'),
    webhook('POST :uuid/rotate-secret/'),
    webhook('GET :uuid/events/', {
      params: { uuid },
      query: { ...kind, ...span, before: own.eventId, limit: '10' },
    }),
    webhook('GET :uuid/events/:event/', { params: event }),
    webhook('POST :uuid/events/:event/replay/', { params: event }),
    webhook('GET :uuid/replay/', { params: { uuid }, query: { ...kind, ...span, after: own.eventId } }),
    webhook('POST :uuid/replay/', { params: { uuid }, body: { ...kind, ...span, after: own.eventId } }),
    webhook('DELETE :uuid/'),
  ];
}
