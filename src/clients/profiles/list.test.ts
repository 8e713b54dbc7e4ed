import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedProfile } from '../../../test/seed.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);

/** In the order of their creation. */
const made: string[] = [];

before(async () => {
  for (let index = 0; index < 5; index += 1) {
    made.push(
      await seedProfile(context.sql, partner.projectId, {
        phone_number: `+1201555010${index}`,
        external_id: `crm-${index}`,
        tags: index % 2 === 0 ? ['even', 'all'] : ['all'],
      }),
    );
    await seedProfile(context.sql, stranger.projectId, { external_id: `crm-${index}`, tags: ['even'] });
  }
});

const list = (query = '', headers = partner.key) =>
  call('GET', `/api/partners/profiles/?${query}`, { headers });

const found = async (query: string): Promise<{ count: number; found: number[] }> => {
  const { status, body } = await list(query);
  assert.equal(status, 200);
  return { count: body.count, found: body.results.map(({ uuid }: { uuid: string }) => made.indexOf(uuid)) };
};

test('the newest profile comes first, and the envelope links to the next and the previous page', async () => {
  const { status, body } = await list('limit=2&offset=2&colour=red');
  assert.equal(status, 200);
  const address = 'https://patchbay.test/api/partners/profiles/';
  assert.deepEqual([body.count, body.results.length], [5, 2]);
  assert.equal(body.next, `${address}?limit=2&offset=4&colour=red`);
  assert.equal(body.previous, `${address}?limit=2&colour=red`);
  assert.deepEqual(
    body.results.map(({ external_id }: { external_id: string }) => external_id),
    ['crm-2', 'crm-1'],
  );
});

const cases: [query: string, count: number, found: number[]][] = [
  ['', 5, [4, 3, 2, 1, 0]],
  ['offset=4', 5, [0]],
  ['offset=5', 5, []],
  ['limit=0&offset=-1', 5, [4, 3, 2, 1, 0]],
  ['phone_number=%2B12015550103', 1, [3]],
  ['phone_number=%2B1%20(201)%20555-0103', 1, [3]],
  ['phone_number=+12015550103', 1, [3]],
  ['phone_number=12015550103', 1, [3]],
  ['phone_number=%2B12015550199', 0, []],
  ['phone_number=', 5, [4, 3, 2, 1, 0]],
  ['external_id=crm-1', 1, [1]],
  ['external_id=CRM-1', 0, []],
  ['external_id=%00', 0, []],
  ['tag=even', 3, [4, 2, 0]],
  ['tag=even&limit=1&offset=1', 3, [2]],
  ['tag=all', 5, [4, 3, 2, 1, 0]],
  ['tag=odd', 0, []],
  ['tag=even&external_id=crm-1', 0, []],
  ['tag=even&external_id=crm-2', 1, [2]],
  ['tag=even&external_id=crm-2&phone_number=12015550102', 1, [2]],
  ['tag=even&external_id=crm-2&phone_number=12015550104', 0, []],
];

for (const [query, count, expected] of cases) {
  test(`?${query} finds ${expected.length} of ${count}`, async () => {
    assert.deepEqual(await found(query), { count, found: expected });
  });
}

test('an invalid phone number is refused', async () => {
  const { status, body } = await list('phone_number=nobody');
  assert.deepEqual([status, body], [400, { phone_number: ['Enter a valid phone number.'] }]);
});

test('counts stay true while tags come and go', async () => {
  const { sql } = context;
  const [first = '', second = ''] = made;
  await sql`update profiles set tags = array['even', 'new'] where id = any (${[first, second]})`;
  assert.deepEqual(await found('tag=all'), { count: 3, found: [4, 3, 2] });
  assert.deepEqual(await found('tag=even'), { count: 4, found: [4, 2, 1, 0] });
  assert.deepEqual(await found('tag=new'), { count: 2, found: [1, 0] });
  await sql`delete from profiles where id = ${first}`;
  assert.deepEqual(await found('tag=new'), { count: 1, found: [1] });
  assert.deepEqual(await found(''), { count: 4, found: [4, 3, 2, 1] });
});
