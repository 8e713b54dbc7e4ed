import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** The console's calls on topics, consents and the suppression list. */
export function consentProbes(own: Furnished): Probe[] {
  const { name } = own;
  const headers = inConsole(own);
  const call = (route: string, parts: object = {}) =>
    probe(route.replace(' ', ' /console/api/'), headers, parts);
  const topic = { params: { uuid: own.topicId } };
  const body = {
    name: `hush-${name} topic 1`,
    description: 'Rarely',
    words: ['no topic'],
    cap_messages: 5,
    cap_days: 7,
  };
  const client = { params: { uuid: own.spareProfileId } };
  const query = { search: '+4', limit: '10', offset: '0' };
  return [
    call('GET topics/'),
    call('DELETE topics/:uuid/', { params: { uuid: own.spareTopicId } }),
    call('PUT topics/:uuid/', { ...topic, body }),
    // A word belongs to one topic.
    call('POST topics/', { body: { ...body, name: 'New', words: [] }, once: 'name' }),
    call('GET profiles/:uuid/consent/', client),
    call('POST profiles/:uuid/consent/', { ...client, body: { topic: own.topicId, subscribed: true } }),
    call('GET suppressions/', { query }),
    call('GET suppressions/export/'),
    call('DELETE suppressions/:uuid/', { params: { uuid: own.suppressionId } }),
    call('POST suppressions/', { body: { address: `never-${name}`, platform: 'Telegram' }, once: 'address' }),
    call('POST suppressions/import/', { body: `${name}@never.test` }),
  ];
}
