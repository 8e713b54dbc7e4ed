import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bounds, full, type Kind } from '../../src/platform/limits/room-store.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { signIn } from '../person.ts';

/** Nobody fills the installation with small objects: each kind that people make by hand has a bound. */

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId });

const clients: string[] = [];
for (const name of ['ann', 'bob', 'eve', 'dan', 'kim']) clients.push((await partner.client(name)).profile);
const scenarioOf = (name: string) => ({ name, steps: [{ id: 'hi', type: 'message', text: 'Hi' }] });
const own: number[] = [];
for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
  const file = Buffer.from(JSON.stringify(scenarioOf(name)));
  own.push((await importScenario(context, { projectId, file })).id);
}
const [scenario] = own;
const planned = { text: 'Hi', filter_chats: { all: [] }, planned_at: '2099-01-01T00:00:00Z' };
const { body: mailing } = await call('POST', '/console/api/mailings/', {
  headers,
  body: { name: 'Later', ...planned },
});

/** How the nth one is made, and the columns in which rows of one owner differ. */
type Made = {
  make: (n: number) => [call: string, body?: object];
  differ: { [column: string]: 'uuid' | 'text' | 'bytes' };
};

const made: { [kind in Kind]: Made } = {
  applications: {
    make: (n) => ['POST applications/', { name: `CRM ${n}`, redirect_uris: ['https://crm.test/'] }],
    differ: { id: 'uuid' },
  },
  attributes: { make: (n) => ['POST attributes/', { name: `city ${n}` }], differ: { name: 'text' } },
  audiences: {
    make: (n) => ['POST audiences/', { name: `Audience ${n}`, filter_chats: { all: [] } }],
    differ: { id: 'uuid', name: 'text' },
  },
  bot_keys: {
    make: (n) => ['POST bot-keys/', { name: `Key ${n}` }],
    differ: { id: 'uuid', key_hash: 'bytes' },
  },
  channels: {
    make: (n) => ['POST channels/', { platform: 'Widget', name: `Shop ${n}`, settings: widget }],
    differ: { id: 'uuid' },
  },
  colleagues: { make: (n) => [`PUT mailings/colleagues/${clients[n]}/`], differ: { profile_id: 'uuid' } },
  mailing_overrides: {
    make: (n) => [`POST mailings/${mailing.uuid}/overrides/`, { cap: true, reason: `Recall ${n}` }],
    differ: { id: 'uuid' },
  },
  operators: {
    make: (n) => ['POST team/', { email: `person${n}@people.test`, role: 'operator' }],
    differ: { id: 'uuid', email: 'text', user_id: 'uuid' },
  },
  project_secrets: {
    make: (n) => [`PUT secrets/CRM_${n}/`, { host: 'crm.test', value: 'hush-hush' }],
    differ: { name: 'text' },
  },
  promocode_groups: {
    make: (n) => ['POST promocode-groups/', { name: `Spring ${n}` }],
    differ: { id: 'uuid', name: 'text' },
  },
  quick_answers: {
    make: (n) => ['POST /chat-center/api/quick-answers/', { title: `Hi ${n}`, text: 'Hello' }],
    differ: { id: 'uuid' },
  },
  scenario_starters: {
    make: (n) => [`POST scenarios/${scenario}/starters/`, { kind: 'keyword', value: `word ${n}` }],
    differ: { id: 'uuid', keyword: 'text' },
  },
  scenario_tests: {
    make: (n) => [`POST scenarios/${scenario}/tests/`, { name: `Test ${n}`, script: { lines: [] } }],
    differ: { id: 'uuid', name: 'text' },
  },
  scenario_versions: {
    make: (n) => [
      `PUT scenarios/${own[n]}/`,
      { source: JSON.stringify(scenarioOf(`Changed ${n}`)), version: 1 },
    ],
    differ: { version: 'text' },
  },
  scenarios: {
    make: (n) => ['POST scenarios/', { source: JSON.stringify(scenarioOf(`Scenario ${n}`)) }],
    differ: { id: 'text', name: 'text' },
  },
  suppressions: {
    make: (n) => ['POST suppressions/', { address: `client${n}@mail.test` }],
    differ: { id: 'uuid', address: 'text' },
  },
  tags: { make: (n) => ['POST tags/', { name: `new ${n}` }], differ: { name: 'text' } },
  templates: {
    make: (n) => [
      'POST templates/',
      { pid: `hello ${n}`, body: 'Hello', language: 'en', approval: 'approved' },
    ],
    differ: { pid: 'text' },
  },
  topics: { make: (n) => ['POST topics/', { name: `Topic ${n}` }], differ: { id: 'uuid', name: 'text' } },
};
const widget = { allowed_origins: 'https://shop.test' };

const make = (kind: Kind, n: number) => {
  const [named, body] = made[kind].make(n);
  const [method = '', path = ''] = named.split(' ');
  return call(method, path.startsWith('/') ? path : `/console/api/${path}`, { headers, body });
};

const values = {
  uuid: 'gen_random_uuid()',
  text: "'99' || n",
  bytes: "'\\x' || encode(sha256(n::text::bytea), 'hex')",
};

/** Copies a row of the owner until there is room for one more. */
async function fill(kind: Kind): Promise<void> {
  const { owner, most } = bounds[kind];
  const id = owner === 'mailing_id' ? mailing.uuid : projectId;
  if (kind === 'suppressions') {
    await sql`
      update row_counts set row_count = ${most - 1} where project_id = ${projectId} and table_name = ${kind}`;
    return;
  }
  const differ = Object.entries(made[kind].differ).map(([column, type]) => `'${column}', ${values[type]}`);
  await sql.unsafe(`
    begin;
    set local session_replication_role = replica;
    insert into ${kind} select (jsonb_populate_record(null::${kind}, to_jsonb(one) || jsonb_build_object(${differ}))).*
    from (select * from ${kind} where ${owner} = '${id}' limit 1) as one,
      generate_series(1, ${most - 1} - (select count(*) from ${kind} where ${owner} = '${id}')) as n;
    commit`);
}

for (const kind of Object.keys(made) as Kind[]) {
  test(`one owner has so many ${kind}, and no more at the same time`, async () => {
    const first = await make(kind, 0);
    assert.ok(first.status < 300, `${first.status} ${JSON.stringify(first.body)}`);
    await fill(kind);
    const answers = await Promise.all([1, 2, 3, 4].map((n) => make(kind, n)));
    const refused = answers.filter(({ status }) => status >= 300);
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body]),
      Array(3).fill([400, { detail: full(kind).message }]),
    );
  });
}

/** Tables without a bound of their own, with the reason. */
const others: { [reason: string]: string } = {
  'the business itself: clients, their messages, and what happens to them':
    'chats client_files conversions early_marks early_receipts external_ids lasting_ids messages messages_default notes profile_audit profile_audit_default profile_tags profiles promocodes session_steps sessions',
  'a file, in the storage of its project': 'attachments archives',
  'mailings, and what belongs to one':
    'mailings mailing_approvals mailing_approvers mailing_counts mailing_decisions mailing_identifiers mailing_platforms mailing_problems mailing_removed mailing_runs mailing_test_pushes mailing_tests mailing_waits',
  'runs and counts of scenarios':
    'scenario_counts scenario_date_starts scenario_event_starts scenario_mail scenario_openings scenario_runs',
  'one or a few for each row of a bounded kind':
    'audience_days audience_members channel_cursors channel_pace channel_tokens endpoints scenario_drafts scenario_editors scenario_event_starters scenario_former_names stream_pace',
  'one for each project, and a person makes at most a hundred of those':
    'demos file_quotas projects retention row_counts users',
  'the log of a setting': 'retention_changes',
  'our own': 'migrations',
  'these end by themselves':
    'access_tokens arriving_lists attempts attempts_default chat_news event_queues events events_default iframe_links idempotency_keys jobs oauth_codes person_sessions rates refresh_tokens scenario_sent sign_in_attempts sign_in_links token_families',
};

test('each table has a bound, or a reason for none', async () => {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname !~ '_\\d{6}$'`;
  const reasons = Object.values(others).flatMap((names) => names.split(' '));
  const known = new Set([...Object.keys(bounds), ...reasons]);
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
    'A new table needs a bound in src/platform/limits/room-store.ts, or a reason here.',
  );
  assert.deepEqual(
    [...known].filter((name) => !rows.some((row) => row.name === name)),
    [],
  );
});
