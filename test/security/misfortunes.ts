import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { refusal } from '../../src/simulator/telegram/provider.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { type Request, send } from './answers.ts';
import { renewed } from './places.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { tables } from './rows.ts';
import type { Scene } from './scene.ts';

/** Causes every event that could make a program reveal secrets. `lines` is its log, and its answers are collected. */
export function misfortunes({ scene, lines }: { scene: Scene; lines: () => string }) {
  const { patchbay, clock, alpha, receiver, bot } = scene;
  const { context, address } = patchbay;
  const { sql } = context;
  const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);
  const answers: string[] = [];

  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await nextTurn();
  };

  const call = async (request: Request): Promise<string> => {
    const { text } = await send(address, request);
    answers.push(text);
    return text;
  };

  /** Calls every route. Does not collect the one answer that legitimately contains a secret. */
  async function callEverything(): Promise<void> {
    const tellsSecret = ({ route }: Probe): boolean => route.startsWith('PUT /api/partners/integrations/');
    for (const probe of probes.map(renewed)) {
      await (tellsSecret(probe) ? send(address, requestOf(probe)) : call(requestOf(probe)));
    }
  }

  async function push(chat: object): Promise<void> {
    // A channel's allowance grows with time.
    clock.advance(10_000);
    const body = { chat, content: { type: 'TEXT', text: 'hush-alpha sent' }, is_force: true };
    await call({
      method: 'POST',
      path: '/api/partners/push-messages/',
      headers: { 'bot-key': alpha.botKey },
      body,
    });
  }

  const list = (): Promise<string> =>
    call({ method: 'GET', path: '/api/partners/push-messages/', headers: { 'bot-key': alpha.botKey } });

  /** The called servers answer with everything that they received. */
  async function othersFail(): Promise<void> {
    const settings = { bot_token: alpha.telegram.botToken, api_root: bot.root, mode: 'polling' };
    const polled = { projectId: alpha.projectId, platform: 'Telegram' as const, name: 'polled', settings };
    await addChannel(context, polled);
    receiver.behave(({ headers, raw }, response) => {
      response.writeHead(422, { 'content-type': 'text/plain' }).end(`${JSON.stringify(headers)} ${raw}`);
    });
    bot.react(({ token, method }) => refusal(404, `Not Found: /bot${token}/${method}`));
    await assert.rejects(addChannel(context, polled), (error) => answers.push(JSON.stringify(error)) > 0);
    context.wake.wake('channels');
    await until(() => lines().includes('could not be polled'));
    await push({ telegram_id: alpha.telegramId });
    await until(async () => (await list()).includes('Not Found'));
    await push({ uuid: alpha.chatId });
    await until(async () => (await list()).includes('answered 422'));
    receiver.behave(answerWith(200));
  }

  /** The database refuses the workers' writes, with the values in its own messages. */
  async function resultsAreRefused(): Promise<void> {
    for (const table of ['messages', 'attempts']) {
      let breaks: Promise<unknown> | undefined;
      receiver.behave(async (_delivery, response) => {
        // Once: another call may still be here when the table has been mended.
        breaks ??= sql.unsafe(`alter table ${table} add constraint broken check (id is null) not valid`);
        await breaks;
        response.end('hush-alpha answer');
      });
      // A late refusal by the other table says nothing about this one.
      const refusal = new RegExp(`new row for relation \\W*${table}`, 'g');
      const refusals = () => lines().match(refusal)?.length ?? 0;
      const before = refusals();
      await push({ uuid: alpha.chatId });
      await until(() => refusals() > before);
      receiver.behave(answerWith(200));
      await sql.unsafe(`alter table ${table} drop constraint broken`);
    }
  }

  async function secretsAreInWrongPlaces(secrets: string[]): Promise<void> {
    for (const secret of secrets.map(encodeURIComponent)) {
      for (const path of ['nowhere', 'sign-in', 'channels', 'api/partners/push-messages']) {
        await call({ method: 'GET', path: `/${path}/${secret}/?access_token=${secret}`, headers: {} });
      }
      const headers = { authorization: `Bearer ${secret}`, 'bot-key': secret, cookie: `session=${secret}` };
      for (const path of ['/api/partners/push-messages/', '/api/partners/connector/', '/healthz']) {
        await call({ method: 'POST', path, headers, body: { secret } });
      }
    }
    for (const { method, path, headers, body } of probes.map(requestOf)) {
      if (body === undefined) continue;
      const text = JSON.stringify(body).slice(0, -1);
      // The answer may repeat its caller's words.
      await fetch(address + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: text,
      });
    }
  }

  /** Removes one table after another, and calls every route without it. */
  async function tablesAreGone(): Promise<void> {
    for (const { table } of await tables(sql)) {
      await sql.unsafe(`alter table ${table} rename to gone`);
      await callEverything();
      await sql.unsafe(`alter table gone rename to ${table}`);
    }
  }

  return { answers, callEverything, othersFail, resultsAreRefused, secretsAreInWrongPlaces, tablesAreGone };
}
