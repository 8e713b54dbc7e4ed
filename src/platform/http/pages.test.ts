import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { key, startSmallApi } from '../../../test/small-api.ts';

const { send } = await startSmallApi({ after });

test('limit and offset select a page, and invalid values are no error', async (t) => {
  const pages: [query: string, limit: number, offset: number][] = [
    ['', 100, 0],
    ['?limit=20&offset=40', 20, 40],
    ['?limit=100', 100, 0],
    ['?limit=101', 100, 0],
    ['?limit=99999999999999999999999', 100, 0],
    ['?limit=0', 100, 0],
    ['?limit=-5&offset=-5', 100, 0],
    ['?limit=abc&offset=abc', 100, 0],
    ['?limit=1.5&offset=1e1', 100, 0],
    ['?limit=&offset=', 100, 0],
    ['?limit=%00&offset=%ff', 100, 0],
    ['?offset=99999999999999999999999', 100, 1_000_000_000],
    ['?limit=20&limit=30&offset=1&offset=2', 30, 2],
  ];
  for (const [query, limit, offset] of pages) {
    await t.test(query, async () => {
      const { status, body } = await send(`/api/things/${query}`, { headers: key });
      assert.equal(status, 200);
      assert.deepEqual([body.count, body.results[0].limit, body.results[0].offset], [250, limit, offset]);
    });
  }
});

test('the links of a page are absolute, under the configured address, and keep the other parameters', async (t) => {
  const base = 'https://patchbay.test/api/things/';
  const pages: [query: string, next: string | null, previous: string | null][] = [
    ['', `${base}?limit=100&offset=100`, null],
    [
      '?limit=50&offset=30&kind=a&name=%C3%A9%26',
      `${base}?limit=50&offset=80&kind=a&name=%C3%A9%26`,
      `${base}?limit=50&kind=a&name=%C3%A9%26`,
    ],
    ['?offset=100', `${base}?offset=200&limit=100`, `${base}?limit=100`],
    ['?offset=200', null, `${base}?offset=100&limit=100`],
    ['?limit=50&offset=200', null, `${base}?limit=50&offset=150`],
    ['?offset=500', null, `${base}?offset=400&limit=100`],
  ];
  const strangers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' };
  for (const [query, next, previous] of pages) {
    for (const path of ['/api/things/', '/api/things']) {
      await t.test(path + query, async () => {
        const { body } = await send(path + query, { headers: { ...key, ...strangers } });
        assert.deepEqual([body.next, body.previous], [next, previous]);
      });
    }
  }
});

test('a filter takes the last of several values, and a value that cannot be stored matches nothing', async () => {
  const name = async (query: string) =>
    (await send(`/api/things/${query}`, { headers: key })).body.results[0].name;
  assert.equal(await name('?name=a&name=b'), 'b');
  assert.equal(await name('?name='), null);
  assert.equal(await name('?name=a%00'), 'a\ufffd');
});
