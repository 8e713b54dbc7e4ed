import assert from 'node:assert/strict';
import { importScenario } from '../src/scenarios/import.ts';
import type { Partner, Patchbay } from './harness.ts';

/** The state of a run that waits for the client. */
export const atRest = { at: { kind: 'waiting', step: 'q', for: { what: 'client', until: null } } };

export type Shop = ReturnType<typeof openShop>;

/** A partner whose clients talk to scenarios. */
export function openShop({ context, call }: Pick<Patchbay, 'context' | 'call'>, partner: Partner) {
  const { projectId, channel, messenger } = partner;

  const send = async (name: string, message: object): Promise<void> => {
    const { status } = await call('POST', `/channels/${channel.id}/messages/`, {
      headers: { authorization: `Bearer ${channel.secret}` },
      body: { chat: { external_id: name, name }, message: { external_id: context.newId(), ...message } },
    });
    assert.equal(status, 200);
  };

  /** Sends a client's text or, with a payload, a pressed button. */
  const say = (name: string, text: string, payload?: string): Promise<void> =>
    send(name, { type: payload ? 'button' : 'text', text, payload });

  /** Sends a pressed button as channels that name it by its payload alone. */
  const press = (name: string, payload: string): Promise<void> => send(name, { type: 'button', payload });

  /** What an operator does by the connector. */
  const connector = (chat: string, body: object) =>
    call('POST', '/api/partners/connector/', {
      headers: partner.token,
      body: { chat: { uuid: chat }, sender: { name: 'Olga' }, timestamp: 1_763_640_000_000, ...body },
    });

  /** The texts sent to a client. */
  const heard = (name: string): string[] =>
    messenger.deliveries
      .map(({ body }) => body.payload)
      .filter(({ chat }) => chat.external_id === name)
      .map(({ message }) => message.text);

  /** Whether a run of the chat waits for its first message, or before it. */
  const isOpening = async (chat: string): Promise<boolean> => {
    const rows = await context.sql`select from scenario_openings where chat_id = ${chat}`;
    return rows.length > 0;
  };

  const setChannel = async (state: 'active' | 'paused'): Promise<void> => {
    await context.sql`update channels set state = ${state} where id = ${channel.id}`;
    context.wake.wake('channels');
    context.wake.wake('sending');
  };

  /** Resolves when no start waits, and no run and no message has anything to do now. */
  const settled = async (): Promise<void> => {
    const { sql, clock, wake } = context;
    for (;;) {
      wake.wake('running');
      const [row] = await sql<[{ busy: boolean }]>`
        select exists (select from scenario_event_starts) or exists (select from scenario_sent)
          or exists (select from scenario_openings where due_at <= ${clock.now()})
          or exists (select from scenario_runs where status = 'running' and (due_at <= ${clock.now()} or lease is not null))
          or exists (select from messages where is_queued and (due_at <= ${clock.now()} or lease is not null)) as busy`;
      if (!row.busy) return;
    }
  };

  return {
    connector,
    isOpening,
    settled,
    setChannel,
    say,
    press,
    heard,
    add: (name: string, steps: object[]) =>
      importScenario(context, { projectId, file: Buffer.from(JSON.stringify({ name, steps })) }),
    /** Starts a scenario by a push message, and returns its uuid. */
    async push(
      chat: string,
      name: string,
      rest: { get_params?: object; launch_at?: string; is_force?: boolean } = {},
    ) {
      const { get_params, ...push } = rest;
      const content = { type: 'NODE', node: { name }, get_params };
      const { status, body } = await call('POST', '/api/partners/push-messages/', {
        headers: partner.key,
        body: { content, chat: { uuid: chat }, ...push },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return String(body.uuid);
    },
    /** Resolves when this many texts in all were sent to a client. */
    async hears(name: string, count: number): Promise<string[]> {
      while (heard(name).length < count) await messenger.received(messenger.deliveries.length + 1);
      return heard(name);
    },
    /** Resolves with a push message when its state is one of these. */
    async pushIn(uuid: string, ...states: string[]) {
      for (;;) {
        const { body } = await call('GET', `/api/partners/push-messages/${uuid}/`, { headers: partner.key });
        if (states.includes(body.state.code)) return body;
      }
    },
  };
}
