import { type Answered, postEvent } from '../events.ts';
import {
  type ApiAnswer,
  type ApiCall,
  fileOfForm,
  type HttpApi,
  type Place,
  startHttpApi,
} from '../http-api.ts';
import { counterFrom, createOutbox, keepLatest, type Outbox } from '../outbox.ts';
import { oneName, type WhoIs } from '../people.ts';

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type OkMessage = { message_id: string; chat_id: string; message: any };

export type OkStandIn = HttpApi & {
  /** The addresses for the group's events. */
  subscriptions: string[];
  /** Messages that the group sent. */
  sent: OkMessage[];
  outbox: Outbox<OkMessage>;
  /** The number of the next message of anybody. */
  nextMessage(): number;
  /** Files that were uploaded, by their tokens. */
  files: Map<string, Buffer>;
  /** Chats whose clients forbid the group to write. */
  blocked: Set<string>;
  /** Sends an event to all addresses, and returns their answers. */
  happen(event: object): Promise<Answered[]>;
};

/** The form of a refusal by Odnoklassniki. */
export const okError = (error_code: number, error_msg: string): ApiAnswer => ({
  status: 200,
  body: { error_code, error_msg, error_data: null },
});

/** Odnoklassniki does not tell whose permission is missing. */
export const noPermission = okError(10, 'PERMISSION_DENIED : User must grant an access to permission');

const noChat = okError(300, 'NOT_FOUND : No such chat');

const mostText = 3900;
const mostAttachments = 5;

type Group = Pick<OkStandIn, 'subscriptions' | 'outbox' | 'nextMessage' | 'files' | 'blocked'> & {
  whoIs: WhoIs;
  nextUpload(): number;
};

/** The Graph API of one group: the documented parts that we call. */
export async function startOk(
  place: Place,
  { access_token }: { access_token: string },
  whoIs = oneName,
): Promise<OkStandIn> {
  const group: Group = {
    whoIs,
    subscriptions: [],
    outbox: createOutbox(),
    nextMessage: counterFrom(place),
    nextUpload: counterFrom(place),
    files: new Map(),
    blocked: new Set(),
  };

  const api = await startHttpApi(place, (call) => {
    if (call.path.startsWith('/upload/')) return take(group, call);
    if (call.query.get('access_token') !== access_token) return okError(103, 'PARAM_SESSION_KEY : Invalid');
    return perform(group, api.root, call);
  });

  const { subscriptions, outbox, nextMessage, files, blocked } = group;
  return {
    ...api,
    subscriptions,
    sent: outbox.sent,
    outbox,
    nextMessage,
    files,
    blocked,
    happen: (event) => Promise.all(subscriptions.map((url) => postEvent(url, event))),
  };
}

function perform(group: Group, root: string, call: ApiCall): ApiAnswer {
  const [, , , first = '', second = ''] = call.path.split('/');
  switch (`${call.method} ${first}`) {
    case 'GET info':
      return { status: 200, body: { name: 'Shop', group_id: 'group:123456789012345' } };
    case 'GET subscriptions':
      return { status: 200, body: { subscriptions: group.subscriptions.map((url) => ({ url })) } };
    case 'POST subscribe':
      return subscribe(group, JSON.parse(call.body.toString()).url);
    case 'GET fileUploadUrl': {
      const upload = group.nextUpload();
      return { status: 200, body: { url: `${root}/upload/${upload}`, token: `token-${upload}` } };
    }
    case 'GET chat':
      return chatNamed(group, decodeURIComponent(second));
    case 'POST messages':
      return accept(group, decodeURIComponent(second), call);
    default:
      return okError(3, 'METHOD : Method does not exist');
  }
}

function subscribe({ subscriptions }: Group, url: string): ApiAnswer {
  if (!subscriptions.includes(url)) subscriptions.push(url);
  return { status: 200, body: { success: true } };
}

function chatNamed({ whoIs }: Group, chat_id: string): ApiAnswer {
  const title = whoIs(chat_id)?.name;
  return title === undefined ? noChat : { status: 200, body: { type: 'DIALOG', chat_id, title } };
}

function accept(
  { files, blocked, outbox, nextMessage }: Group,
  chat_id: string,
  { body, headers }: ApiCall,
): ApiAnswer {
  if (!headers['content-type']?.startsWith('application/json')) return okError(4, 'REQUEST : Not JSON');
  const { recipient, message } = JSON.parse(body.toString());
  const attachments: { type: string; payload: { url?: string; token?: string } }[] =
    message.attachments ?? [];
  if (!/^chat:C\w+$/.test(chat_id) || recipient.chat_id !== chat_id) return noChat;
  if (blocked.has(chat_id)) return noPermission;
  if ((message.text ?? '').length > mostText || attachments.length > mostAttachments)
    return okError(100, 'PARAM : Too long');
  const file = attachments.find(({ type }) => type === 'FILE');
  if (file && !files.has(file.payload.token ?? '')) return okError(100, 'PARAM : Invalid token');
  const message_id = `mid:C1.${nextMessage()}`;
  outbox.add({ message_id, chat_id, message });
  return { status: 200, body: { recipient_id: chat_id, message_id } };
}

function take({ files }: Group, { path, body }: ApiCall): ApiAnswer {
  keepLatest(files, path.replace('/upload/', 'token-'), fileOfForm(body));
  return { status: 200, body: '<retval>1</retval>' };
}
