import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { probe } from './probe.ts';

const root = '/console/api/scenarios/';
const script = {
  now: '2026-01-01T09:00:00Z',
  params: { order: '1' },
  profile: { name: 'Ann', timezone: 'Europe/Oslo', tags: ['new'], attrs: { city: 'Oslo' } },
  chat: { platform: 'Telegram', variables: { step: 1 } },
  promocodes: { Spring: ['SPRING-1'] },
  lines: [
    { expect: 'Hello' },
    { press: 'No' },
    { client: 'Yes' },
    { wait: { days: 1 } },
    { answer: { status: 200, body: {} } },
  ],
};

const sourceOf = (name: string): string =>
  JSON.stringify({
    name,
    steps: [
      { id: 'set', type: 'set', add_tags: ['{{city}}'], attributes: { city: '{{name}}' } },
      {
        id: 'hello',
        type: 'message',
        text: 'Hello {{attrs.city}} {{step}} {{order}}',
        buttons: [{ text: 'No', next: 'wait' }],
      },
      { id: 'wait', type: 'wait', at: '09:00' },
      { id: 'call', type: 'request', url: 'https://a.test/' },
      { id: 'take', type: 'promocode', group: 'Spring', variable: 'code' },
    ],
  });

export function scenarioProbes(own: Furnished) {
  const headers = inConsole(own);
  const params = { id: String(own.scenarioId) };
  const starter = { ...params, starter: own.starterId };
  const source = sourceOf(`scenario-${own.name}`);
  return [
    probe(`GET ${root}`, headers),
    probe(`POST ${root}`, headers, { body: { source: sourceOf(`new-${own.name}`) } }),
    probe(`POST ${root}check/`, headers, { body: { source } }),
    probe(`POST ${root}play/`, headers, { body: { source, script } }),
    probe(`GET ${root}:id/`, headers, { params }),
    probe(`PUT ${root}:id/`, headers, { params, body: { source, version: 1, revision: 1 } }),
    // The draft of the scene is at its first revision.
    probe(`PUT ${root}:id/draft/`, headers, { params, body: { source, version: 1, revision: 1 } }),
    probe(`POST ${root}:id/editors/`, headers, { params }),
    probe(`GET ${root}:id/numbers/`, headers, { params, query: { days: '7' } }),
    probe(`GET ${root}:id/walks/`, headers, { params }),
    probe('POST /console/api/attachments/', headers, { body: 'a text' }),
    probe(`GET ${root}:id/versions/`, headers, { params }),
    probe(`GET ${root}:id/versions/:version/`, headers, { params: { ...params, version: '1' } }),
    probe(`POST ${root}:id/tests/`, headers, { params, body: { name: 'Hello', script } }),
    probe(`GET ${root}:id/starters/`, headers, { params }),
    probe(`POST ${root}:id/starters/`, headers, {
      params,
      body: { kind: 'keyword', value: 'pizza*', to: 'all' },
      once: 'value',
    }),
    probe(`POST ${root}:id/starters/check/`, headers, {
      params,
      body: { kind: 'link', value: 'sale', to: 'all' },
    }),
    probe(`PATCH ${root}:id/starters/:starter/`, headers, { params: starter, body: { is_enabled: true } }),
    probe(`DELETE ${root}:id/starters/:starter/`, headers, { params: starter }),
    probe(`DELETE ${root}:id/tests/:test/`, headers, { params: { ...params, test: own.scenarioTestId } }),
  ];
}

export function templateProbes(own: Furnished) {
  const headers = inConsole(own);
  const template = { body: 'Order {{order}}', language: 'en', approval: 'approved' };
  const at = (pid: string) => ({ params: { pid: `${pid}-${own.name}` } });
  const list = '/console/api/templates/';
  return [
    probe(`GET ${list}`, headers),
    probe(`POST ${list}`, headers, { body: { pid: 'new', ...template }, once: 'pid' }),
    probe(`POST ${list}preview/`, headers, { body: { body: 'Hello {{name}}', values: { name: 'Ann' } } }),
    probe(`POST ${list}submit/`, headers, {
      body: {
        channel: own.telegram.id,
        name: 'order_ready',
        language: 'en',
        category: 'utility',
        body: 'Order {{order}}',
        examples: { order: '7' },
        buttons: [{ text: 'Look', url: 'https://shop.test/' }],
      },
    }),
    probe(`PUT ${list}:pid/`, headers, { ...at('template'), body: template }),
    probe(`DELETE ${list}:pid/`, headers, at('spare-template')),
  ];
}
