import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';

const { call, context } = await startPatchbay({ after });
const partner = await createPartner({ after }, { call, context });
const { headers } = await signIn(context, { projectId: partner.projectId });
const stranger = await signIn(context, {
  projectId: (await createPartner({ after }, { call, context })).projectId,
});

const root = '/console/api/templates/';
const order = { pid: 'order', body: 'Order {{number}} for {{name}}', language: 'en', approval: 'approved' };
const asAdmin = (method: string, path: string, body?: unknown) => call(method, path, { headers, body });
const list = async () => (await asAdmin('GET', root)).body.results;

test('a template is added once, edited, and listed with its variables', async () => {
  assert.equal((await asAdmin('POST', root, order)).status, 204);
  const again = await asAdmin('POST', root, { ...order, body: 'Another' });
  assert.deepEqual([again.status, again.body], [400, { pid: ['This field must be unique.'] }]);
  const { pid: _, ...rest } = order;
  const changed = { ...rest, body: 'Order {{number}}', approval: 'pending' };
  assert.equal((await asAdmin('PUT', `${root}order/`, changed)).status, 204);
  const own = { approval_detail: '', is_provided: false, waiting_mailings: 0 };
  assert.deepEqual(await list(), [{ pid: 'order', ...changed, variables: ['number'], ...own }]);
  assert.equal((await asAdmin('PUT', `${root}none/`, changed)).status, 404);
  const wrong = await asAdmin('PUT', `${root}order/`, { ...changed, body: '', language: 'english!' });
  assert.deepEqual(Object.keys(wrong.body), ['body', 'language']);
});

test('a preview names the variables of a text and fills them in', async () => {
  const body = { body: '{{b}} and {{a}} and {{b}}', values: { a: 'x' } };
  const { body: preview } = await asAdmin('POST', `${root}preview/`, body);
  assert.deepEqual(preview, { variables: ['b', 'a'], text: ' and x and ' });
});

test('a template is deleted unless a planned mailing sends it', async () => {
  assert.equal((await asAdmin('POST', root, { ...order, pid: 'sale' })).status, 204);
  const mailing = await call('POST', '/api/partners/mailings/', {
    headers: partner.key,
    body: {
      name: 'Sale',
      content_type: 'TEMPLATE_WHATSAPP',
      template_whatsapp: 'sale',
      template_variables: {
        number: { type: 'GLOBAL', value: '1' },
        name: { type: 'GLOBAL', value: 'Ann' },
      },
      planned_at: '2099-01-01T00:00:00Z',
      filter_chats: { all: [] },
    },
  });
  assert.equal(mailing.status, 201, JSON.stringify(mailing.body));
  assert.equal((await list()).find(({ pid }: { pid: string }) => pid === 'sale').waiting_mailings, 1);
  assert.equal((await asAdmin('DELETE', `${root}sale/`)).status, 400);
  await call('POST', `/api/partners/mailings/${mailing.body.uuid}/stop/`, { headers: partner.key });
  assert.equal((await asAdmin('DELETE', `${root}sale/`)).status, 204);
  assert.equal((await asAdmin('DELETE', `${root}sale/`)).status, 404);
});

test('another project’s template is not found', async () => {
  assert.equal((await asAdmin('POST', root, { ...order, pid: 'own' })).status, 204);
  const path = `${root}own/`;
  const { pid: _, ...body } = order;
  assert.equal((await call('PUT', path, { headers: stranger.headers, body })).status, 404);
  assert.equal((await call('DELETE', path, { headers: stranger.headers })).status, 404);
  assert.deepEqual((await call('GET', root, { headers: stranger.headers })).body.results, []);
});
