import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../../test/mailing.ts';
import { signIn } from '../../../../test/person.ts';
import { planOf } from '../../../../test/plan.ts';
import { nilUuid } from '../../../platform/id.ts';
import { messagesBehind } from './recipients-store.ts';

const patchbay = await startPatchbay({ after });
const { call, context, longSql } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId });

test('the headings are in the language of the person who downloads, as many as in English', async () => {
  const mailing = await seedMailing(sql, projectId);
  const { chat } = await partner.client('eve');
  await seedMailingMessages(sql, projectId, mailing, [{ chat }]);
  const path = `/console/api/mailings/${mailing}/recipients/export/`;
  const linesIn = async (language: string): Promise<string[][]> =>
    parse((await call('GET', `${path}?language=${language}`, { headers })).body, { bom: true });
  const [russian, english] = [await linesIn('ru'), await linesIn('en')];
  assert.deepEqual(russian[0]?.slice(0, 4), ['клиент', 'uuid клиента', 'внешний id', 'телефон']);
  assert.deepEqual(english[0]?.slice(0, 4), ['client', 'client_uuid', 'external_id', 'phone']);
  assert.deepEqual(russian.slice(1), english.slice(1));
  assert.equal((await call('GET', `${path}?language=xx`, { headers })).status, 400);
});

const rowsOf = async (mailing: string): Promise<Record<string, string>[]> => {
  const answer = await call('GET', `/console/api/mailings/${mailing}/recipients/export/`, { headers });
  assert.equal(answer.status, 200);
  return parse(answer.body, { columns: true, bom: true });
};

test('each recipient has a line: who, where, the state, the reason in words, the times and the reactions', async () => {
  const ann = await partner.client('=1+1', { phone: '+12025550123' });
  const bob = await partner.client('Боб');
  const cid = await partner.client('cid');
  const mailing = await seedMailing(sql, projectId);
  const later = new Date('2099-01-01T06:00:00Z');
  const [read, failed] = await seedMailingMessages(sql, projectId, mailing, [
    { chat: ann.chat },
    { chat: bob.chat },
    { chat: cid.chat, due_at: later },
  ]);
  const at = '2026-10-01T10:00:00.000Z';
  for (const state of ['IN_PROCESS', 'SENT', 'READ']) {
    await sql`update messages set state = ${state}, due_at = null where id = ${read ?? ''}`;
  }
  await sql`
    update messages set sent_at = ${at}, read_at = ${at}, jumped_at = ${at}, clicked_at = ${at}, replied_at = ${at}
    where id = ${read ?? ''}`;
  for (const state of ['IN_PROCESS', 'UNDELIVERED']) {
    await sql`
      update messages set state = ${state}, due_at = null, state_detail = 'The receiver answered 422.'
      where id = ${failed ?? ''}`;
  }
  // What the client did with a message that failed afterwards does not count.
  await sql`update messages set jumped_at = ${at}, clicked_at = ${at}, replied_at = ${at} where id = ${failed ?? ''}`;
  const rows = await rowsOf(mailing);
  const of = (profile: string) => rows.find(({ client_uuid }) => client_uuid === profile) ?? {};
  assert.equal(rows.length, 3);
  assert.deepEqual(of(ann.profile), {
    client: "'=1+1",
    client_uuid: ann.profile,
    external_id: '',
    phone: "'+12025550123",
    address: "'=1+1",
    platform: 'API_Messenger',
    run: '1',
    variant: '',
    state: 'read',
    reason: '',
    sent_at: at,
    delivered_at: '',
    read_at: at,
    link_followed_at: at,
    button_pressed_at: at,
    replied_at: at,
  });
  const told = ({ client, state, reason }: Record<string, string>) => [client, state, reason];
  assert.deepEqual(told(of(bob.profile)), ['Боб', 'undelivered', 'The receiver answered 422.']);
  const { link_followed_at, button_pressed_at, replied_at } = of(bob.profile);
  assert.deepEqual([link_followed_at, button_pressed_at, replied_at], ['', '', '']);
  const page = await call('GET', `/console/api/mailings/${mailing}/recipients/?state=undelivered`, {
    headers,
  });
  const [shown] = page.body.results;
  assert.deepEqual([shown.jumped_at, shown.clicked_at, shown.replied_at], [null, null, null]);
  assert.deepEqual(told(of(cid.profile)), ['cid', 'pending', `Waits until ${later.toISOString()}.`]);
});

test('each of many recipients comes once, and a page of them reads an index', async () => {
  const { chat } = await partner.client('many');
  const mailing = await seedMailing(sql, projectId);
  await longSql`
    insert into messages (
      project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, mailing_id,
      mailing_run
    )
    select ${projectId}, overlay(gen_random_uuid()::text placing '0197' from 1)::uuid, ${chat}, ${partner.channel.id},
      'out', 'mailing', 'TEXT', '{}', now(), 'CANCELLED', ${mailing}, n
    from generate_series(1, 6500) as n`;
  const rows = await rowsOf(mailing);
  assert.deepEqual([rows.length, new Set(rows.map(({ run }) => run)).size], [6_500, 6_500]);
  const plan = await planOf(sql, messagesBehind(sql, { projectId, id: mailing }, nilUuid, 2_000));
  assert.match(plan, /Index Cond: .*mailing_id/);
  assert.doesNotMatch(plan, /Seq Scan|^ *(-> +)?Sort$/m);
});
