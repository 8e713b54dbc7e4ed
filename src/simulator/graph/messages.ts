import { type Answered, postEvent } from '../events.ts';
import { type ApiAnswer, type ApiCall, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { counterFrom, createOutbox, type Outbox } from '../outbox.ts';
import { oneName, type WhoIs } from '../people.ts';
import { escaped, graphError, signed, verifyAddress } from './graph.ts';

export type GraphMessagesAccount = {
  /** Of a page or a professional account. */
  id: string;
  token: string;
  app_secret: string;
  verify_token: string;
};

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type GraphMessage = { mid: string; body: any };

export type GraphMessages = HttpApi & {
  /**
   * The people who have written, and whether the account may write to them. It may write to no one else. To a closed
   * window it may write with the tag of a human agent.
   */
  people: Map<string, 'open' | 'window_closed' | 'blocked'>;
  /** The bodies of accepted messages, with their ids. */
  sent: GraphMessage[];
  outbox: Outbox<GraphMessage>;
  /** The id of the next message of anybody. */
  nextMid(): string;
  /** The events that the app is subscribed to. */
  subscribed(): string[];
  /** The app was subscribed before a restart. */
  resubscribe(): void;
  verify(address: string): Promise<Answered>;
  /** Sends signed events to an address, and returns its answer. */
  notify(address: string, events: object[]): Promise<Answered>;
};

/** The differences between Meta's two messengers. */
export type GraphMessenger = {
  object: 'page' | 'instagram';
  /** The account's own data. */
  me: Record<string, string>;
  fields: readonly string[];
  isTooLong(text: string): boolean;
  refusals: { windowClosed: ApiAnswer; unknownPerson: ApiAnswer };
};

export const graphNotification = (object: string, id: string, messaging: object[]): string =>
  escaped({ object, entry: [{ id, time: 1_569_262_486_134, messaging }] });

export const unavailable = graphError(400, 551, "(#551) This person isn't available right now.", {
  subcode: 1545041,
});

const invalid = (what: string): ApiAnswer => graphError(400, 100, `(#100) Invalid parameter: ${what}`);

type Account = GraphMessagesAccount &
  GraphMessenger &
  Pick<GraphMessages, 'people' | 'outbox' | 'nextMid'> & {
    whoIs: WhoIs;
    subscribed: string[];
    /** A renewed token, and the one before it. */
    tokens: Set<string>;
  };

/** The Send API of one account: the documented parts that we call. */
export async function startGraphMessages(
  place: Place,
  access: GraphMessagesAccount,
  messenger: GraphMessenger,
  whoIs = oneName,
): Promise<GraphMessages> {
  const nextMessage = counterFrom(place);
  const account: Account = {
    ...access,
    ...messenger,
    whoIs,
    people: new Map(),
    outbox: createOutbox(),
    nextMid: () => `m_${String(nextMessage()).padStart(8, '0')}`,
    subscribed: [],
    tokens: new Set([access.token]),
  };
  const { people, outbox, nextMid, tokens } = account;

  const api = await startHttpApi(place, (call) => {
    if (!tokens.has((call.headers.authorization ?? '').replace('Bearer ', ''))) {
      return graphError(401, 190, 'Invalid OAuth access token - Cannot parse access token');
    }
    return perform(account, call);
  });

  return {
    ...api,
    people,
    sent: outbox.sent,
    outbox,
    nextMid,
    subscribed: () => account.subscribed,
    resubscribe: () => {
      account.subscribed = [...messenger.fields];
    },
    verify: (address) => verifyAddress(address, access.verify_token),
    notify(address, events) {
      const body = graphNotification(messenger.object, access.id, events);
      return postEvent(address, body, signed(access.app_secret, body));
    },
  };
}

function perform(account: Account, call: ApiCall): ApiAnswer {
  switch (`${call.method} ${call.path.replace(/^\/v\d+\.\d+/, '')}`) {
    case 'GET /me':
      return aboutMe(account, call);
    case 'GET /refresh_access_token':
      return renew(account, call);
    case 'GET /me/subscribed_apps':
      return { status: 200, body: { data: subscriptionOf(account) } };
    case 'POST /me/subscribed_apps':
      return subscribe(account, call);
    case 'POST /me/messages':
      return accept(account, JSON.parse(call.body.toString()));
    default:
      return aboutPerson(account, call);
  }
}

function renew({ tokens }: Account, { query }: ApiCall): ApiAnswer {
  if (query.get('grant_type') !== 'ig_refresh_token') return invalid('grant_type');
  const access_token = `${query.get('access_token')}+`;
  tokens.add(access_token);
  return { status: 200, body: { access_token, token_type: 'bearer', expires_in: 5_184_000 } };
}

/** The names of a person who has written. */
function aboutPerson({ people, whoIs }: Account, { method, path, query }: ApiCall): ApiAnswer {
  const id = path.split('/').at(-1) ?? '';
  const person = people.has(id) ? whoIs(id) : null;
  if (method !== 'GET' || person === null) return graphError(400, 100, 'Unsupported request.');
  const names: Record<string, string> = { name: person.name, username: person.username };
  const asked = (query.get('fields') ?? '').split(',').filter((field) => field in names);
  return { status: 200, body: { ...Object.fromEntries(asked.map((field) => [field, names[field]])), id } };
}

function aboutMe({ me }: Account, { query }: ApiCall): ApiAnswer {
  const asked = (query.get('fields') ?? 'id').split(',');
  const known = asked.filter((field) => field === 'id' || field in me);
  if (known.length < asked.length) return invalid('fields');
  return {
    status: 200,
    body: { ...Object.fromEntries(known.map((field) => [field, me[field]])), id: me.id },
  };
}

/** Meta lists only the app of the token. */
const subscriptionOf = ({ subscribed: subscribed_fields }: Account): object[] =>
  subscribed_fields.length > 0 ? [{ id: '1', name: 'Patchbay', subscribed_fields }] : [];

function subscribe(account: Account, { query }: ApiCall): ApiAnswer {
  const wanted = (query.get('subscribed_fields') ?? '').split(',');
  if (!wanted.every((field) => account.fields.includes(field))) return invalid('subscribed_fields');
  account.subscribed = wanted;
  return { status: 200, body: { success: true } };
}

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
function accept(account: Account, body: any): ApiAnswer {
  const { people, refusals } = account;
  const fault = faultOf(account, body);
  if (fault) return invalid(fault);
  switch (people.get(body.recipient.id)) {
    case undefined:
      return refusals.unknownPerson;
    case 'window_closed':
      return body.tag === 'HUMAN_AGENT' ? taken(account, body) : refusals.windowClosed;
    case 'blocked':
      return unavailable;
    case 'open':
      return taken(account, body);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
function taken({ outbox, nextMid }: Account, body: any): ApiAnswer {
  const mid = nextMid();
  outbox.add({ mid, body });
  return { status: 200, body: { recipient_id: body.recipient.id, message_id: mid } };
}

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
function faultOf({ isTooLong }: Account, { recipient, messaging_type, tag, message }: any): string | null {
  if (!recipient?.id) return 'recipient';
  const isTagged = messaging_type === 'MESSAGE_TAG' && tag === 'HUMAN_AGENT';
  if (messaging_type !== 'RESPONSE' && !isTagged) return 'messaging_type';
  const { text, attachment, quick_replies = [] } = message ?? {};
  if ((text === undefined) === (attachment === undefined)) return 'message';
  if (text !== undefined && (text === '' || isTooLong(text))) return 'text';
  if (quick_replies.length > 13) return 'quick_replies';
  if (attachment?.type !== 'template') return attachment && !attachment.payload?.url ? 'attachment' : null;
  const { payload } = attachment;
  if (payload.template_type !== 'button' || !payload.text || payload.text.length > 640) return 'payload';
  return payload.buttons.length >= 1 && payload.buttons.length <= 3 ? null : 'buttons';
}
