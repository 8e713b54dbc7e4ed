import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase } from './database.ts';
import { statements } from './sql-texts.ts';

/**
 * Sharding by project (docs/scale.md) sends a statement to the server that has its project. A statement that names no
 * project goes to all of them, and so has a reason here. To name it is not to be restricted to it: the looks of the
 * engines select `project_id` over all projects.
 */
const reasons: Record<string, string[]> = {
  'a channel, an endpoint or an application has an id of the whole installation': [
    'src/access/oauth/applications-store.ts deleteApplicationRow',
    'src/access/iframe/store.ts deletedLinksOf',
    'src/channels/connected/health-store.ts saveFound',
    'src/channels/connected/pace-store.ts pausePace',
    'src/channels/connected/pace-store.ts spentPace',
    'src/channels/connected/store.ts pauseRefusedChannel',
    'src/events/endpoints/health-store.ts disableEndpoint',
    'src/events/endpoints/health-store.ts noteFailure',
    'src/events/endpoints/health-store.ts noteRecovery',
    'src/events/forget-store.ts deleteQueues',
    'src/events/queue-store.ts claimQueues',
    'src/events/queue-store.ts claimedEvents',
    'src/events/queue-store.ts renewQueues',
    'src/events/replay-store.ts hurryQueues',
    'src/people/console/channels/store.ts findQueued',
  ],
  'the secret of a link or a token says which project it opens': [
    'src/access/iframe/store.ts isLinkOpen',
    'src/access/iframe/store.ts openLink',
    'src/access/oauth/store.ts rotateRefreshToken',
  ],
  'it works for the whole installation': [
    'src/access/iframe/store.ts forgetLinks',
    'src/channels/connected/cursor-store.ts letGoOfCursors',
    'src/channels/connected/health-store.ts findUnasked',
    'src/messaging/chats/early-receipts-store.ts forgetEarly',
    'src/messaging/chats/early-receipts-store.ts forgetMarks',
    'src/people/chat-center/feed-store.ts forgetNews',
    'src/platform/http/idempotency-store.ts forgetKeys',
    'src/retention/parts-store.ts dropPart',
    'src/scenarios/date-starts-store.ts forgetDateStarts',
    'src/telemetry/queues-store.ts mailingDepths',
    'src/telemetry/queues-store.ts webhookDepth',
  ],
  'its project is in a part that the caller gives': [
    'src/mailings/removed-store.ts removedCounts',
    'src/messaging/chats/reactions-store.ts findPressed',
    'src/messaging/chats/receipts-store.ts findReceived',
    'src/messaging/messages/moves-store.ts cancelledMessages',
    'src/scenarios/starters-store.ts deleteStarter',
    'src/scenarios/starters-store.ts enableStarter',
  ],
};

const { sql } = await testDatabase({ after });

test('a statement on a project’s rows names the project, or has a reason', async () => {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
      and attname = 'project_id' and not attisdropped`;
  const tables = rows.map(({ name }) => name).join('|');
  const ofProject = new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?(?:${tables})\\b`);
  const nameless = statements.filter(({ text }) => ofProject.test(text) && !/project_?id/i.test(text));
  // Far fewer would mean that the reader of the sources has become blind.
  assert.ok(statements.length > 450);
  assert.deepEqual(
    [...new Set(nameless.map(({ file, name }) => `${file} ${name}`))].sort(),
    Object.values(reasons).flat().sort(),
  );
});

test('docs/scale.md names every unique key on a project’s rows that holds across projects', async () => {
  const rows = await sql<{ name: string }[]>`
    select index.relname as name from pg_index
    join pg_class index on index.oid = indexrelid
    join pg_class owner on owner.oid = indrelid and owner.relnamespace = current_schema()::regnamespace
    join pg_attribute project on project.attrelid = indrelid and project.attname = 'project_id' and not attisdropped
    where indisunique and not owner.relispartition and not project.attnum = any (indkey::smallint[])
    order by name`;
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'scale.md'), 'utf8');
  const documented = Array.from(page.matchAll(/`(\w+_(?:key|pkey))`/g), ([, name = '']) => name);
  assert.deepEqual(
    documented.sort(),
    rows.map(({ name }) => name),
  );
});
