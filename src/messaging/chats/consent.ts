import type { Way } from '../../clients/consent/ways.ts';
import type { Sql } from '../../platform/database/database.ts';
import {
  type ChatName,
  leaveTopic,
  returnToTopics,
  subscribeAgain,
  unsubscribe,
} from './unsubscribe-store.ts';

/** The client leaves a topic, or everything with null. A repetition keeps the first time and way. */
export async function leave(
  sql: Sql,
  chat: ChatName,
  { topicId, way, now }: { topicId: string | null; way: Way; now: Date },
): Promise<void> {
  if (topicId === null) await unsubscribe(sql, chat, way, now);
  else await leaveTopic(sql, chat, { topicId, way, now });
}

/** The client gets a topic again, or everything with null. Who wants a topic does not stay away from everything. */
export async function comeBack(sql: Sql, chat: ChatName, topicId: string | null): Promise<void> {
  await returnToTopics(sql, chat, topicId);
  await subscribeAgain(sql, chat);
}
