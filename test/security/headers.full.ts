import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allRoutes } from './all-routes.ts';
import { type Answer, send } from './answers.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';
import { answersIn, exchange, farewell } from './wire.ts';

const scene = await startScene({ after });
const { patchbay, alpha } = scene;
const { address } = patchbay;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);
const origin = { origin: 'https://evil.test' };

const pushes = '/api/partners/push-messages/';
const good = alpha.accessToken;

/** The status of a GET with exactly these header lines. */
async function statusOf(...lines: string[]): Promise<number | undefined> {
  const request = [`GET ${pushes} HTTP/1.1`, 'Host: x', ...lines].join('\r\n');
  const [answer] = answersIn(await exchange(address, `${request}\r\n\r\n${farewell}`));
  return answer?.status;
}

// biome-ignore format: a table is read in columns
const smuggled: [what: string, lines: string[], status: number][] = [
  ['a good token', [`Authorization: Bearer ${good}`], 200],
  ['a good token under another case', [`aUTHORIZATION: bEARER ${good}`], 200],
  ['a good token between spaces', [`Authorization:   Bearer   ${good}   `], 200],
  ['a bad token before a good one', ['Authorization: Bearer x', `Authorization: Bearer ${good}`], 401],
  ['an empty token before a good one', ['Authorization:', `Authorization: Bearer ${good}`], 401],
  ['another scheme before a good one', ['Authorization: Basic eDp5', `Authorization: Bearer ${good}`], 401],
  ['two tokens behind a comma', [`Authorization: Bearer x, Bearer ${good}`], 401],
  ['a token with a comma behind', [`Authorization: Bearer ${good},`], 401],
  ['a token in quotes', [`Authorization: Bearer "${good}"`], 401],
  ['a token behind a tab', [`Authorization: Bearer\t${good}`], 401],
  ['a token without its scheme', [`Authorization: ${good}`], 401],
  ['a token under a name with an underscore', [`bot_key: ${alpha.botKey}`], 401],
  ['a good key', [`bot-key: ${alpha.botKey}`], 200],
  ['a good key in capitals', [`BOT-KEY: ${alpha.botKey.toUpperCase()}`], 200],
  ['a good key twice', [`bot-key: ${alpha.botKey}`, `bot-key: ${alpha.botKey}`], 401],
  ['a bad key before a good one', ['bot-key: x', `bot-key: ${alpha.botKey}`], 401],
  ['a key in braces', [`bot-key: {${alpha.botKey}}`], 401],
  ['a key without its dashes', [`bot-key: ${alpha.botKey.replaceAll('-', '')}`], 401],
  ['a bad token beside a good key', ['Authorization: Bearer x', `bot-key: ${alpha.botKey}`], 401],
  ['a token on a second line', ['Authorization: Bearer', ` ${good}`], 400],
];

test('a credential is parsed in one way, however its header is written', async (t) => {
  for (const [what, lines, status] of smuggled) {
    await t.test(what, async () => assert.equal(await statusOf(...lines), status));
  }
});

/** Whether any page may call the route: it takes credentials that no browser sends by itself. */
const isForPages = async (probe: Probe): Promise<boolean> => {
  if (isForPeople(probe)) return false;
  const { status } = await send(address, requestOf({ ...probe, headers: {} }));
  return status === 401 || /^(POST \/widget\/|GET \/widget\/:channel\/look\/)/.test(probe.route);
};

/** Whether the route takes the cookie of a signed-in person. */
const isForPeople = ({ route }: Probe): boolean => / \/(console|chat-center)\//.test(route);

const preflight = (probe: Probe): Promise<Answer> => {
  const [method = ''] = probe.route.split(' ');
  const asked = {
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization',
  };
  return send(address, {
    ...requestOf(probe),
    method: 'OPTIONS',
    headers: { ...origin, ...asked },
    body: undefined,
  });
};

test('routes for keys or sessions grant a preflight to any page, and never with cookies', async () => {
  for (const probe of probes) {
    const { status, headers } = await preflight(probe);
    assert.equal(status, 204, probe.route);
    const expected = (await isForPages(probe)) ? '*' : undefined;
    assert.equal(headers['access-control-allow-origin'], expected, probe.route);
    assert.equal(headers['access-control-allow-methods'] !== undefined, expected === '*', probe.route);
    assert.equal(headers['access-control-allow-credentials'], undefined, probe.route);
  }
});

test('no answer allows cookies to another origin, and only the link to the chat center sets one', async () => {
  for (const probe of probes) {
    const request = requestOf(probe);
    const { headers } = await send(address, { ...request, headers: { ...request.headers, ...origin } });
    assert.equal(headers['access-control-allow-credentials'], undefined, probe.route);
    const setsCookie = probe.route === 'GET /chat-center/enter/:token/';
    assert.equal(headers['set-cookie'] !== undefined, setsCookie, probe.route);
    assert.notEqual(headers['access-control-allow-origin'], origin.origin, probe.route);
  }
});

test('HEAD gets the same answer as GET, without a body', async () => {
  const routes = await allRoutes(patchbay.context);
  for (const probe of probes.filter(({ route }) => route.startsWith('GET '))) {
    assert.ok(routes.includes(probe.route.replace('GET', 'HEAD')));
    for (const headers of [probe.headers, {}]) {
      const request = { ...requestOf(probe), headers };
      const [get, head] = [await send(address, request), await send(address, { ...request, method: 'HEAD' })];
      assert.deepEqual([head.status, head.text], [get.status, ''], probe.route);
    }
  }
});

test('an answer to a known caller must not be cached', async () => {
  for (const probe of probes.filter(({ headers }) => Object.keys(headers).length > 0)) {
    const { headers } = await send(address, requestOf(probe));
    assert.match(headers['cache-control'] ?? '', /no-store/, probe.route);
  }
});
