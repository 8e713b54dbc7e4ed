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

test('a push message refuses texts and objects that are too large in total', async () => {
  const total = {
    content: { non_field_errors: [`Ensure these fields have no more than ${mostKept} characters in total.`] },
  };
  const parts = {
    text: 'x'.repeat(mostKept / 2),
    get_params: half('a'),
    whatsapp_template_variables: half('b'),
  };
  const { text, get_params, whatsapp_template_variables } = parts;
  const unused = {
    node: { name: 'x'.repeat(mostKept / 2) },
    whatsapp_template: { pid: 'x'.repeat(mostKept / 2) },
  };
  for (const content of [parts, { text, get_params }, { get_params, whatsapp_template_variables }, unused]) {
    const { status, body } = await push(content);
    assert.deepEqual([status, body], [400, total]);
  }
  const small = { of: 'x'.repeat(mostKept / 4) };
  const fitting = { text: 'Hi', get_params: half('a'), whatsapp_template_variables: small };
  assert.equal((await push(fitting)).status, 201);
});

test('a character counts once, whether it has one UTF-16 unit or two', async () => {
  const total = `Ensure these fields have no more than ${mostKept} characters in total.`;
  const most = { of: '😀'.repeat(mostKept - '{"of":""}"Hi"'.length) };
  for (const field of ['get_params', 'whatsapp_template_variables']) {
    assert.equal((await push({ [field]: most })).status, 201, field);
    const oneMore = await push({ [field]: { of: `${most.of}x` } });
    assert.deepEqual(oneMore.body, { content: { non_field_errors: [total] } });
    const larger = await push({ [field]: { of: '😀'.repeat(mostKept) } });
    assert.deepEqual(larger.body, { content: { [field]: complaint } });
  }
  const put = async (attrs: object) =>
    (await call('PUT', `/api/partners/profiles/${profile}/`, { headers: key, body: { attrs } })).status;
  assert.deepEqual([await put(most), await put({ of: '😀'.repeat(mostKept) })], [200, 400]);
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

const long = 'x'.repeat(mostKept + 1);

test('a text for nobody known is as short as any other', async () => {
  const payload = { profile: { external_id: 'nobody' }, content: { type: 'TEXT', text: long } };
  const body = { type: 'regular_message', payload };
  const stream = await call('POST', '/api/partners/stream/', { headers: token, body });
  assert.deepEqual([stream.status, stream.body], [400, { payload: { content: { text: complaint } } }]);
});

test('the connector refuses texts, addresses and variables that are too large', async () => {
  const post = async (event: object) => {
    const common = { chat: { uuid: chat }, sender: { name: 'Olga' }, timestamp: 1 };
    const { status, body } = await call('POST', '/api/partners/connector/', {
      headers: token,
      body: { ...common, ...event },
    });
    return [status, body];
  };
  const atMost = (most: number) => [`Ensure this field has no more than ${most} characters.`];
  const message = (parts: object) => post({ event: 'message_created', message: parts });
  const closed = (session: object) => post({ event: 'session_closed', session });
  assert.deepEqual(await post({ event: 'note_created', note: { text: long } }), [
    400,
    { note: { text: complaint } },
  ]);
  for (const name of ['category_name', 'theme_name']) {
    assert.deepEqual(await closed({ [name]: 'x'.repeat(256) }), [400, { session: { [name]: atMost(255) } }]);
    assert.equal((await closed({ [name]: 'x'.repeat(255) }))[0], 200);
  }
  assert.deepEqual(await message({ type: 'image', url: `https://shop.test/${'x'.repeat(8_192)}` }), [
    400,
    { message: { url: atMost(8_192) } },
  ]);
  const template = { template_id: 'x', template_variables: large };
  assert.deepEqual(await message({ type: 'whatsapp_template', whatsapp_template: template }), [
    400,
    { message: { whatsapp_template: { template_variables: complaint } } },
  ]);
});
