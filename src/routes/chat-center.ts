import { answerClient } from '../chat-center/answer-client.ts';
import { closeChat } from '../chat-center/close-chat.ts';
import { countChats } from '../chat-center/count-chats.ts';
import type { ChatFeed } from '../chat-center/feed.ts';
import { requireOperator } from '../chat-center/guard.ts';
import { listChats } from '../chat-center/list-chats.ts';
import { liveChats } from '../chat-center/live.ts';
import { markChatRead } from '../chat-center/mark-read.ts';
import { chatCenterPage } from '../chat-center/page.ts';
import { passChat } from '../chat-center/pass-chat.ts';
import { readChatProfile, updateChatProfile } from '../chat-center/profile.ts';
import {
  createQuickAnswer,
  deleteQuickAnswer,
  listQuickAnswers,
  updateQuickAnswer,
} from '../chat-center/quick-answers.ts';
import { readChatCenterAccount } from '../chat-center/read-account.ts';
import { readChat } from '../chat-center/read-chat.ts';
import { readHistory } from '../chat-center/read-history.ts';
import { readPicture } from '../chat-center/read-picture.ts';
import { takeChat } from '../chat-center/take-chat.ts';
import { tellTyping } from '../chat-center/tell-typing.ts';
import { uploadAttachment } from '../chat-center/upload.ts';
import { writeNote } from '../chat-center/write-note.ts';
import type { Context } from '../context.ts';
import { anyone } from '../http/guard.ts';
import type { Route } from '../http/router.ts';
import { openIframeLink, showChatCenter } from '../iframe/enter.ts';
import type { Places } from '../limits/places.ts';
import type { LiveFeed } from '../widget/feed.ts';

/** The chat center, alone and in partners' frames. */
export function addChatCenterRoutes(
  route: Route,
  context: Context,
  { chatFeed, feed, uploads }: { chatFeed: ChatFeed; feed: LiveFeed; uploads: Places },
): void {
  const operator = requireOperator(context);

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
  route('POST', '/chat-center/api/chats/:uuid/typing/', operator, tellTyping(chatFeed, feed));
  route('POST', '/chat-center/api/chats/:uuid/take/', operator, takeChat);
  route('POST', '/chat-center/api/chats/:uuid/pass/', operator, passChat);
  route('POST', '/chat-center/api/chats/:uuid/close/', operator, closeChat);
  route('GET', '/chat-center/api/chats/:uuid/profile/', operator, readChatProfile);
  route('PUT', '/chat-center/api/chats/:uuid/profile/', operator, updateChatProfile);
  route('GET', '/chat-center/api/quick-answers/', operator, listQuickAnswers);
  route('POST', '/chat-center/api/quick-answers/', operator, createQuickAnswer);
  route('PUT', '/chat-center/api/quick-answers/:uuid/', operator, updateQuickAnswer);
  route('DELETE', '/chat-center/api/quick-answers/:uuid/', operator, deleteQuickAnswer);
}
