import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../../test/harness.ts';
import { signIn } from '../../../../../test/person.ts';
import { addAttribute, addTag } from '../../../../clients/profiles/dictionary.ts';
import { importScenario } from '../../../../scenarios/import.ts';

const { call, context } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const partner = await createPartner({ after }, { call, context });
const { projectId } = partner;
const { headers } = await signIn(context, partner);

const steps = [{ id: 'hi', type: 'message', text: 'Hi' }];
async function scenario(name: string): Promise<{ id: number; path: string }> {
  const file = Buffer.from(JSON.stringify({ name, steps }));
  const { id } = await importScenario(context, { projectId, file });
  return { id, path: `/console/api/scenarios/${id}/starters/` };
}
const orders = await scenario('Orders');
const prices = await scenario('Prices');

const as = (who: Record<string, string>) => (method: string, path: string, body?: object) =>
  call(method, path, { headers: who, body });
const asOlga = as(headers);

test('starters are added, listed, disabled and removed beside their scenario', async () => {
  await asOlga('POST', orders.path, { kind: 'welcome', value: '' });
  await asOlga('POST', orders.path, { kind: 'keyword', value: ' Order* ' });
  await asOlga('POST', orders.path, { kind: 'link', value: 'Sale' });
  const { body } = await asOlga('GET', orders.path);
  const told = body.starters.map(({ kind, value, is_enabled }: Record<string, unknown>) => [
    kind,
    value,
    is_enabled,
  ]);
  assert.deepEqual(told, [
    ['welcome', '', true],
    ['link', 'sale', true],
    ['keyword', 'order*', true],
  ]);
  assert.deepEqual((await asOlga('GET', prices.path)).body, { starters: [] });

  const [{ uuid }] = body.starters;
  await asOlga('PATCH', `${orders.path}${uuid}/`, { is_enabled: false });
  assert.equal((await asOlga('GET', orders.path)).body.starters[0].is_enabled, false);
  const { body: listed } = await asOlga('GET', '/console/api/scenarios/');
  assert.deepEqual(
    listed.results.map(({ welcome, keywords }: Record<string, unknown>) => [welcome, keywords]),
    [
      [false, ['/start sale', 'order*']],
      [false, []],
    ],
  );
  assert.equal((await asOlga('DELETE', `${orders.path}${uuid}/`)).status, 204);
  assert.equal((await asOlga('DELETE', `${orders.path}${uuid}/`)).status, 404);
  assert.equal((await asOlga('GET', orders.path)).body.starters.length, 2);
});

test('a conflict is shown on entering, with the name of the other scenario', async () => {
  const check = async (body: object) => (await asOlga('POST', `${prices.path}check/`, body)).body;
  const nothing = { taken: [], overlapping: [], consent_words: [] };
  const rival = (kind: string, value: string) => ({
    scenario: { id: orders.id, name: 'Orders' },
    kind,
    value,
    to: '',
    label: value,
  });
  assert.deepEqual(await check({ kind: 'keyword', value: 'ORDER price' }), {
    taken: [],
    overlapping: [rival('keyword', 'order*')],
    consent_words: [],
  });
  assert.deepEqual(await check({ kind: 'keyword', value: '*pizza' }), {
    taken: [],
    overlapping: [rival('keyword', 'order*')],
    consent_words: [],
  });
  assert.deepEqual(await check({ kind: 'link', value: 'sale' }), {
    taken: [rival('link', 'sale')],
    overlapping: [],
    consent_words: [],
  });
  assert.deepEqual(await check({ kind: 'link', value: 's*' }), {
    taken: [],
    overlapping: [rival('link', 'sale')],
    consent_words: [],
  });
  assert.deepEqual(await check({ kind: 'keyword', value: 'price' }), nothing);
  assert.deepEqual(await check({ kind: 'welcome', value: '' }), nothing);
  await asOlga('POST', orders.path, { kind: 'welcome', value: '' });
  assert.deepEqual((await check({ kind: 'welcome', value: '' })).taken, [rival('welcome', '')]);

  const refused = await asOlga('POST', prices.path, { kind: 'link', value: 'SALE' });
  assert.deepEqual([refused.status, refused.body], [400, { value: ['This already starts "Orders".'] }]);
  await asOlga('POST', prices.path, { kind: 'keyword', value: 'order price' });
  const { body } = await asOlga('GET', orders.path);
  assert.deepEqual(
    body.starters.flatMap(({ overlapping }: { overlapping: object[] }) => overlapping),
    [{ ...rival('keyword', 'order price'), scenario: { id: prices.id, name: 'Prices' } }],
  );
});

test('a starter that conflicts with very many names twenty of them', async () => {
  for (let number = 0; number < 25; number += 1) {
    await asOlga('POST', orders.path, { kind: 'keyword', value: `crowd*${number}` });
  }
  const { body } = await asOlga('POST', `${prices.path}check/`, { kind: 'keyword', value: 'crowd*' });
  assert.equal(body.overlapping.length, 20);
});

test('events conflict with the same event, and a value conflicts with any value', async () => {
  await addTag(context, { projectId, name: 'vip' });
  await addAttribute(context, { projectId, name: 'status' });
  const group = await asOlga('POST', '/console/api/promocode-groups/', { name: 'Spring' });
  const spring = { kind: 'promocode', value: group.body.uuid };
  const paid = { kind: 'attribute', value: 'status', to: 'paid' };
  for (const event of [{ kind: 'tag_added', value: 'vip' }, paid, spring]) {
    assert.equal((await asOlga('POST', orders.path, event)).status, 200);
  }
  const rivals = async (body: object) => {
    const { taken, overlapping } = (await asOlga('POST', `${prices.path}check/`, body)).body;
    const labels = (found: { label: string; to: string }[]) => found.map(({ label, to }) => label + to);
    return [labels(taken), labels(overlapping)];
  };
  assert.deepEqual(await rivals({ kind: 'tag_added', value: 'vip' }), [['vip'], []]);
  assert.deepEqual(await rivals({ kind: 'tag_removed', value: 'vip' }), [[], []]);
  assert.deepEqual(await rivals(paid), [['statuspaid'], []]);
  assert.deepEqual(await rivals({ ...paid, to: 'new' }), [[], []]);
  assert.deepEqual(await rivals({ ...paid, to: '' }), [[], ['statuspaid']]);
  assert.deepEqual(await rivals({ kind: 'promocode', value: '' }), [[], ['Spring']]);

  const own = (await asOlga('GET', orders.path)).body.starters;
  const { uuid } = own.find(({ kind }: { kind: string }) => kind === 'attribute');
  await asOlga('PATCH', `${orders.path}${uuid}/`, { is_enabled: false });
  assert.deepEqual(await rivals({ ...paid, to: '' }), [[], []]);

  const { body } = await asOlga('GET', '/console/api/tags/uses/?name=vip');
  assert.deepEqual(body.scenarios, ['Orders']);
  const [first] = (await asOlga('GET', orders.path)).body.starters.slice(-1);
  await asOlga('PATCH', `${orders.path}${first.uuid}/`, { is_enabled: false });
  assert.equal((await asOlga('GET', orders.path)).body.starters.at(-1).is_enabled, false);
  assert.equal((await asOlga('DELETE', `${orders.path}${first.uuid}/`)).status, 204);
});

test('a starter that means nothing is refused at its field', async () => {
  const hour = await asOlga('POST', prices.path, { kind: 'date', value: 'status', to: '24' });
  assert.deepEqual([hour.status, hour.body], [400, { to: ['Enter an hour from 0 to 23.'] }]);
  for (const [body, message] of [
    [{ kind: 'keyword', value: ' ' }, 'This field may not be blank.'],
    [{ kind: 'link', value: '' }, 'This field may not be blank.'],
    [{ kind: 'keyword', value: '**' }, 'A keyword has at least one character beside the stars.'],
    [{ kind: 'tag_added', value: 'unknown' }, 'The project does not have it.'],
    [{ kind: 'attribute', value: 'unknown' }, 'The project does not have it.'],
    [{ kind: 'promocode', value: randomUUID() }, 'The project does not have it.'],
    [{ kind: 'audience', value: randomUUID() }, 'The project does not have it.'],
    [{ kind: 'audience', value: 'VIP' }, 'The project does not have it.'],
    [{ kind: 'link', value: 'a'.repeat(250) }, 'A keyword has at most 255 characters.'],
  ] as const) {
    const { status, body: answer } = await asOlga('POST', prices.path, body);
    assert.deepEqual([status, answer], [400, { value: [message] }]);
  }
});

test('only administrators of the project see and change what starts its scenarios', async () => {
  const { body } = await asOlga('GET', orders.path);
  const path = `${orders.path}${body.starters[0].uuid}/`;
  const stranger = await signIn(context, await createPartner({ after }, { call, context }));
  const operator = await signIn(context, { projectId, role: 'operator' });
  for (const [who, status] of [
    [stranger, 404],
    [operator, 403],
  ] as const) {
    const ask = as(who.headers);
    const wanted = { kind: 'keyword', value: 'new' };
    assert.equal((await ask('GET', orders.path)).status, status);
    assert.equal((await ask('POST', orders.path, wanted)).status, status);
    assert.equal((await ask('POST', `${orders.path}check/`, wanted)).status, status);
    assert.equal((await ask('PATCH', path, { is_enabled: false })).status, status);
    assert.equal((await ask('DELETE', path)).status, status);
  }
  // Another scenario's path names it neither.
  const elsewhere = path.replace(orders.path, prices.path);
  assert.equal((await asOlga('DELETE', elsewhere)).status, 404);
  assert.deepEqual((await asOlga('GET', orders.path)).body, body);
});

test('a keyword that is a word of consent is flagged: when it is entered, on its scenario, and in the settings', async () => {
  const settings = async () => (await asOlga('GET', '/console/api/settings/')).body.taken_words;
  assert.deepEqual(await settings(), []);
  const checked = async (kind: string, value: string) =>
    (await asOlga('POST', `${prices.path}check/`, { kind, value })).body.consent_words;
  assert.deepEqual(await checked('keyword', 'Stop'), ['stop']);
  assert.deepEqual(await checked('keyword', 'sto*'), ['stop']);
  assert.deepEqual(await checked('keyword', 'stopping'), []);
  assert.deepEqual(await checked('welcome', ''), []);
  assert.deepEqual(await checked('tag_added', 'stop'), []);
  const topic = { name: 'News', description: '', words: ['no news'] };
  assert.equal((await asOlga('POST', '/console/api/topics/', topic)).status, 200);
  const { body } = await asOlga('POST', prices.path, { kind: 'keyword', value: 'no news' });
  const flagged = (await asOlga('GET', prices.path)).body.starters
    .filter(({ consent_words }: { consent_words: string[] }) => consent_words.length > 0)
    .map(({ value, consent_words }: { value: string; consent_words: string[] }) => [value, consent_words]);
  assert.deepEqual(flagged, [['no news', ['no news']]]);
  assert.deepEqual(await settings(), [{ word: 'no news', scenario: 'Prices' }]);
  await asOlga('PATCH', `${prices.path}${body.uuid}/`, { is_enabled: false });
  assert.deepEqual(await settings(), []);
});
