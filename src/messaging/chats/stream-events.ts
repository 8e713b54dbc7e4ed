import type { Event } from '../../events/types.ts';
import { type ChatFacts, presentStreamReaction, presentStreamStatus, type ReactionType } from './present.ts';

/** Columns of `messages`: a task of the stream is the message that it sends. */
type Task = { id: string; project_id: string };

/** A task has reached another state. */
export const streamStatus = (task: Task, chat: ChatFacts, state: string): Event => ({
  type: 'stream.status',
  projectId: task.project_id,
  chatId: chat.id,
  platform: chat.platform,
  payload: presentStreamStatus(task.id, chat, state),
});

/** A task without a chat. Events are ordered by chat, so it stands for its own chat: it waits for none. */
export const strayStatus = (task: Task, profileId: string | null, state: string): Event => ({
  type: 'stream.status',
  projectId: task.project_id,
  chatId: task.id,
  platform: null,
  payload: presentStreamStatus(task.id, { ...noChat, profile_id: profileId }, state),
});

const noChat = { id: null, platform: null, name: null, phone: null, avatar: null };

/** A client has reacted to a task's message. The reaction and its event share a uuid. */
export const streamReaction = (uuid: string, task: Task, chat: ChatFacts, type: ReactionType): Event => ({
  type: 'stream.reaction',
  projectId: task.project_id,
  chatId: chat.id,
  platform: chat.platform,
  payload: presentStreamReaction(uuid, task.id, chat, type),
});
