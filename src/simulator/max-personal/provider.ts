import { type Answered, postEvent } from '../events.ts';
import { type ApiAnswer, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { counterFrom, createOutbox, type Outbox } from '../outbox.ts';

type Instance = { instance_id: string; api_token: string };

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type GatewayMessage = { idMessage: string; method: string; body: any };

export type GatewayStandIn = HttpApi & {
  /** The body of the last `setSettings`. */
  // biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
  settings: any;
  /** Messages that the account sent. */
  sent: GatewayMessage[];
  outbox: Outbox<GatewayMessage>;
  /** The id of the next message of anybody. */
  nextId(): string;
  /** Chats of phone numbers that have an account. */
  accounts: Map<number, string>;
  /** Sends a notification to the instance's address, and returns its answer. */
  notify(notification: { typeWebhook: string; [field: string]: unknown }): Promise<Answered>;
};

const mostText = 4000;

/** The gateway's refusal of a request that it has read. */
export const invalid = (message: string): ApiAnswer => ({
  status: 400,
  body: { statusCode: 400, timestamp: '2026-01-01T00:00:00.000Z', path: '/v3', message },
});

/** The gateway's refusal of a chat beyond the plan's quota. */
export const quotaExceeded: ApiAnswer = {
  status: 466,
  body: {
    invokeStatus: { method: 'sendMessage', used: 67, total: 0, status: 'QUOTE_ALLOWED', description: '' },
    correspondentsStatus: {
      method: 'correspondents',
      used: 3,
      total: 3,
      status: 'CORRESPONDENTS_QUOTE_EXCEEDED',
      description: 'Monthly quota has been exceeded.',
    },
  },
};

/** The gateway to one account: the documented parts that we call. */
export async function startGateway(
  place: Place,
  { instance_id, api_token }: Instance,
): Promise<GatewayStandIn> {
  const outbox = createOutbox<GatewayMessage>();
  const nextMessage = counterFrom(place);
  const nextId = (): string => `1763115${String(nextMessage()).padStart(6, '0')}`;
  const accounts = new Map<number, string>();
  let settings: GatewayStandIn['settings'] = {};

  const api = await startHttpApi(place, (call): ApiAnswer => {
    const [, version, instance, method = '', token] = call.path.split('/');
    if (version !== 'v3' || instance !== `waInstance${instance_id}`)
      return { status: 403, body: 'Forbidden' };
    if (token !== api_token) return { status: 401, body: 'Unauthorized' };
    if (call.method === 'GET') return tell(method, settings);
    const body = JSON.parse(call.body.toString());
    switch (method) {
      case 'setSettings':
        settings = { ...settings, ...body };
        return { status: 200, body: { saveSettings: true } };
      case 'checkAccount':
        return accountOf(accounts, body.phoneNumber);
      case 'sendMessage':
        if (body.message.length > mostText)
          return invalid("Validation failed. Details: 'message' is too long");
        return accept(method, body);
      case 'sendFileByUrl':
        if (!body.fileName) return invalid("Validation failed. Details: 'fileName' is required");
        return accept(method, body);
      default:
        return { status: 404, body: 'Not Found' };
    }
  });

  function accept(method: string, body: { chatId?: string }): ApiAnswer {
    if (!/^-?\d+$/.test(body.chatId ?? ''))
      return invalid("Validation failed. Details: 'chatId' is not a chat");
    const idMessage = nextId();
    outbox.add({ idMessage, method, body });
    return { status: 200, body: { idMessage } };
  }

  return {
    ...api,
    sent: outbox.sent,
    outbox,
    nextId,
    accounts,
    get settings() {
      return settings;
    },
    set settings(kept) {
      settings = kept;
    },
    notify(notification) {
      const { webhookUrl, webhookUrlToken } = settings;
      const event = { instanceData: { idInstance: Number(instance_id) }, ...notification };
      return postEvent(webhookUrl, event, { authorization: `Bearer ${webhookUrlToken}` });
    },
  };
}

function tell(method: string, settings: GatewayStandIn['settings']): ApiAnswer {
  switch (method) {
    case 'getStateInstance':
      return { status: 200, body: { stateInstance: 'authorized' } };
    case 'getSettings':
      return { status: 200, body: { webhookUrl: '', ...settings } };
    default:
      return { status: 404, body: 'Not Found' };
  }
}

function accountOf(accounts: ReadonlyMap<number, string>, phoneNumber: number): ApiAnswer {
  if (!/^(7\d{10}|375\d{9})$/.test(JSON.stringify(phoneNumber)))
    return invalid("Validation failed. Details: 'phoneNumber' must be a number of 11 or 12 digits");
  const chatId = accounts.get(phoneNumber);
  return { status: 200, body: chatId ? { exist: true, chatId } : { exist: false, chatId: '' } };
}
