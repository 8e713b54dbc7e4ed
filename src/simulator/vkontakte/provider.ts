import { type ApiAnswer, type ApiCall, type HttpApi, startHttpApi } from '../http-api.ts';

type CallbackServer = { id: number; url: string; secret_key: string };

export type VkMessage = { id: number; parameters: Record<string, string> };

export type VkStandIn = HttpApi & {
  /** Where the community's events go. */
  servers: CallbackServer[];
  /** Messages that the community sent; one `random_id` is one message. */
  sent: VkMessage[];
  /** Files that were uploaded, by the names under which messages attach them. */
  uploads: Map<string, Buffer>;
  /** Tells all addresses of an event; gives their answers. */
  happen(type: string, object: object, eventId?: string): Promise<{ status: number; text: string }[]>;
};

/** How a refusal of VK looks. */
export const vkError = (error_code: number, error_msg: string): ApiAnswer => ({
  status: 200,
  body: { error: { error_code, error_msg, request_params: [] } },
});

/** The API of one community, as far as it is documented and we call it. A new callback server must give the code at once. */
export async function startVk(
  lifetime: { after(cleanUp: () => unknown): void },
  { group_id, access_token }: { group_id: string; access_token: string },
): Promise<VkStandIn> {
  const code = 'a1b2c3d4';
  const servers: CallbackServer[] = [];
  const sent: VkMessage[] = [];
  const uploads = new Map<string, Buffer>();
  let eventId = 0;
  let uploadId = 0;

  const api = await startHttpApi(lifetime, async (call) => {
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
      case 'messages.send': {
        const known = sent.find((message) => message.parameters.random_id === parameters.random_id);
        const message = known ?? { id: sent.length + 1, parameters };
        if (!known) sent.push(message);
        return response(message.id);
      }
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

  async function addServer({ url = '', secret_key = '' }: Record<string, string>): Promise<ApiAnswer> {
    const asked = await post(url, { type: 'confirmation', group_id: Number(group_id) });
    if (asked.status !== 200 || asked.text !== code) return vkError(2000, 'Server is not confirmed');
    const id = servers.length + 1;
    servers.push({ id, url, secret_key });
    return response({ server_id: id });
  }

  /** The file is the part of the form behind its first empty line. */
  function take({ path, body }: ApiCall): ApiAnswer {
    uploadId += 1;
    const text = body.toString('latin1');
    const from = text.indexOf('\r\n\r\n') + 4;
    const bytes = body.subarray(from, text.indexOf('\r\n--', from));
    if (path === '/upload/photo') {
      uploads.set(`photo-${group_id}_${uploadId}_k`, bytes);
      return { status: 200, body: { server: 1, photo: String(uploadId), hash: 'h' } };
    }
    uploads.set(`doc-${group_id}_${uploadId}`, bytes);
    return { status: 200, body: { file: String(uploadId) } };
  }

  async function post(url: string, body: object): Promise<{ status: number; text: string }> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  }

  return {
    ...api,
    servers,
    sent,
    uploads,
    happen(type, object, id) {
      eventId += 1;
      const event_id = id ?? `event-${eventId}`;
      return Promise.all(
        servers.map(({ url, secret_key: secret }) =>
          post(url, { type, group_id: Number(group_id), event_id, v: '5.199', secret, object }),
        ),
      );
    },
  };
}
