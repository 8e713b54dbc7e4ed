import { Long, type tl } from '@mtcute/node';
import { seconds } from '../clock.ts';
import { createOutbox, keepLatest, type Outbox } from '../outbox.ts';
import type { Shown } from '../player.ts';
import type { Box } from './box.ts';
import type { Call } from './calls.ts';
import type { Files } from './files.ts';
import { shownFile } from './media.ts';
import { numberByPhone, numberByUsername, numberOfPeer, numberOfUser, self, userAt } from './people.ts';
import { type Result, RpcRefusal } from './rpc.ts';

export type Account = {
  outbox: Outbox<Shown>;
  /** Throws `RpcRefusal`, also for a call that Patchbay does not make. */
  answer(call: Call): Result;
  /** A client writes, or reads up to a message. Returns what those hear who listen. */
  hear(number: number, content: Pick<tl.RawMessage, 'message' | 'media'>): tl.RawUpdates;
  read(number: number, maxId: number): tl.RawUpdates;
};

type Surroundings = {
  box: Box;
  files: Files;
  /** Nobody has this number. */
  isGone(number: number): boolean;
};

const mostDialogs = 1_000;
const mostKeys = 10_000;

/** One account of Telegram, with the calls that Patchbay makes. */
export function createAccount({ box, files, isGone }: Surroundings): Account {
  const outbox = createOutbox<Shown>();
  const { dialogs, add, send } = createMessages({ box, files, outbox });

  const found = (number: number | null, refusal: string): tl.contacts.RawResolvedPeer => {
    if (number === null || isGone(number)) throw new RpcRefusal(400, refusal);
    return resolved(number);
  };

  function answer(call: Call): Result {
    switch (call._) {
      case 'users.getUsers':
        return call.id.map(userOfInput);
      case 'updates.getState':
        return box.state();
      case 'updates.getDifference':
        return box.since(call.pts);
      case 'messages.getDialogs':
        return dialogsAfter(dialogs, call);
      case 'messages.getHistory':
        return historyOf(box, call);
      case 'messages.getMessages':
        return messagesAt(box, call);
      case 'contacts.importContacts':
        return imported(call, isGone);
      case 'contacts.resolvePhone':
        return found(numberByPhone(call.phone), 'PHONE_NOT_OCCUPIED');
      case 'contacts.resolveUsername':
        return found(numberByUsername(call.username), 'USERNAME_NOT_OCCUPIED');
      case 'messages.sendMessage':
        send(call);
        return sentText(box.state());
      case 'messages.sendMedia':
        return sentMedia(call, send(call), box.state());
      case 'upload.saveFilePart':
      case 'upload.saveBigFilePart':
        return files.save(call);
      case 'upload.getFile':
        return files.read(call);
      default:
        throw new RpcRefusal(400, 'INPUT_METHOD_INVALID');
    }
  }

  return {
    outbox,
    answer,
    hear: add,
    read(number, maxId) {
      const user = userAt(number);
      const peer = { _: 'peerUser', userId: user.id } as const;
      return box.add((pts) => ({ _: 'updateReadHistoryOutbox', peer, maxId, pts, ptsCount: 1 }), user);
    },
  };
}

/** What both sides write. */
function createMessages({
  box,
  files,
  outbox,
}: Pick<Surroundings, 'box' | 'files'> & Pick<Account, 'outbox'>) {
  const dialogs = new Map<number, tl.RawMessage>();
  const keys = new Map<string, true>();

  function add(number: number, content: Partial<tl.RawMessage> & { message: string }): tl.RawUpdates {
    const user = userAt(number);
    return box.add((pts) => {
      const peerId = { _: 'peerUser', userId: user.id } as const;
      const message = { _: 'message', id: pts, peerId, date: seconds(), ...content } as const;
      keepLatest(dialogs, number, message, mostDialogs);
      return { _: 'updateNewMessage', message, pts, ptsCount: 1 };
    }, user);
  }

  /** Telegram takes a key once. */
  function send(call: tl.messages.RawSendMessageRequest | tl.messages.RawSendMediaRequest): tl.RawUpdates {
    const to = numberOfPeer(call.peer);
    const key = call.randomId.toString();
    if (keys.has(key)) throw new RpcRefusal(500, 'RANDOM_ID_DUPLICATE');
    const sent = 'media' in call ? [shownFile(call.media, files)] : [];
    keepLatest(keys, key, true, mostKeys);
    const updates = add(to, { message: call.message, out: true });
    outbox.add({ id: String(box.state().pts), to, text: call.message, files: sent, buttons: [] });
    return updates;
  }

  return { dialogs, add, send };
}

function sentText({ pts, date }: tl.updates.RawState): tl.RawUpdateShortSentMessage {
  return { _: 'updateShortSentMessage', out: true, id: pts, pts, ptsCount: 1, date };
}

/** The answer names the id that the message got. */
function sentMedia(
  { randomId }: tl.messages.RawSendMediaRequest,
  { updates, ...others }: tl.RawUpdates,
  { pts: id }: tl.updates.RawState,
): tl.RawUpdates {
  return { ...others, updates: [{ _: 'updateMessageID', id, randomId }, ...updates] };
}

function resolved(number: number): tl.contacts.RawResolvedPeer {
  const user = userAt(number);
  return { _: 'contacts.resolvedPeer', peer: { _: 'peerUser', userId: user.id }, chats: [], users: [user] };
}

function userOfInput(input: tl.TypeInputUser): tl.RawUser {
  if (input._ === 'inputUserSelf') return self;
  const number = input._ === 'inputUser' ? numberOfUser(input.userId) : null;
  if (number === null) throw new RpcRefusal(400, 'USER_ID_INVALID');
  return userAt(number);
}

function imported(
  { contacts }: tl.contacts.RawImportContactsRequest,
  isGone: (number: number) => boolean,
): tl.contacts.RawImportedContacts {
  const known = contacts.flatMap((contact) => {
    const number = contact._ === 'inputPhoneContact' ? numberByPhone(contact.phone) : null;
    return number === null || isGone(number) ? [] : [{ user: userAt(number), clientId: contact.clientId }];
  });
  return {
    _: 'contacts.importedContacts',
    imported: known.map(({ user, clientId }) => ({ _: 'importedContact', userId: user.id, clientId })),
    popularInvites: [],
    retryContacts: [],
    users: known.map(({ user }) => user),
  };
}

/** The latest first. */
function dialogsAfter(
  dialogs: ReadonlyMap<number, tl.RawMessage>,
  { offsetId, limit }: tl.messages.RawGetDialogsRequest,
): tl.messages.RawDialogs {
  const all = [...dialogs].reverse();
  const page = all.filter(([, { id }]) => offsetId === 0 || id < offsetId).slice(0, limit);
  return {
    _: 'messages.dialogs',
    dialogs: page.map(([, { id: topMessage, peerId: peer }]) => ({ ...nothingUnread, peer, topMessage })),
    messages: page.map(([, message]) => message),
    chats: [],
    users: page.map(([number]) => userAt(number)),
  };
}

/** The latest messages of both sides. */
function historyOf(box: Box, { peer, limit }: tl.messages.RawGetHistoryRequest): tl.messages.RawMessages {
  const user = userAt(numberOfPeer(peer));
  const messages = box
    .messages()
    .filter(({ peerId }) => peerId._ === 'peerUser' && peerId.userId === user.id);
  return { _: 'messages.messages', messages: messages.slice(0, limit), topics: [], chats: [], users: [user] };
}

/** The messages with these ids, and the people in whose chats they are. */
function messagesAt(box: Box, { id: asked }: tl.messages.RawGetMessagesRequest): tl.messages.RawMessages {
  const ids = new Set(asked.map((one) => ('id' in one ? one.id : null)));
  const messages = box.messages().filter(({ id }) => ids.has(id));
  const users = messages.flatMap(({ peerId }) =>
    peerId._ === 'peerUser'
      ? [userOfInput({ _: 'inputUser', userId: peerId.userId, accessHash: Long.ONE })]
      : [],
  );
  return { _: 'messages.messages', messages, topics: [], chats: [], users };
}

const nothingUnread = {
  _: 'dialog',
  readInboxMaxId: 0,
  readOutboxMaxId: 0,
  unreadCount: 0,
  unreadMentionsCount: 0,
  unreadReactionsCount: 0,
  unreadPollVotesCount: 0,
  notifySettings: { _: 'peerNotifySettings' },
} as const;
