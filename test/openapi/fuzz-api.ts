import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Profile } from '../../src/clients/profiles/schema.ts';
import type { Lifetime, Patchbay } from '../harness.ts';
import { type Answer, assertHarmless, type Request, send } from '../security/answers.ts';
import type { Furnished } from '../security/furnish.ts';
import { fuzz } from '../security/fuzz.ts';
import { heardLog } from '../security/heard-log.ts';
import { leavesOf } from '../security/leaves.ts';
import { startScene } from '../security/scene.ts';
import { type Described, type Known, operationsOf, requestLike } from './arbitrary.ts';
import { programDocument } from './program-document.ts';

const atOnce = 16;
const inRound = 512;
const mostAttempts = 5;

/** How many requests of an operation were answered with which status. */
export type Statuses = Record<string, Record<number, number>>;

/**
 * Calls every operation of the API's description with what the description allows, and with what it does not: nothing
 * breaks, and every answer is as it is described. Each round begins with what is there by then.
 */
export async function fuzzApi(lifetime: Lifetime, requests: number): Promise<Statuses> {
  const { log, lines } = heardLog('error');
  const scene = await startScene(lifetime, { log, config: { roles: ['api', 'worker'] } });
  const { patchbay, clock, alpha, webhookUrl } = scene;
  const document = await programDocument();
  const operations = operationsOf(document);
  const { token, sharedToken, botKey } = alpha;
  const words = leavesOf(alpha).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const statuses: Statuses = {};

  for (let done = 0; done < requests; done += inRound) {
    const known: Known = {
      credentials: [
        token,
        sharedToken,
        token,
        sharedToken,
        token,
        sharedToken,
        token,
        { 'bot-key': botKey },
        {},
      ],
      words,
      urls: [webhookUrl],
      named: await namedWords(patchbay, alpha),
      listed: await listedBy(patchbay, operations, token),
    };
    const described = operations.map((operation) => ({
      weight: operation.method === 'DELETE' ? 1 : 4,
      arbitrary: requestLike(document, operation, known).map((request) => ({ operation, request })),
    }));
    const calls = fc.array(fc.oneof(...described), { minLength: atOnce, maxLength: atOnce });
    await fuzz(calls, inRound / atOnce, async (batch) => {
      // Throttles open again, and tokens last.
      clock.advance(500);
      await Promise.all(
        batch.map(async ({ operation: { operation }, request }) => {
          const answer = await sendPatiently(patchbay.address, request);
          assertHarmless(answer);
          const counts = statuses[operation.operationId] ?? {};
          counts[answer.status] = (counts[answer.status] ?? 0) + 1;
          statuses[operation.operationId] = counts;
        }),
      );
    });
    assert.equal(lines(), '');
  }
  return statuses;
}

/** Other tests keep the machine busy, and a statement then runs out of time. A request that causes this itself fails. */
async function sendPatiently(address: string, request: Request): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(address, request);
    if (answer.status !== 503 || attempt === mostAttempts) return answer;
  }
}

/** What fits a field of this name by now, so that much of what is sent is right. */
async function namedWords({ call }: Patchbay, own: Furnished): Promise<Known['named']> {
  const list = async (path: string) => {
    const { body } = await call('GET', `/api/partners/${path}/`, { headers: own.token });
    return body.results;
  };
  const profiles: Profile[] = await list('profiles');
  const groups: { uuid: string }[] = await list('promocode-groups');
  const profileIds = profiles.map(({ uuid }) => uuid);
  const chatIds = profiles.flatMap(({ chats }) => chats.map(({ uuid }) => uuid));
  const groupIds = groups.map(({ uuid }) => uuid);
  const phones = profiles.flatMap(({ phone_number }) => phone_number ?? []);
  const externalIds = profiles.flatMap(({ external_id }) => external_id ?? []);
  return {
    uuid: [...chatIds, ...profileIds],
    'chat.uuid': chatIds,
    'profile.uuid': profileIds,
    'operator.uuid': [own.operatorId],
    'sender.uuid': [own.operatorId],
    group: groupIds,
    'group.uuid': groupIds,
    issued_chat: chatIds,
    id: externalIds,
    external_id: externalIds,
    number: phones,
    phone_number: phones,
    'node.name': [`scenario-${own.name}`],
    node_name: [`scenario-${own.name}`],
    pid: [`template-${own.name}`],
    template_id: [`template-${own.name}`],
    client_id: [own.own.clientId],
    client_secret: [own.own.clientSecret],
    refresh_token: [own.refreshToken],
  };
}

async function listedBy({ call }: Patchbay, operations: Described[], headers: Record<string, string>) {
  const listed: Known['listed'] = {};
  for (const { method, path, operation } of operations) {
    const isList = method === 'GET' && operation.parameters.some(({ name }) => name === 'offset');
    if (!isList || path.includes('{')) continue;
    const { body } = await call('GET', path, { headers });
    const uuids = body.results.map(({ uuid }: { uuid: string }) => uuid);
    for (const tag of operation.tags) listed[tag] = [...(listed[tag] ?? []), ...uuids];
  }
  return listed;
}
