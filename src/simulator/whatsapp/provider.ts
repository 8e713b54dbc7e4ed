import { type Answered, postEvent } from '../events.ts';
import { escaped, graphError, signed, verifyAddress } from '../graph/graph.ts';
import { type ApiAnswer, type ApiCall, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { counterFrom, createOutbox, type Outbox } from '../outbox.ts';

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
  components: { type: string; text?: string }[];
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
  /** Asks an address whether it is the account's, as Meta does when it is entered: gives status and text. */
  verify(address: string): Promise<Answered>;
  /** Tells an address of messages and statuses, signed. */
  notify(address: string, value: object, field?: string): Promise<Answered>;
};

const pageSize = 10;

/** The Cloud API of one account, as far as it is documented and we call it. */
export async function startWhatsapp(place: Place, account: WhatsappAccount): Promise<WhatsappStandIn> {
  const templates: WhatsappTemplate[] = [];
  const media = new Map<string, Buffer>();
  const outbox = createOutbox<WhatsappMessage>();
  const nextMessage = counterFrom(place);
  const nextId = (): string => `wamid.HBgL${String(nextMessage()).padStart(8, '0')}`;

  const api = await startHttpApi(place, (call) => {
    const [, first = '', second = '', third] = call.path.split('/');
    if (call.headers.authorization !== `Bearer ${account.access_token}`) {
      return graphError(401, 190, 'Invalid OAuth access token.');
    }
    if (first === 'media') {
      const bytes = media.get(second);
      return bytes ? { status: 200, body: bytes } : { status: 404, body: 'Not found' };
    }
    const target = `${call.method} ${second}${third ? `/${third}` : ''}`;
    if (target === `POST ${account.phone_number_id}/messages`) return accept(call);
    if (target === `POST ${account.waba_id}/subscribed_apps`) return { status: 200, body: { success: true } };
    if (target === `GET ${account.phone_number_id}`) {
      return { status: 200, body: { display_phone_number: '+1 555-010-2030', verified_name: 'Shop' } };
    }
    if (target === `GET ${account.waba_id}`) return { status: 200, body: { name: 'Shop' } };
    if (target === `GET ${account.waba_id}/message_templates`) return { status: 200, body: page(call) };
    if (call.method === 'GET' && third === undefined && media.has(second)) {
      return {
        status: 200,
        body: { messaging_product: 'whatsapp', id: second, url: `${api.root}/media/${second}` },
      };
    }
    return graphError(400, 100, `Unsupported request. Object with ID '${second}' does not exist.`);
  });

  function accept(call: ApiCall): ApiAnswer {
    const body = JSON.parse(call.body.toString());
    if (body.messaging_product !== 'whatsapp' || !(body.to ?? body.recipient) || !body[body.type]) {
      return graphError(400, 100, '(#100) Invalid parameter');
    }
    const template = body.type === 'template' && templates.find(({ name }) => name === body.template.name);
    if (body.type === 'template' && template === undefined) {
      return graphError(404, 132001, '(#132001) Template name does not exist in the translation');
    }
    const id = nextId();
    outbox.add({ id, body });
    const wa_id = body.to ?? body.recipient;
    return {
      status: 200,
      body: { messaging_product: 'whatsapp', contacts: [{ input: wa_id, wa_id }], messages: [{ id }] },
    };
  }

  function page({ query }: ApiCall): object {
    const from = Number(query.get('after') ?? 0);
    const data = templates.slice(from, from + pageSize);
    const after = String(from + pageSize);
    const hasMore = templates.length > from + pageSize;
    return {
      data,
      paging: { cursors: { before: String(from), after }, ...(hasMore && { next: `${api.root}/next` }) },
    };
  }

  return {
    ...api,
    templates,
    media,
    sent: outbox.sent,
    outbox,
    nextId,
    verify: (address) => verifyAddress(address, account.verify_token),
    notify(address, value, field = 'messages') {
      const metadata = { display_phone_number: '15550783881', phone_number_id: account.phone_number_id };
      const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
      const body = notification(account.waba_id, change);
      return postEvent(address, body, signed(account.app_secret, body));
    },
  };
}

export const notification = (waba_id: string, change: object): string =>
  escaped({ object: 'whatsapp_business_account', entry: [{ id: waba_id, changes: [change] }] });
