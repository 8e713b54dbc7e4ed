import assert from 'node:assert/strict';
import { addChannel } from '../src/channels/connected/channels.ts';
import type { Platform } from '../src/channels/contract/platforms.ts';
import { startHttpApi } from '../src/simulator/http-api.ts';
import { messageEvent } from './connector-harness.ts';
import { createPartner, type Lifetime, startPatchbay } from './harness.ts';

type Channel = { platform: Platform; settings: Record<string, unknown> };

type Pushed = { type: string; text?: string; attachment?: object };

/** The whole program at an address for providers, with a partner who answers clients. */
export async function startConversation(lifetime: Lifetime) {
  const front = await startHttpApi(lifetime, async ({ method, path, query, headers, body }) => {
    const { host: _, connection: __, 'content-length': ___, ...others } = headers;
    const answer = await fetch(`${patchbay.address}${path}?${query}`, {
      method,
      headers: Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
      ...(method === 'POST' && { body: new Uint8Array(body) }),
    });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  });
  const patchbay = await startPatchbay(lifetime, { config: { publicUrl: front.root } });
  const { context, call } = patchbay;
  const { sql } = context;
  const { projectId, key, token } = await createPartner(lifetime, patchbay);

  /** Repeats a query until it returns a row. */
  async function found<T>(ask: () => Promise<T[]>): Promise<T> {
    for (;;) {
      const [row] = await ask();
      if (row !== undefined) return row;
    }
  }

  return {
    /** Returns the channel's id and address. */
    add: async ({ platform, settings }: Channel) => {
      const { id, webhookUrl } = await addChannel(context, { projectId, platform, name: platform, settings });
      return { id, address: webhookUrl ?? `${front.root}/channels/${id}/` };
    },
    /** Waits for the chat of a client who has written. */
    chatOf: async (externalId: string): Promise<string> => {
      const { id } = await found(
        () => sql<{ id: string }[]>`
          select id from chats where external_id = ${externalId} and heard_id is not null`,
      );
      return id;
    },
    /** Sends the content to the chat, and returns the message's id. */
    answer: async (chat: string, content: Pushed): Promise<string> => {
      const { status, body } = await call('POST', '/api/partners/push-messages/', {
        headers: key,
        body: { chat: { uuid: chat }, content },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body.uuid;
    },
    /** An operator behind the connector writes to the chat. Returns the message's id. */
    reply: async (chat: string, text: string): Promise<string> => {
      const { status, body } = await call('POST', '/api/partners/connector/', {
        headers: token,
        body: messageEvent({ uuid: chat }, { text }),
      });
      assert.equal(status, 200, JSON.stringify(body));
      return body.message_uuid;
    },
    /** Moves the client's messages into the past. */
    age: async (chat: string, ms: number): Promise<void> => {
      await sql`
        update messages set created_at = created_at - make_interval(secs => ${ms / 1000})
        where chat_id = ${chat} and direction = 'in'`;
    },
    /** Resolves once the message is in this state. */
    reaches: (id: string, state: string) =>
      found(
        () => sql<{ state_detail: string }[]>`
          select state_detail from messages where id = ${id} and state = ${state}`,
      ),
  };
}
