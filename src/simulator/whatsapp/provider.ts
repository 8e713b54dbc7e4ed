import { type Answered, postEvent } from '../events.ts';
import { escaped, graphError, signed, verifyAddress } from '../graph/graph.ts';
import { type ApiAnswer, type ApiCall, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { counterFrom, createOutbox, type Outbox } from '../outbox.ts';
import { lackingIn, type TemplateComponent } from './template-call.ts';

export type WhatsappAccount = {
  phone_number_id: string;
  waba_id: string;
  access_token: string;
  app_secret: string;
  verify_token: string;
};

export type WhatsappTemplate = {
  name: string;
  language: string;
  status: string;
  components: TemplateComponent[];
};

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type WhatsappMessage = { id: string; body: any };

export type WhatsappStandIn = HttpApi & {
  /** Templates of the account, ten a page. */
  templates: WhatsappTemplate[];
  /** What clients send, by media id. */
  media: Map<string, Buffer>;
  /** The bodies of accepted messages, with the ids that they got. */
  sent: WhatsappMessage[];
  outbox: Outbox<WhatsappMessage>;
  /** The id of the next message of anybody. */
  nextId(): string;
  /** The app was subscribed before a restart. */
  resubscribe(): void;
  /** Asks an address whether it is the account's, as Meta does when it is entered: gives status and text. */
  verify(address: string): Promise<Answered>;
  /** Tells an address of messages and statuses, signed. */
  notify(address: string, value: object, field?: string): Promise<Answered>;
};

const pageSize = 10;

type Account = WhatsappAccount &
  Pick<WhatsappStandIn, 'templates' | 'media' | 'outbox' | 'nextId'> & { isSubscribed: boolean };

/** The Cloud API of one account, as far as it is documented and we call it. */
export async function startWhatsapp(place: Place, access: WhatsappAccount): Promise<WhatsappStandIn> {
  const nextMessage = counterFrom(place);
  const account: Account = {
    ...access,
    isSubscribed: false,
    templates: [],
    media: new Map(),
    outbox: createOutbox(),
    nextId: () => `wamid.HBgL${String(nextMessage()).padStart(8, '0')}`,
  };
  const { templates, media, outbox, nextId } = account;

  const api = await startHttpApi(place, (call) =>
    call.headers.authorization === `Bearer ${access.access_token}`
      ? perform(account, api.root, call)
      : graphError(401, 190, 'Invalid OAuth access token.'),
  );

  return {
    ...api,
    templates,
    media,
    sent: outbox.sent,
    outbox,
    nextId,
    resubscribe: () => {
      account.isSubscribed = true;
    },
    verify: (address) => verifyAddress(address, access.verify_token),
    notify(address, value, field = 'messages') {
      const { phone_number_id, waba_id, app_secret } = access;
      const metadata = { display_phone_number: '15550783881', phone_number_id };
      const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
      const body = notification(waba_id, change);
      return postEvent(address, body, signed(app_secret, body));
    },
  };
}

const json = (body: object): ApiAnswer => ({ status: 200, body });

function perform(account: Account, root: string, call: ApiCall): ApiAnswer {
  const { phone_number_id, waba_id, media } = account;
  const [, first = '', second = '', third] = call.path.split('/');
  if (first === 'media') return fileOf(account, second);
  switch (`${call.method} ${second}${third ? `/${third}` : ''}`) {
    case `POST ${phone_number_id}/messages`:
      return accept(account, call);
    case `POST ${waba_id}/subscribed_apps`:
      account.isSubscribed = true;
      return json({ success: true });
    case `GET ${waba_id}/subscribed_apps`:
      return json({ data: account.isSubscribed ? [subscription] : [] });
    case `GET ${phone_number_id}`:
      return json({ display_phone_number: '+1 555-010-2030', verified_name: 'Shop' });
    case `GET ${waba_id}`:
      return call.query.get('fields') === 'name' ? json({ name: 'Shop' }) : noSuchField;
    case `GET ${waba_id}/message_templates`:
      return json(page(account, root, call));
    default:
      return call.method === 'GET' && third === undefined && media.has(second)
        ? json({ messaging_product: 'whatsapp', id: second, url: `${root}/media/${second}` })
        : graphError(400, 100, `Unsupported request. Object with ID '${second}' does not exist.`, {
            subcode: 33,
          });
  }
}

const subscription = { whatsapp_business_api_data: { id: '1', name: 'Patchbay' } };

const noSuchField = graphError(400, 100, '(#100) Tried accessing nonexisting field on this node type');

function fileOf({ media }: Account, id: string): ApiAnswer {
  const bytes = media.get(id);
  return bytes ? { status: 200, body: bytes } : { status: 404, body: 'Not found' };
}

function accept({ templates, outbox, nextId }: Account, call: ApiCall): ApiAnswer {
  const body = JSON.parse(call.body.toString());
  const wa_id = body.to ?? body.recipient;
  if (body.messaging_product !== 'whatsapp' || !wa_id || !body[body.type]) {
    return graphError(400, 100, '(#100) Invalid parameter');
  }
  if (body.type === 'template') {
    const { name, language, components = [] } = body.template;
    const named = templates.filter((template) => template.name === name);
    if (named.length === 0) {
      return graphError(404, 132001, '(#132001) Template name does not exist in the translation');
    }
    const known = named.find((template) => template.language === language.code);
    const lacking = lackingIn(known?.components ?? [], components);
    if (lacking) return graphError(400, lacking.code, `(#${lacking.code}) ${lacking.message}`);
  }
  const id = nextId();
  outbox.add({ id, body });
  return json({ messaging_product: 'whatsapp', contacts: [{ input: wa_id, wa_id }], messages: [{ id }] });
}

function page({ templates }: Account, root: string, { query }: ApiCall): object {
  const from = Number(query.get('after') ?? 0);
  const data = templates.slice(from, from + pageSize);
  const after = String(from + pageSize);
  const hasMore = templates.length > from + pageSize;
  return {
    data,
    paging: { cursors: { before: String(from), after }, ...(hasMore && { next: `${root}/next` }) },
  };
}

export const notification = (waba_id: string, change: object): string =>
  escaped({ object: 'whatsapp_business_account', entry: [{ id: waba_id, changes: [change] }] });
