import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BotCall = {
  token: string;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
  parameters: any;
};

export type Reaction = { status: number; body: unknown } | 'close' | 'hang';

type TestUpdate = { update_id: number };

export type TelegramStandIn = {
  /** For the setting `api_root`. */
  root: string;
  calls: BotCall[];
  /** Sets the answer to calls for which this returns one. `() => null` restores normal answers. */
  react(reaction: (call: BotCall) => Reaction | null): void;
  /** Delivers updates of the bot to the current poll, or to the next. */
  happen(token: string, ...updates: TestUpdate[]): void;
  /** How often two polls of one bot were open at once. */
  conflicts(): number;
  /** Files from clients. `getFile` finds each by its id. */
  files: Map<string, Buffer>;
  /** Resolves when the current poll of this bot has ended, on either side. */
  pollEnded(token: string): Promise<void>;
  /** Resolves with the first matching call, past or future. */
  called(isMeant: (call: BotCall) => boolean): Promise<BotCall>;
};

/** The form of a refusal by the Bot API. */
export const refusal = (code: number, description: string, parameters?: object): Reaction => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
});

/**
 * The part of the Bot API that we call. `getUpdates` really waits, and drops updates that the offset confirms. Like
 * Telegram, it ends an earlier poll of the same bot with 409.
 */
export async function startTelegram(lifetime: {
  after(cleanUp: () => unknown): void;
}): Promise<TelegramStandIn> {
  const calls: BotCall[] = [];
  const watchers: { isMeant: (call: BotCall) => boolean; resolve: (call: BotCall) => void }[] = [];
  const files = new Map<string, Buffer>();
  const pending = new Map<string, TestUpdate[]>();
  const polls = new Map<string, ServerResponse>();
  let reaction: (call: BotCall) => Reaction | null = () => null;
  let messageId = 0;
  let conflicts = 0;

  const updatesOf = (token: string): TestUpdate[] => pending.get(token) ?? [];

  function answerPoll(token: string): void {
    const response = polls.get(token);
    if (!response || updatesOf(token).length === 0) return;
    polls.delete(token);
    answer(response, 200, { ok: true, result: updatesOf(token) });
  }

  function getUpdates({ token, parameters }: BotCall, response: ServerResponse): void {
    pending.set(
      token,
      updatesOf(token).filter(({ update_id }) => update_id >= (parameters.offset ?? 0)),
    );
    const earlier = polls.get(token);
    polls.set(token, response);
    response.on('close', () => {
      if (polls.get(token) === response) polls.delete(token);
    });
    if (earlier) {
      conflicts += 1;
      const description = 'Conflict: terminated by other getUpdates request';
      answer(earlier, 409, { ok: false, error_code: 409, description });
    }
    answerPoll(token);
  }

  function perform(call: BotCall, response: ServerResponse): void {
    const asked = reaction(call);
    if (asked === 'hang') return;
    if (asked === 'close') response.destroy();
    else if (asked) answer(response, asked.status, asked.body);
    else if (call.method === 'getUpdates') getUpdates(call, response);
    else if (call.method === 'getFile') {
      const path = `documents/${call.parameters.file_id}`;
      answer(response, 200, { ok: true, result: { file_id: call.parameters.file_id, file_path: path } });
    } else if (call.method.startsWith('send')) {
      messageId += 1;
      answer(response, 200, { ok: true, result: { message_id: messageId } });
    } else answer(response, 200, { ok: true, result: true });
  }

  function giveFile(id: string, response: ServerResponse): void {
    const bytes = files.get(id);
    response.writeHead(bytes ? 200 : 404, { 'content-type': 'application/octet-stream' }).end(bytes);
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const file = /^\/file\/bot[^/]+\/documents\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (file !== undefined) return giveFile(file, response);
    const [, token = '', method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const call = { token, method, parameters: JSON.parse(Buffer.concat(chunks).toString()) };
    calls.push(call);
    for (const { isMeant, resolve } of watchers) if (isMeant(call)) resolve(call);
    perform(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lifetime.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  return {
    root: `http://127.0.0.1:${port}`,
    calls,
    files,
    react: (next) => {
      reaction = next;
    },
    happen: (token, ...updates) => {
      pending.set(token, [...updatesOf(token), ...updates]);
      answerPoll(token);
    },
    conflicts: () => conflicts,
    pollEnded: (token) =>
      new Promise((resolve) => {
        const response = polls.get(token);
        if (response) response.on('close', resolve);
        else resolve();
      }),
    called: (isMeant) =>
      new Promise((resolve) => {
        const made = calls.find(isMeant);
        if (made) resolve(made);
        else watchers.push({ isMeant, resolve });
      }),
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
