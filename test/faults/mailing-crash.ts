import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { setProjectWebhook } from '../../src/events/endpoints/project-webhook.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import type { Lifetime } from '../harness.ts';
import { startMessenger } from '../stand-ins/messenger.ts';
import { addCodes, addRecipients, type Recipient } from './audience.ts';
import { startSupervised } from './crash.ts';
import { startFileServer } from './file-server.ts';
import { claims, type Home, lapseClaims } from './home.ts';
import {
  checkCodes,
  checkEvents,
  checkHeard,
  checkStatistics,
  heardBy,
  messagesOf,
} from './mailing-accounts.ts';
import { type Stage, stageOf, stages } from './mailing-stage.ts';
import { changesOf, watchMailings } from './mailing-watch.ts';
import { inFlightCount, slowProvider } from './traffic.ts';
import { until } from './until.ts';

type Moment = Exclude<Stage, 'stopping'>;

type Plan = {
  recipients: number;
  /** Lines of the file that name no client. They prolong reading and planning. */
  padding: number;
  /** The stages of the file's mailing at which the program is killed, one after another. */
  kills: readonly Moment[];
  /** Whether the test ends the claims of dead programs. Otherwise the next program waits for their end. */
  lapse: boolean;
};

const pollEveryMs = 3;

/**
 * Runs three mailings to the same clients at once, while the program is killed again and again. They are a text for a
 * filter, promo codes for a file, and a scenario for an array. Checks that each client gets each of them once, and
 * that all figures are true.
 */
export async function mailThroughCrashes(lifetime: Lifetime, plan: Plan) {
  const { home, supervisor, partner } = await startSupervised(lifetime);
  const { messenger } = partner;
  const receiver = await startMessenger(lifetime);
  messenger.behave(slowProvider);
  const recipients = await home.within(async (context) => {
    const { projectId } = partner;
    await watchMailings(context.sql);
    await setProjectWebhook(context, { projectId, url: receiver.url, kinds: ['MAILING_STATE'] });
    await importScenario(context, { projectId, file: Buffer.from(JSON.stringify(scenario)) });
    await addCodes(context.sql, partner, 'Gift', plan.recipients + 10);
    return addRecipients(context.sql, partner, plan.recipients);
  });
  let fetches = 0;
  let isHeld = plan.kills.includes('fetching');
  const file = fileFor(recipients, plan.padding);
  const files = await startFileServer(lifetime, (_request, response) => {
    fetches += 1;
    if (!isHeld) response.end(file);
  });

  const create = async (mailing: object): Promise<string> => {
    const { status, body } = await supervisor.call('POST', '/api/partners/mailings/', {
      headers: { ...partner.key, 'idempotency-key': JSON.stringify(mailing).slice(0, 100) },
      body: mailing,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.uuid;
  };
  const ofFile = await create({
    name: 'By file',
    text: '{{promocode:Gift}} and {{bonus}} more: https://shop.example/gift',
    customer_filter_field: 'EXTERNAL_ID',
    customer_filter_file: `${files}/list.csv`,
  });
  const ofFilter = await create({
    name: 'By filter',
    text: 'See https://shop.example/spring',
    filter_chats: { all: [] },
  });
  const ofArray = await create({
    name: 'By array',
    node_name: scenario.name,
    customer_filter_field: 'UUID',
    customer_filter_array: recipients.map(({ profile }) => profile),
  });
  const mailings = [ofFile, ofFilter, ofArray];

  /** The calls of the three mailings, and of the scenario's second message. */
  const callsInAll = 4 * plan.recipients;
  const reach = async (moment: Moment): Promise<void> => {
    if (moment === 'sending') {
      await home.look((sql) => passed(() => stageOf(sql, ofFile), moment));
      const done = messenger.deliveries.length;
      await messenger.received(done + Math.floor(Math.random() * 0.8 * (callsInAll - done)));
    } else if (moment === 'fetching') {
      await until(() => fetches > 0);
    } else await home.look((sql) => passed(() => stageOf(sql, ofFile), moment));
  };

  const inFlight = inFlightCount();
  const hit: Record<string, number> = {};
  for (const moment of plan.kills) {
    await reach(moment);
    const { exitCode, complaints } = await supervisor.restart('SIGKILL', () =>
      home.look(async (sql) => {
        for (const id of mailings) {
          const stage = await stageOf(sql, id);
          hit[stage] = (hit[stage] ?? 0) + 1;
        }
        isHeld = false;
        inFlight.add(await claims(sql));
        if (plan.lapse) await lapseClaims(sql);
      }),
    );
    assert.equal(exitCode, null);
    assert.deepEqual(complaints, []);
  }

  await untilAllIsSaid(home, mailings);
  const heard = heardBy(messenger.deliveries);
  const profiles = recipients.map(({ profile }) => profile).sort();
  let repeats = 0;
  for (const mailing of mailings) {
    const messages = await home.look((sql) => messagesOf(sql, mailing));
    assert.deepEqual(messages.map(({ profile }) => profile).sort(), profiles);
    assert.deepEqual([...new Set(messages.map(({ state }) => state))], ['SENT']);
    repeats += checkHeard(messages, heard, inFlight.of);
    checkEvents(mailing, messages, receiver.deliveries);
    const { body } = await supervisor.call('GET', `/api/partners/mailings/${mailing}/`, {
      headers: partner.key,
    });
    assert.equal(body.state, 'completed');
    checkStatistics(body, messages);
    const changes = await home.look((sql) => changesOf(sql, mailing));
    assert.deepEqual(
      changes.map(({ run, state, open }) => [run, state, open]),
      [
        [1, 'in_process', 0],
        [1, 'completed', 0],
      ],
    );
    if (mailing === ofFile) await home.look((sql) => checkCodes(sql, 'Gift', messages, heard));
  }
  const second = await home.look(
    (sql) => sql<{ id: string }[]>`select id from messages where source = 'scenario'`,
  );
  assert.equal(second.length, plan.recipients);
  repeats += checkHeard(second, heard, inFlight.of);
  assert.equal(heard.size, callsInAll);
  return {
    kills: plan.kills.length,
    hit,
    fetches,
    messages: callsInAll,
    repeats,
    inFlight: inFlight.total(),
  };
}

const scenario = {
  name: 'Welcome',
  steps: [
    { id: 'a', type: 'message', text: 'Hello' },
    { id: 'b', type: 'message', text: 'Goodbye' },
  ],
};

/** Uses Excel's own separator. The recipients are spread among lines of strangers. */
function fileFor(recipients: readonly Recipient[], padding: number): string {
  const lines = recipients.map(({ name }, index) => `${name};${index}`);
  const every = Math.max(1, Math.floor(padding / recipients.length));
  const spread = lines.flatMap((line, index) => [
    line,
    ...Array.from({ length: every }, (_, number) => `nobody-${index}-${number};0`),
  ]);
  return ['external_id;bonus', ...spread].join('\r\n');
}

const isPast = (stage: Awaited<ReturnType<typeof stageOf>>, moment: Stage): boolean =>
  stage === 'ended' || (stage !== 'waiting' && stages.indexOf(stage) > stages.indexOf(moment));

/** Resolves when the mailing is at this stage, or past it. */
async function passed(look: () => ReturnType<typeof stageOf>, moment: Stage): Promise<void> {
  for (;;) {
    const stage = await look();
    if (stage === moment || isPast(stage, moment)) return;
    await pause(pollEveryMs);
  }
}

/** Waits until the mailings and all of their messages have ended, and the webhook has every event. */
const untilAllIsSaid = (home: Home, mailings: readonly string[]): Promise<void> =>
  home.look((sql) =>
    until(async () => {
      const [row] = await sql<{ left: number }[]>`
        select (
          (select count(*) from mailings where id = any (${[...mailings]}::uuid[]) and state <> 'completed')
          + (select count(*) from messages where state in ('PENDING', 'IN_PROCESS'))
          + (select count(*) from events where state <> 'DELIVERED')
        ) as left`;
      return row?.left === 0;
    }),
  );
