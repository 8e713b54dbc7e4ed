import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { mostKept } from '../../platform/http/fields.ts';

/**
 * An object that is stored as it came appears a hundred times in a page of a list. Its size therefore has a limit
 * wherever it is accepted.
 */

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call } = patchbay;
const { key, token, ...partner } = await createPartner({ after }, patchbay);
const { chat, profile } = await partner.client('ann');
const complaint = [`Ensure this field has no more than ${mostKept} characters.`];
const large = { of: 'x'.repeat(mostKept) };
const half = (name: string) => ({ [name]: 'x'.repeat(mostKept / 2) });

const push = (content: object, rest: object = {}) =>
  call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hi', ...content }, ...rest },
  });
const note = (variables: object) =>
  call('POST', '/api/partners/connector/', {
    headers: token,
    body: {
      event: 'note_created',
      chat: { uuid: chat, variables },
      sender: { name: 'Olga' },
      timestamp: 1,
      note: { text: 'A note' },
    },
  });

test('a push message refuses an object that is too large, and a campaign name that is too long', async () => {
  for (const field of ['get_params', 'whatsapp_template_variables']) {
    const { status, body } = await push({ [field]: large });
    assert.deepEqual([status, body], [400, { content: { [field]: complaint } }]);
  }
  const { status, body } = await push({}, { campaign: { name: 'x'.repeat(1025) } });
  assert.deepEqual([status, Object.keys(body)], [400, ['campaign']]);
  assert.equal((await push({ get_params: half('a') })).status, 201);
});

test('a profile refuses attributes that are too large', async () => {
  const { status, body } = await call('PUT', `/api/partners/profiles/${profile}/`, {
    headers: key,
    body: { attrs: large },
  });
  assert.deepEqual([status, body], [400, { attrs: complaint }]);
});

test('the variables of a chat have a total limit, and a refused call changes nothing', async () => {
  assert.equal((await note(half('first'))).status, 200);
  const { status, body } = await note(half('second'));
  assert.deepEqual([status, body], [400, { chat: { variables: complaint } }]);
  assert.equal((await note({ first: 'short again' })).status, 200);
  assert.equal((await note(half('second'))).status, 200);
});
