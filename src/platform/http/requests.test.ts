import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  json,
  key,
  knownThing,
  post,
  type Sent,
  startSmallApi,
  unknownThing,
} from '../../../test/small-api.ts';

const { send } = await startSmallApi({ after });

const created = { uuid: knownThing, name: 'x', at: null };
const createdWith = (fields: object) => ({ ...created, ...fields });
const notFound = { detail: 'Not found.' };
const detail = (text: string) => ({ detail: text });
const missing = detail('Authentication credentials were not provided.');
const incorrect = detail('Incorrect authentication credentials.');
const parseError = (reason: string) => detail(`JSON parse error - ${reason}`);
const needsName = { name: ['This field is required.'] };
const notADictionary = (got: string) => ({
  non_field_errors: [`Invalid data. Expected a dictionary, but got ${got}.`],
});
const nul = ['Null characters are not allowed.'];
const surrogate = ['Surrogate characters are not allowed.'];

const put = (body: string, headers = json): Sent => ({ ...post(body, headers), method: 'PUT' });
const form = (body: string) => post(body, { ...key, 'content-type': 'application/x-www-form-urlencoded' });
const typed = (mediaType: string) => ({ ...key, 'content-type': mediaType });
const deep = (levels: number) =>
  `{"name":"x","attrs":${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}}`;
const mebibyte = 1024 * 1024;
const padded = (length: number) => '{"name":"x"}'.padEnd(length);
const [known, unknown] = [`/api/things/${knownThing}/`, `/api/things/${unknownThing}/`];

type Case = [promise: string, path: string, sent: Sent, status: number, body: unknown];

// biome-ignore format: a table is read in columns
const cases: Case[] = [
  ['an object is created', '/api/things/', post('{"name":"x"}'), 201, created],
  ['a path without its slash is served', '/api/things', post('{"name":"x"}'), 201, created],
  ['unknown fields are ignored', '/api/things/', post('{"name":"x","no":{"such":1}}'), 201, created],
  ['a free object comes back whole', '/api/things/', post('{"name":"x","attrs":{"a":[1,{"b":null}]}}'), 201, createdWith({ attrs: { a: [1, { b: null }] } })],
  ['a field called __proto__ is dropped', '/api/things/', post('{"name":"x","__proto__":{"name":1},"attrs":{"a":1,"__proto__":{"b":2}}}'), 201, createdWith({ attrs: { a: 1 } })],
  ['the last of two equal fields counts', '/api/things/', post('{"name":1,"name":"x"}'), 201, created],
  ['a byte order mark is skipped', '/api/things/', post('\ufeff{"name":"x"}'), 201, created],
  ['a charset is no other media type', '/api/things/', post('{"name":"x"}', typed('Application/JSON; charset=utf-8')), 201, created],
  ['a known object is read', known, { headers: key }, 200, { uuid: knownThing, name: 'bot_key', at: '2026-11-20T04:00:00.000Z' }],
  ['a process that serves says so', '/healthz', {}, 200, { status: 'ok' }],
  ['a process whose database answers is ready', '/readyz', {}, 200, { status: 'ok' }],

  ['an unknown path is 404', '/nowhere/', {}, 404, notFound],
  ['an unknown path is 404 before its body is looked at', '/nowhere/', post('{'), 404, notFound],
  ['a path with two slashes is another path', '//api/things/', { headers: key }, 404, notFound],
  ['a path that cannot be decoded is 404', '/names/%ff/', {}, 404, notFound],
  ['a path with NUL is 404', '/names/%00/', {}, 404, notFound],
  ['a very long path parameter is looked up', `/names/${'x'.repeat(8000)}/`, {}, 200, { name: 'x'.repeat(8000) }],
  ['a method that a path does not have is 405', '/api/things/', { method: 'DELETE' }, 405, detail('Method "DELETE" not allowed.')],
  ['a path that is known literally is no parameter of another one', '/names/all/', { method: 'PUT' }, 405, detail('Method "PUT" not allowed.')],
  ['405 comes before the body too', '/api/things', put('{'), 405, detail('Method "PUT" not allowed.')],

  ['no credentials are 401, whatever the body', '/api/things/', post('{', {}), 401, missing],
  ['wrong credentials are 401, whatever the body', '/api/things/', post('{', { ...json, 'bot-key': 'bad' }), 401, incorrect],
  ['no credentials are 401, whatever the path names', unknown, {}, 401, missing],
  ['no credentials are 403 where OAuth alone is taken', '/api/oauth-only/', post('{', {}), 403, missing],
  ['an unknown object is 404, whatever the body', unknown, put('{'), 404, notFound],
  ['an unknown object is 404, whatever the media type', unknown, put('x', typed(';;')), 404, notFound],
  ['a malformed uuid is 404 with the same body', '/api/things/not-a-uuid/', { headers: key }, 404, notFound],
  ['a known object with a malformed body is 400', known, put('{}'), 400, needsName],
  ['an action without a body ignores what is sent', `${known}cancel/`, post('{'), 204, ''],

  ['another media type is 415', '/api/things/', form('x=1'), 415, detail('Unsupported media type "application/x-www-form-urlencoded" in request.')],
  ['an invalid media type is 415', '/api/things/', post('{"name":"x"}', typed(';;')), 415, detail('Unsupported media type in request.')],
  ['a missing media type is 415', '/api/things/', post(new Blob(['{"name":"x"}']), key), 415, detail('Unsupported media type "" in request.')],
  ['a compressed body is 415', '/api/things/', post('{"name":"x"}', { ...json, 'content-encoding': 'gzip' }), 415, detail('Unsupported content encoding "gzip" in request.')],
  ['a body of 1 MiB is read', '/api/things/', post(padded(mebibyte)), 201, created],
  ['a larger body is 413', '/api/things/', post(padded(mebibyte + 1)), 413, detail('Request body is too large.')],
  ['an action with a larger limit reads it', '/api/large-things/', post(padded(16 * mebibyte)), 201, created],
  ['a body beyond that limit is 413', '/api/large-things/', post(padded(16 * mebibyte + 1)), 413, detail('Request body is too large.')],

  ['no body counts as an empty object', '/api/things/', { method: 'POST', headers: key }, 400, needsName],
  ['an empty JSON body counts as an empty object', '/api/things/', post(''), 400, needsName],
  ['broken JSON is 400', '/api/things/', post('{"name":'), 400, parseError('Unexpected end of JSON input')],
  ['broken UTF-8 is 400', '/api/things/', post(new Uint8Array([0x22, 0xff, 0x22])), 400, parseError('invalid UTF-8')],
  ['a body that is a list is named so', '/api/things/', post('[]'), 400, notADictionary('list')],
  ['a body that is a text is named so', '/api/things/', post('"x"'), 400, notADictionary('str')],
  ['a body that is a number is named so', '/api/things/', post('5'), 400, notADictionary('int')],
  ['a body that is null is refused', '/api/things/', post('null'), 400, { non_field_errors: ['This field may not be null.'] }],
  ['nesting of 32 levels is read', '/api/things/', post(deep(32)), 201, createdWith(JSON.parse(deep(32)))],
  ['nesting of 33 levels is 400', '/api/things/', post(deep(33)), 400, parseError('nested deeper than 32 levels')],
  ['nesting of half a mebibyte is 400', '/api/things/', post('['.repeat(mebibyte / 4) + ']'.repeat(mebibyte / 4)), 400, parseError('nested deeper than 32 levels')],
  ['many small values in a large body are 400', '/api/large-things/', post(`{"attrs":[${'{},'.repeat(400_000)}{}]}`), 400, parseError('more than 300000 values')],
  ['many small names in a large body are 400', '/api/large-things/', post(`{"attrs":{${'"a":1,'.repeat(300_000)}"a":1}}`), 400, parseError('more than 300000 values')],
  ['a long text may have any number of commas', '/api/large-things/', post(`{"name":"x","attrs":{"a":"\\"${',[{'.repeat(400_000)}"}}`), 201, created],
  ['NUL is refused on its field', '/api/things/', post('{"name":"a\\u0000b"}'), 400, { name: nul }],
  ['NUL is refused wherever it stands, except in unknown fields', '/api/things/', post('{"name":"x","tags":["a","\\u0000"],"no":{"such":["\\u0000"]}}'), 400, { tags: { 1: nul } }],
  ['NUL is refused in a field name', '/api/things/', post('{"name":"x","attrs":{"\\u0000":1}}'), 400, { attrs: { '\u0000': nul } }],
  ['half of a surrogate pair is refused on its field', '/api/things/', post('{"name":"x","attrs":{"a":"\\ud83d"}}'), 400, { attrs: { a: surrogate } }],
  ['a whole surrogate pair is text', '/api/things/', post('{"name":"\\ud83d\\ude00"}'), 201, createdWith({ name: '😀' })],
  ['a wrong filter is 400 on its name', '/api/things/?kind=z', { headers: key }, 400, { kind: ['"z" is not a valid choice.'] }],

  ['a form is taken where it is asked for', '/form/', form('code=a%26b&no=1'), 200, { code: 'a&b' }],
  ['JSON is taken beside a form', '/form/', post('{"code":"a"}'), 200, { code: 'a' }],
  ['NUL in a form is refused on its field', '/form/', form('code=%00'), 400, { code: nul }],
  ['bytes are handed over untouched', '/bytes/', post(new Uint8Array([0, 0xff, 0x7b])), 200, { hex: '00ff7b' }],
  ['bytes without a media type are handed over', '/bytes/', post(new Blob(['a']), {}), 200, { hex: '61' }],
  ['no bytes are no bytes', '/bytes/', { method: 'POST' }, 200, { hex: '' }],

  ['a refusal is 400 with its sentence', '/fail/refused/', { method: 'POST' }, 400, detail('The message was already sent.')],
  ['an exceeded rate is 429', '/fail/throttled/', { method: 'POST' }, 429, detail('Request was throttled. Expected available in 1 second.')],
  ['a database that is away is 503', '/fail/away/', { method: 'POST' }, 503, detail('The service is temporarily unavailable.')],
  ['anything else is 500 and tells nothing', '/fail/broken/', { method: 'POST' }, 500, detail('Internal server error.')],
  ['what is thrown and no error is 500', '/fail/strangely/', { method: 'POST' }, 500, detail('Internal server error.')],
];

test('each request gets the answer of the contract', async (t) => {
  for (const [promise, path, sent, status, body] of cases) {
    await t.test(promise, async () => {
      const answer = await send(path, sent);
      assert.deepEqual(answer.body, body);
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
    });
  }
});
