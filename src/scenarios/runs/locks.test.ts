import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { startMessenger } from '../../../test/stand-ins/messenger.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';

test(
  'a client’s message and a scenario that opens a session never wait for each other',
  twoSessions,
  async () => {
    const patchbay = await startPatchbay({ after });
    const partner = await createPartner({ after }, patchbay);
    const { add, hears, say, push, isOpening } = openShop(patchbay, partner);
    const { sql } = patchbay.context;
    const { url } = await startMessenger({ after });
    const { status } = await patchbay.call('PUT', '/api/partners/integrations/credentials/', {
      headers: partner.token,
      body: { webhook_url: url, webhook_events: [], webhook_platforms: [] },
    });
    assert.equal(status, 200);
    await add('Help', [
      { id: 'q', type: 'ask', text: 'With what?', keep: { variable: 'topic' } },
      { id: 'o', type: 'operator', title: '{{topic}}' },
    ]);
    const { chat } = await partner.client('ann');
    await push(chat, 'Help');
    await hears('ann', 1);
    while (await isOpening(chat)) await new Promise(setImmediate);
    const isAtWork = () => sql`select from scenario_runs where chat_id = ${chat} and lease is not null`;
    while ((await isAtWork()).length > 0) await new Promise(setImmediate);

    const said: Promise<void>[] = [];
    await sql.begin(async (holding) => {
      // The scenario's turn holds its run, and waits for its last message.
      await holding`
        select from messages join scenario_runs on messages.id = last_message_id
        where scenario_runs.chat_id = ${chat} for update of messages`;
      await say('ann', 'an order');
      await somebodyWaits(sql);
      said.push(say('ann', 'the last one'));
      await somebodyWaits(sql, 2);
    });
    await Promise.all(said);
    const opened = async () =>
      await sql`select title from sessions where chat_id = ${chat} and closed_at is null`;
    while ((await opened()).length === 0) await new Promise(setImmediate);
  },
);
