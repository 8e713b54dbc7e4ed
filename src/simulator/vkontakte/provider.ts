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
import { oneName } from '../people.ts';

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

/** The API of one community, as far as it is documented and we call it. A new callback server must give the code at once. */
export async function startVk(
  place: Place,
  { group_id, access_token }: { group_id: string; access_token: string },
  whoIs = oneName,
): Promise<VkStandIn> {
  const code = 'a1b2c3d4';
  const servers: CallbackServer[] = [];
  const outbox = createOutbox<VkMessage>();
  const answers = createOutbox<Record<string, string>>();
  const pressed = new Map<string, Press>();
  const known = new Map<string, number>();
  const uploads = new Map<string, Buffer>();
  const nextMessage = counterFrom(place);
  const nextEvent = counterFrom(place);
  const nextUpload = counterFrom(place);

  const api = await startHttpApi(place, async (call) => {
    if (call.path.startsWith('/upload/')) return take(call);
    const method = call.path.replace('/method/', '');
    const parameters = Object.fromEntries(new URLSearchParams(call.body.toString()));
    if (parameters.access_token !== access_token)
      return vkError(5, 'User authorization failed: invalid access_token.');
    return perform(method, parameters);
  });

  const response = (value: unknown): ApiAnswer => ({ status: 200, body: { response: value } });

  async function perform(method: string, parameters: Record<string, string>): Promise<ApiAnswer> {
    switch (method) {
      case 'groups.getCallbackConfirmationCode':
        return parameters.group_id === group_id ? response({ code }) : vkError(15, 'Access denied');
      case 'groups.getById':
        return response({ groups: [{ id: Number(group_id), name: 'Shop', screen_name: `club${group_id}` }] });
      case 'groups.addCallbackServer':
        return addServer(parameters);
      case 'groups.editCallbackServer': {
        const server = servers.find(({ id }) => String(id) === parameters.server_id);
        if (!server) return vkError(100, 'One of the parameters specified was missing or invalid');
        Object.assign(server, { url: parameters.url, secret_key: parameters.secret_key });
        return response(1);
      }
      case 'groups.setCallbackSettings':
        return response(1);
      case 'messages.send':
        return response(accept(parameters));
      case 'messages.sendMessageEventAnswer':
        return answer(parameters);
      case 'users.get':
        return response(people(parameters));
      case 'photos.getMessagesUploadServer':
        return response({ album_id: -64, upload_url: `${api.root}/upload/photo`, user_id: 0 });
      case 'docs.getMessagesUploadServer':
        return response({ upload_url: `${api.root}/upload/doc` });
      case 'photos.saveMessagesPhoto':
        return response([{ id: Number(parameters.photo), owner_id: -Number(group_id), access_key: 'k' }]);
      case 'docs.save':
        return response({
          type: 'doc',
          doc: { id: Number(parameters.file), owner_id: -Number(group_id), title: parameters.title },
        });
      default:
        return vkError(3, 'Unknown method passed');
    }
  }

  /** An id of nobody is left out. */
  const people = ({ user_ids = '' }: Record<string, string>): object[] =>
    user_ids.split(',').flatMap((id) => {
      const [first_name, last_name] = whoIs(id)?.name.split(' ') ?? [];
      return first_name === undefined ? [] : [{ id: Number(id), first_name, last_name }];
    });

  function accept(parameters: Record<string, string>): number {
    const { random_id = '' } = parameters;
    const before = known.get(random_id);
    if (before !== undefined) return before;
    const id = nextMessage();
    keepLatest(known, random_id, id, 100_000);
    outbox.add({ id, parameters });
    return id;
  }

  function answer(parameters: Record<string, string>): ApiAnswer {
    const { event_id = '', user_id, peer_id } = parameters;
    const press = pressed.get(event_id);
    if (!press || String(press.user_id) !== user_id || String(press.peer_id) !== peer_id)
      return vkError(100, 'One of the parameters specified was missing or invalid: event_id');
    answers.add(parameters);
    return response(1);
  }

  async function addServer({ url = '', secret_key = '' }: Record<string, string>): Promise<ApiAnswer> {
    const secret = secret_key && { secret: secret_key };
    const asked = await postEvent(url, { type: 'confirmation', group_id: Number(group_id), ...secret });
    if (asked.status !== 200 || asked.text !== code) return vkError(2000, 'Server is not confirmed');
    const id = servers.length + 1;
    servers.push({ id, url, secret_key });
    return response({ server_id: id });
  }

  function take({ path, body }: ApiCall): ApiAnswer {
    const id = nextUpload();
    const bytes = fileOfForm(body);
    if (path === '/upload/photo') {
      keepLatest(uploads, `photo-${group_id}_${id}_k`, bytes);
      return { status: 200, body: { server: 1, photo: String(id), hash: 'h' } };
    }
    keepLatest(uploads, `doc-${group_id}_${id}`, bytes);
    return { status: 200, body: { file: String(id) } };
  }

  return {
    ...api,
    servers,
    sent: outbox.sent,
    outbox,
    answers,
    nextMessage,
    uploads,
    happen(type, object, id) {
      if (isPress(object)) keepLatest(pressed, object.event_id, object);
      const event_id = id ?? `event-${nextEvent()}`;
      return Promise.all(
        servers.map(({ url, secret_key: secret }) =>
          postEvent(url, { type, group_id: Number(group_id), event_id, v: '5.199', secret, object }),
        ),
      );
    },
  };
}
