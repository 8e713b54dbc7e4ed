import { answerClient } from '../people/chat-center/answer-client.ts';
import { closeChat } from '../people/chat-center/close-chat.ts';
import { countChats } from '../people/chat-center/count-chats.ts';
import type { ChatFeed } from '../people/chat-center/feed.ts';
import { requireOperator, requireUnlimitedOperator } from '../people/chat-center/guard.ts';
import { listChats } from '../people/chat-center/list-chats.ts';
import { liveChats } from '../people/chat-center/live.ts';
import { markChatRead } from '../people/chat-center/mark-read.ts';
import { chatCenterPage } from '../people/chat-center/page.ts';
import { passChat } from '../people/chat-center/pass-chat.ts';
import { readChatProfile, updateChatProfile } from '../people/chat-center/profile.ts';
import {
  createQuickAnswer,
  deleteQuickAnswer,
  listQuickAnswers,
  updateQuickAnswer,
} from '../people/chat-center/quick-answers.ts';
import { readChatCenterAccount } from '../people/chat-center/read-account.ts';
import { readChat } from '../people/chat-center/read-chat.ts';
import { readHistory } from '../people/chat-center/read-history.ts';
import { readPicture } from '../people/chat-center/read-picture.ts';
import { takeChat } from '../people/chat-center/take-chat.ts';
import { tellTyping } from '../people/chat-center/tell-typing.ts';
import { uploadAttachment } from '../people/chat-center/upload.ts';
import { writeNote } from '../people/chat-center/write-note.ts';
import { openIframeLink, showChatCenter } from '../people/iframe/enter.ts';
import type { Context } from '../platform/context.ts';
import { anyone } from '../platform/http/guard.ts';
import type { Route } from '../platform/http/router.ts';
import type { Places } from '../platform/places.ts';

/** The chat center, alone and in partners' inline frames. */
export function addChatCenterRoutes(
  route: Route,
  context: Context,
  { chatFeed, uploads }: { chatFeed: ChatFeed; uploads: Places },
): void {
  const operator = requireOperator(context);
  const unlimited = requireUnlimitedOperator(context);

  route('GET', '/chat-center/', anyone, chatCenterPage);
  route('GET', '/chat-center/enter/:token/', anyone, openIframeLink);
  route('GET', '/chat-center/:session/', anyone, showChatCenter);
  route('GET', '/chat-center/api/account/', operator, readChatCenterAccount);
  route('GET', '/chat-center/api/counts/', operator, countChats);
  route('GET', '/chat-center/api/live/', operator, liveChats(chatFeed));
  route('POST', '/chat-center/api/attachments/', operator, uploadAttachment(uploads));
  route('GET', '/chat-center/api/pictures/', operator, readPicture);
  route('GET', '/chat-center/api/chats/', operator, listChats);
  route('GET', '/chat-center/api/chats/:uuid/', operator, readChat);
  route('GET', '/chat-center/api/chats/:uuid/messages/', operator, readHistory);
  route('POST', '/chat-center/api/chats/:uuid/messages/', operator, answerClient);
  route('POST', '/chat-center/api/chats/:uuid/notes/', operator, writeNote);
  route('POST', '/chat-center/api/chats/:uuid/read/', operator, markChatRead);
  route('POST', '/chat-center/api/chats/:uuid/typing/', operator, tellTyping);
  route('POST', '/chat-center/api/chats/:uuid/take/', operator, takeChat);
  route('POST', '/chat-center/api/chats/:uuid/pass/', operator, passChat);
  route('POST', '/chat-center/api/chats/:uuid/close/', operator, closeChat);
  route('GET', '/chat-center/api/chats/:uuid/profile/', operator, readChatProfile);
  route('PUT', '/chat-center/api/chats/:uuid/profile/', operator, updateChatProfile);
  route('GET', '/chat-center/api/quick-answers/', operator, listQuickAnswers);
  route('POST', '/chat-center/api/quick-answers/', unlimited, createQuickAnswer);
  route('PUT', '/chat-center/api/quick-answers/:uuid/', unlimited, updateQuickAnswer);
  route('DELETE', '/chat-center/api/quick-answers/:uuid/', unlimited, deleteQuickAnswer);
}
