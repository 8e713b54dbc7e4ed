import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { parseEachNumber, parseExactly } from '../exact-json.ts';
import { Invalid } from '../problem.ts';
import { parseJson } from './json.ts';
import { reader } from './validation.ts';

/** Source: docs/contract.md, section 1, "Numbers" and "date-time"; section 5, "filter condition". */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { projectId, key, client } = await createPartner({ after }, patchbay);
const { chat, profile } = await client('ann');

/** The body is text, because a JavaScript number would already be rounded here. */
const push = (get_params: string) =>
  call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: `{"chat": {"uuid": "${chat}"}, "content": {"type": "TEXT", "text": "Hi", "get_params": ${get_params}}}`,
  });

const tooLarge = ['Ensure this value is less than or equal to 9007199254740991.'];

test('an integer that JavaScript would round is refused on its field, at any depth', async () => {
  const { status, body } = await push('{"order": {"id": [1, 9007199254740993]}}');
  assert.deepEqual([status, body], [400, { content: { get_params: { order: { id: { 1: tooLarge } } } } }]);
  const put = await call('PUT', `/api/partners/profiles/${profile}/`, {
    headers: key,
    body: '{"attrs": {"crm": -12345678901234567890}}',
  });
  assert.deepEqual(
    [put.status, put.body],
    [400, { attrs: { crm: ['Ensure this value is greater than or equal to -9007199254740991.'] } }],
  );
});

const tooManyDigits = ['The number has more digits than can be kept.'];
const tooSmall = ['Ensure this value is greater than or equal to -9007199254740991.'];

test('a number that no number of JavaScript holds is refused, however it is written', async () => {
  for (const [literal, complaint] of [
    ['1e309', tooLarge],
    ['1e400', tooLarge],
    ['-1E+400', tooSmall],
    [`1${'0'.repeat(400)}`, tooLarge],
    [`1${'0'.repeat(400)}.5`, tooLarge],
    ['9007199254740993.0', tooLarge],
    ['-9007199254740993.0', tooSmall],
    ['9.007199254740993e15', tooLarge],
    ['900719925474099.3E1', tooLarge],
    ['123456789012345678.5', tooLarge],
    ['0.1234567890123456789', tooManyDigits],
    ['12.34567890123456789', tooManyDigits],
    ['1e-400', tooManyDigits],
    [`0.${'0'.repeat(400)}1`, tooManyDigits],
  ] as const) {
    const { status, body } = await push(`{"a": [${literal}]}`);
    assert.deepEqual([status, body], [400, { content: { get_params: { a: { 0: complaint } } } }], literal);
  }
});

test('a number that cannot be kept is ignored in a field that is unknown, at any depth', async () => {
  const { status } = await call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: `{"chat": {"uuid": "${chat}", "id": 1e400}, "content": {"type": "TEXT", "text": "Hi"}, "no": [{"such": 9007199254740993}]}`,
  });
  assert.equal(status, 201);
});

test('text that cannot be stored is ignored in a field that is unknown, and as its name, at any depth', async () => {
  const { status } = await call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: `{"chat": {"uuid": "${chat}", "a\\u0000": "\\ud800"}, "content": {"type": "TEXT", "text": "Hi", "no": {"\\ud800": 1}}, "no": [{"such": "\\u0000"}]}`,
  });
  assert.equal(status, 201);
  const { status: read } = await call('GET', '/api/partners/push-messages/?no=%00', { headers: key });
  assert.equal(read, 200);
});

test('a number that cannot be kept deletes no field, and selects no chats', async () => {
  const path = `/api/partners/profiles/${profile}/`;
  await context.sql`insert into attributes values (${projectId}, 'level')`;
  await call('PUT', path, { headers: key, body: { attrs: { level: 5 } } });
  const put = await call('PUT', path, { headers: key, body: '{"attrs": {"level": 1e400}}' });
  assert.deepEqual([put.status, put.body], [400, { attrs: { level: tooLarge } }]);
  const { body: unchanged } = await call('PUT', path, { headers: key, body: {} });
  assert.equal(unchanged.attrs.level, 5);
  const mailing = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: '{"name": "x", "text": "x", "filter_chats": {"all": [{"type": "attribute", "v": 1e309}]}}',
  });
  assert.deepEqual([mailing.status, mailing.body], [400, { filter_chats: [`all.0: ${tooLarge[0]}`] }]);
});

test('stored numbers keep every digit, as a number or as text', async () => {
  const { status, body } = await push(
    '{"a": 9007199254740992, "b": "9007199254740993", "c": 1e300, "d": 0.5, "e": 0.30000000000000004, "f": [-0.0, 0e400, 1.50000000000000000000, 9007199254740991.0, 1.7976931348623157e308]}',
  );
  assert.equal(status, 201);
  assert.deepEqual(body.content.get_params, {
    a: 2 ** 53,
    b: '9007199254740993',
    c: 1e300,
    d: 0.5,
    e: 0.30000000000000004,
    f: [0, 0, 1.5, 9007199254740991, Number.MAX_VALUE],
  });
});

test('of seventeen digits the last may differ, if both texts mean one number', async () => {
  const { body } = await push(
    '{"a": 0.10000000000000001, "b": 0.30000000000000003, "c": 1.7976931348623157e308}',
  );
  assert.deepEqual(body.content.get_params, { a: 0.1, b: 0.30000000000000004, c: Number.MAX_VALUE });
});

test('an integer is returned unchanged, or refused', () => {
  const read = reader(Type.Object({ a: Type.Unknown() }));
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
      try {
        assert.equal(String(read(parseJson(Buffer.from(`{"a":${integer}}`))).a), String(integer));
      } catch (error) {
        assert.ok(error instanceof Invalid && (integer > 2n ** 53n || integer < -(2n ** 53n)), String(error));
      }
    }),
  );
});

test('of any JSON, exactly the numbers that would be changed are found, whatever stands in its texts', () => {
  const number = fc.oneof(
    fc.constantFrom(
      '1e400',
      '-1E-400',
      '12345678901234567890',
      '0.1234567890123456789',
      '1e-300',
      '9007199254740993',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  );
  const text = fc
    .array(fc.constantFrom('\\', '"', '\\"', ',', '[', '12345678901234567890', ' 1e400', ':'))
    .map((parts) => JSON.stringify(parts.join('')));
  const value = fc.oneof(number, text, fc.constantFrom('{}', '[]', 'null', 'true'));
  const list = fc.array(fc.tuple(text, value)).map((pairs) => {
    const members = pairs.map(([name, inside], place) => `${JSON.stringify(place + name)}: ${inside}`);
    return `[{${members.join(',\n')}}, ${pairs.map(([, inside]) => inside).join(' ,') || 1}]`;
  });
  fc.assert(
    fc.property(list, (json) => {
      const kept = (source: string) => `kept ${source}`;
      assert.deepEqual(parseExactly(json, kept), parseEachNumber(json, kept));
    }),
  );
});

test('a large body with a number that would be changed is refused as a whole, and names it', async () => {
  const junk = `[${'1,'.repeat(20_000)}12345678901234567890]`;
  const { status, body } = await push(`{"a": ${junk}}`);
  assert.deepEqual(
    [status, body],
    [400, { detail: 'JSON parse error - the number 12345678901234567890 cannot be kept' }],
  );
  const many = await push(`{"a": [${'1e-300,'.repeat(20_000)}1]}`);
  assert.deepEqual(
    [many.status, many.body],
    [400, { detail: 'JSON parse error - more than 10000 long numbers' }],
  );
});

test('a decimal is returned unchanged, or refused', () => {
  const read = reader(Type.Object({ a: Type.Unknown() }));
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (decimal) => {
      for (const text of [JSON.stringify(decimal), decimal.toExponential()]) {
        assert.equal(
          Number(read(parseJson(Buffer.from(`{"a":${text}}`))).a),
          decimal === 0 ? Number(text) : decimal,
        );
      }
    }),
  );
});

test('a zone may omit its colon or its minutes', async () => {
  for (const [launch_at, moment] of [
    ['2099-01-01T03:00:00+03:00', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T03:00:00+0300', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T03:00+03', '2099-01-01T00:00:00.000Z'],
    ['2098-12-31T20:30:00-0330', '2099-01-01T00:00:00.000Z'],
  ]) {
    const { status, body } = await call('POST', '/api/partners/push-messages/', {
      headers: key,
      body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hi' }, launch_at },
    });
    assert.deepEqual([status, body.launch_at], [201, moment], launch_at);
    const at = encodeURIComponent(launch_at ?? '');
    const list = await call('GET', `/api/partners/push-messages/?created_at__lte=${at}`, { headers: key });
    assert.equal(list.status, 200);
  }
  const group = await call('POST', '/api/partners/promocode-groups/', { headers: key, body: { name: 'A' } });
  const made = await call('POST', '/api/partners/promocodes/', {
    headers: key,
    body: { code: 'X', group: group.body.uuid, expires_at: '2099-01-01T03:00:00+03' },
  });
  assert.equal(made.body.expires_at, '2099-01-01T00:00:00.000Z');
  const put = await call('PUT', `/api/partners/profiles/${profile}/`, {
    headers: key,
    body: { pda_agreed: '2020-01-01T03:00:00+0300' },
  });
  assert.equal(put.body.pda_agreed, '2020-01-01T00:00:00.000Z');
  const mailing = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'Sale', text: 'Hi', planned_at: '2099-01-01T03:00:00+03' },
  });
  assert.equal(mailing.body.planned_at, '2099-01-01T00:00:00.000Z');
});

test('a filter accepts a boolean as a word', async () => {
  const filtered = (value: unknown) =>
    call('POST', '/api/partners/mailings/', {
      headers: key,
      body: {
        name: 'Sale',
        text: 'Hi',
        planned_at: '2099-01-01T00:00:00Z',
        filter_chats: { all: [{ type: 'attribute', pda_agreed__isnull: value }] },
      },
    });
  for (const value of [true, false, 'true', 'True', 'false', 'False']) {
    assert.equal((await filtered(value)).status, 201, String(value));
  }
  for (const value of ['yes', '', 1, null, 'null']) {
    const { status, body } = await filtered(value);
    assert.deepEqual(
      [status, body],
      [400, { filter_chats: ['all.0: Must be a valid boolean.'] }],
      String(value),
    );
  }
});
