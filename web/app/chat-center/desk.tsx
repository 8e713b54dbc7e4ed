import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ChatCenterAccount, ChatEntry, TimelineEntry } from '../../../src/people/chat-center/schema.ts';
import { type Api, ApiProblem, createApi } from '../shared/api.ts';
import { createDrafts, type Drafts } from './composer/drafts.ts';
import { createOutbox, type Outbox, type Outgoing } from './composer/outbox.ts';
import { upload } from './composer/upload.ts';
import { createUploads, type Uploads } from './composer/uploads.ts';
import { type Held, held } from './kept.ts';
import { type Cache, createCache } from './live/cache.ts';
import type { LiveState } from './live/connection.ts';
import { createWriters, type Writers } from './live/typing.ts';
import { newId } from './new-id.ts';

/** The shared objects of an operator's session, created once for one person in one project. */
export type Desk = {
  api: Api;
  account: ChatCenterAccount;
  cache: Cache;
  drafts: Drafts;
  outbox: Outbox;
  uploads: Uploads;
  connection: Held<LiveState>;
  writers: Writers;
  /** Changes a chat. The lists and the open chat follow the server's response. */
  act(chat: string, action: string, body?: unknown): Promise<void>;
};

export function createDesk(projectId: string, account: ChatCenterAccount, queries: QueryClient): Desk {
  const api = createApi('/chat-center/api/', projectId);
  const { uuid: me } = account.operator;
  const cache = createCache(queries, account);
  const connection = held<LiveState>('connecting');

  /** A person whose session ended learns it from the first refused request. */
  async function noticing<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return answer.catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 401) connection.set('refused');
      throw error;
    });
  }
  return {
    api,
    account,
    cache,
    drafts: createDrafts(me),
    outbox: createOutbox(me, async (outgoing) => {
      cache.putEntry(outgoing.chat, await noticing(send(api, outgoing)));
    }),
    uploads: createUploads(newId, (file, onProgress) => upload(api, file, onProgress)),
    connection,
    writers: createWriters(),
    act: async (chat, action, body) =>
      cache.putChat(await noticing(api.post<ChatEntry>(`chats/${chat}/${action}/`, body))),
  };
}

function send(api: Api, { id, chat, type, text, attachment }: Outgoing): Promise<TimelineEntry> {
  if (type === 'note') return api.post(`chats/${chat}/notes/`, { id, text });
  const body = { id, type, ...(text && { text }), ...(attachment && { attachment: attachment.uuid }) };
  return api.post(`chats/${chat}/messages/`, body);
}

const DeskContext = createContext<Desk | null>(null);

export const DeskProvider = DeskContext;

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('nobody works here yet');
  return desk;
}
