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

type CallbackServer = { id: number; url: string; secret_key: string };

export type VkMessage = { id: number; parameters: Record<string, string> };

export type VkStandIn = HttpApi & {
  /** Where the community's events go. */
  servers: CallbackServer[];
  /** Messages that the community sent; one `random_id` is one message. */
  sent: VkMessage[];
  outbox: Outbox<VkMessage>;
  /** The community's answers to pressed buttons. */
  answers: Outbox<Record<string, string>>;
  /** The number of the next message of anybody. */
  nextMessage(): number;
  /** Files that were uploaded, by the names under which messages attach them. */
  uploads: Map<string, Buffer>;
  /** Tells all addresses of an event; gives their answers. */
  happen(type: string, object: object, eventId?: string): Promise<Answered[]>;
};

type Press = { event_id: string; user_id: number; peer_id: number };

const isPress = (object: object): object is Press => 'event_id' in object && 'user_id' in object;

/** How a refusal of VK looks. */
export const vkError = (error_code: number, error_msg: string): ApiAnswer => ({
  status: 200,
  body: { error: { error_code, error_msg, request_params: [] } },
});

type Settings = { group_id: string; access_token: string };

type Community = Settings &
  Pick<VkStandIn, 'servers' | 'outbox' | 'answers' | 'nextMessage' | 'uploads'> & {
    whoIs: WhoIs;
    /** Presses that wait for an answer, by their events. */
    pressed: Map<string, Press>;
    /** Accepted messages by their `random_id`. */
    known: Map<string, number>;
    nextEvent(): number;
    nextUpload(): number;
  };

type Parameters = Record<string, string>;

const code = 'a1b2c3d4';

/** The API of one community, as far as it is documented and we call it. A new callback server must give the code at once. */
export async function startVk(place: Place, settings: Settings, whoIs = oneName): Promise<VkStandIn> {
  const outbox = createOutbox<VkMessage>();
  const community: Community = {
    ...settings,
    whoIs,
    servers: [],
    outbox,
    answers: createOutbox(),
    nextMessage: counterFrom(place),
    uploads: new Map(),
    pressed: new Map(),
    known: new Map(),
    nextEvent: counterFrom(place),
    nextUpload: counterFrom(place),
  };

  const api = await startHttpApi(place, (call) => {
    if (call.path.startsWith('/upload/')) return take(community, call);
    const parameters = Object.fromEntries(new URLSearchParams(call.body.toString()));
    if (parameters.access_token !== settings.access_token)
      return vkError(5, 'User authorization failed: invalid access_token.');
    return perform(community, api.root, call.path.replace('/method/', ''), parameters);
  });

  const { servers, answers, nextMessage, uploads } = community;
  return {
    ...api,
    servers,
    sent: outbox.sent,
    outbox,
    answers,
    nextMessage,
    uploads,
    happen: (type, object, id) => tell(community, type, object, id),
  };
}

const response = (value: unknown): ApiAnswer => ({ status: 200, body: { response: value } });

const invalid = 'One of the parameters specified was missing or invalid';

function perform(
  community: Community,
  root: string,
  method: string,
  parameters: Parameters,
): ApiAnswer | Promise<ApiAnswer> {
  const { group_id, whoIs } = community;
  switch (method) {
    case 'groups.getCallbackConfirmationCode':
      return parameters.group_id === group_id ? response({ code }) : vkError(15, 'Access denied');
    case 'groups.getById':
      return response({ groups: [{ id: Number(group_id), name: 'Shop', screen_name: `club${group_id}` }] });
    case 'groups.getCallbackServers':
      return response({ count: community.servers.length, items: community.servers.map(shownServer) });
    case 'groups.addCallbackServer':
      return addServer(community, parameters);
    case 'groups.editCallbackServer':
      return editServer(community, parameters);
    case 'groups.setCallbackSettings':
      return response(1);
    case 'messages.send':
      return response(accept(community, parameters));
    case 'messages.sendMessageEventAnswer':
      return answer(community, parameters);
    case 'users.get':
      return response(peopleAt(whoIs, parameters));
    case 'photos.getMessagesUploadServer':
      return response({ album_id: -64, upload_url: `${root}/upload/photo`, user_id: 0 });
    case 'docs.getMessagesUploadServer':
      return response({ upload_url: `${root}/upload/doc` });
    case 'photos.saveMessagesPhoto':
      return response([{ id: Number(parameters.photo), owner_id: -Number(group_id), access_key: 'k' }]);
    case 'docs.save': {
      const { file, title } = parameters;
      return response({ type: 'doc', doc: { id: Number(file), owner_id: -Number(group_id), title } });
    }
    default:
      return vkError(3, 'Unknown method passed');
  }
}

/** An id of nobody is left out. */
const peopleAt = (whoIs: WhoIs, { user_ids = '' }: Parameters): object[] =>
  user_ids.split(',').flatMap((id) => {
    const [first_name, last_name] = whoIs(id)?.name.split(' ') ?? [];
    return first_name === undefined ? [] : [{ id: Number(id), first_name, last_name }];
  });

function accept({ known, nextMessage, outbox }: Community, parameters: Parameters): number {
  const { random_id = '' } = parameters;
  const before = known.get(random_id);
  if (before !== undefined) return before;
  const id = nextMessage();
  keepLatest(known, random_id, id, 100_000);
  outbox.add({ id, parameters });
  return id;
}

function answer({ pressed, answers }: Community, parameters: Parameters): ApiAnswer {
  const { event_id = '', user_id, peer_id } = parameters;
  const press = pressed.get(event_id);
  if (!press || String(press.user_id) !== user_id || String(press.peer_id) !== peer_id)
    return vkError(100, `${invalid}: event_id`);
  answers.add(parameters);
  return response(1);
}

const shownServer = (server: CallbackServer): object => ({
  ...server,
  title: 'Patchbay',
  creator_id: 1,
  status: 'ok',
});

async function addServer(
  { servers, group_id }: Community,
  { url = '', secret_key = '' }: Parameters,
): Promise<ApiAnswer> {
  const secret = secret_key && { secret: secret_key };
  const asked = await postEvent(url, { type: 'confirmation', group_id: Number(group_id), ...secret });
  if (asked.status !== 200 || asked.text !== code) return vkError(2000, 'Server is not confirmed');
  const id = servers.length + 1;
  servers.push({ id, url, secret_key });
  return response({ server_id: id });
}

function editServer({ servers }: Community, { server_id, url, secret_key }: Parameters): ApiAnswer {
  const server = servers.find(({ id }) => String(id) === server_id);
  if (!server) return vkError(100, invalid);
  Object.assign(server, { url, secret_key });
  return response(1);
}

function take({ group_id, uploads, nextUpload }: Community, { path, body }: ApiCall): ApiAnswer {
  const id = nextUpload();
  const bytes = fileOfForm(body);
  if (path === '/upload/photo') {
    keepLatest(uploads, `photo-${group_id}_${id}_k`, bytes);
    return { status: 200, body: { server: 1, photo: String(id), hash: 'h' } };
  }
  keepLatest(uploads, `doc-${group_id}_${id}`, bytes);
  return { status: 200, body: { file: String(id) } };
}

function tell(
  { servers, group_id, pressed, nextEvent }: Community,
  type: string,
  object: object,
  id?: string,
): Promise<Answered[]> {
  if (isPress(object)) keepLatest(pressed, object.event_id, object);
  const event = { type, group_id: Number(group_id), event_id: id ?? `event-${nextEvent()}`, v: '5.199' };
  return Promise.all(
    servers.map(({ url, secret_key: secret }) => postEvent(url, { ...event, secret, object })),
  );
}
