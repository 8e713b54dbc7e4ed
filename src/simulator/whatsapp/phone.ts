import { seconds } from '../clock.ts';
import { expectAccepted } from '../events.ts';
import { graphError } from '../graph/graph.ts';
import { verifiedAddress } from '../graph/phone.ts';
import type { Place } from '../http-api.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { keepLatest } from '../outbox.ts';
import { addressForm, type Person, phoneForm } from '../people.ts';
import { bare, fileAt, listenTo, type Player, type Receipt, type Said, type Shown } from '../player.ts';
import { startWhatsapp, type WhatsappMessage, type WhatsappTemplate } from './provider.ts';

const account = {
  phone_number_id: '106000000000001',
  waba_id: '102000000000001',
  access_token: 'EAASimulatorSystemUserToken',
  app_secret: 'simulator-app-secret-of-the-number',
  verify_token: 'simulator-verify-token',
};

const bodyOf = (text: string): WhatsappTemplate['components'] => [{ type: 'BODY', text }];

const templates: WhatsappTemplate[] = [
  {
    name: 'news',
    language: 'en',
    status: 'APPROVED',
    components: bodyOf('Hello {{1}}! We have something new for you.'),
  },
  {
    name: 'news',
    language: 'ru',
    status: 'APPROVED',
    components: bodyOf('{{1}}, здравствуйте! У нас новинки.'),
  },
  { name: 'order_ready', language: 'en', status: 'APPROVED', components: bodyOf('Your order is ready.') },
  { name: 'too_loud', language: 'en', status: 'REJECTED', components: bodyOf('BUY NOW') },
];

const statuses: { [receipt in Receipt]: string } = {
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
};

const undeliverable = { code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' };

/** Meta's own ids of people, which they keep beside their numbers. */
const lastingIds = addressForm('US.1000000000000', 6);

/** Our uuids of messages whose receipts are still to come. */
const mostOpaque = 50_000;

const refusals: Refusals = {
  recipientOf: ({ method, path, body }) =>
    method === 'POST' && path.endsWith('/messages')
      ? phoneForm.numberIn(JSON.parse(body.toString()).to)
      : null,
  needsWindow: ({ body }) => JSON.parse(body.toString()).type !== 'template',
  credentials: graphError(401, 190, 'Invalid OAuth access token.'),
  busy: (seconds) =>
    seconds === null ? graphError(400, 130429, '(#130429) Rate limit hit') : tooMany(seconds),
  unknownPerson: graphError(400, 131026, '(#131026) Message undeliverable'),
  blocked: null,
  windowClosed: graphError(400, 131047, '(#131047) Re-engagement message', {
    details: 'Message failed to send because more than 24 hours have passed since the customer last replied.',
  }),
};

export async function playWhatsapp(place: Place): Promise<Player> {
  const meta = await startWhatsapp(place, account);
  meta.templates.push(...templates);
  const opaque = new Map<string, string>();
  const entered = verifiedAddress(meta);

  async function notify(value: object): Promise<void> {
    expectAccepted(await meta.notify(entered.current(), value));
  }

  function shownFrom({ id, body }: WhatsappMessage): Shown | null {
    const to = phoneForm.numberIn(body.to);
    if (to === null) return null;
    if (body.biz_opaque_callback_data) keepLatest(opaque, id, body.biz_opaque_callback_data, mostOpaque);
    return { ...bare, id, to, ...contentIn(body, meta.templates) };
  }

  return {
    platform: 'Whatsapp',
    settings: { ...account, api_root: meta.root },
    addressOf: ({ phone }) => phone,
    says: ['text', 'image', 'file', 'voice', 'place', 'contact', 'press'],
    receipts: ['delivered', 'read', 'undelivered'],
    listen: (arrived) => listenTo(meta.outbox, shownFrom, arrived),
    ...obeying(meta, refusals),
    say: (person, said) => {
      const wa_id = phoneForm.of(person.number);
      const timestamp = String(seconds());
      const user_id = lastingIds.of(person.number);
      const author = { id: meta.nextId(), from: wa_id, from_user_id: user_id, timestamp };
      const message = { ...author, ...contentFrom(meta.media, person, said) };
      return notify({ contacts: [{ wa_id, user_id, profile: { name: person.name } }], messages: [message] });
    },
    acknowledge: ({ number }, ids, receipt) =>
      notify({
        statuses: ids.map((id) => ({
          id,
          status: statuses[receipt],
          recipient_id: phoneForm.of(number),
          timestamp: String(seconds()),
          ...(opaque.has(id) && { biz_opaque_callback_data: opaque.get(id) }),
          ...(receipt === 'undelivered' && { errors: [undeliverable] }),
        })),
      }),
    block: async () => {},
    ...entered.played,
  };
}

type Media = { link: string; caption?: string; filename?: string };

function contentIn(
  // biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
  { text, image, document, interactive, template }: any,
  known: readonly WhatsappTemplate[],
): Partial<Shown> {
  const media: Media | undefined =
    image ?? document ?? interactive?.header?.image ?? interactive?.header?.document;
  const isPicture = Boolean(image ?? interactive?.header?.image);
  const files = media ? [fileAt(isPicture ? 'image' : 'file', media.link, media.filename)] : [];
  if (template) return { text: filled(template, known) };
  if (!interactive) return { text: text?.body ?? media?.caption ?? '', files };
  return { text: interactive.body?.text ?? '', files, buttons: buttonsIn(interactive) };
}

type Row = { id: string; title: string };

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
function buttonsIn({ type, action }: any): Shown['buttons'] {
  if (type === 'cta_url') return [{ label: action.parameters.display_text, url: action.parameters.url }];
  if (type === 'list') {
    const rows: Row[] = action.sections.flatMap(({ rows: some }: { rows: Row[] }) => some);
    return rows.map(({ id, title }) => ({ label: title, press: `list_reply:${id}` }));
  }
  const replies: { reply: Row }[] = action.buttons;
  return replies.map(({ reply: { id, title } }) => ({ label: title, press: `button_reply:${id}` }));
}

type SentTemplate = {
  name: string;
  language: { code: string };
  components?: { type: string; parameters: { parameter_name?: string; text: string }[] }[];
};

/** The text of the approved template with its values. */
function filled(
  { name, language, components = [] }: SentTemplate,
  known: readonly WhatsappTemplate[],
): string {
  const found = known.find((template) => template.name === name && template.language === language.code);
  const values = components.find(({ type }) => type === 'body')?.parameters ?? [];
  const text = found?.components.find(({ type }) => type === 'BODY')?.text ?? name;
  return text.replace(/\{\{(\w+)\}\}/g, (variable, key) => {
    const value = values.find(({ parameter_name }, place) => (parameter_name ?? String(place + 1)) === key);
    return value?.text ?? variable;
  });
}

function contentFrom(media: Map<string, Buffer>, { name, phone }: Person, said: Said): object {
  switch (said.kind) {
    case 'text':
      return { type: 'text', text: { body: said.text } };
    case 'place': {
      const { latitude, longitude } = said;
      return { type: 'location', location: { latitude, longitude } };
    }
    case 'contact':
      return { type: 'contacts', contacts: [{ name: { formatted_name: name }, phones: [{ phone }] }] };
    case 'press': {
      const [kind = '', id = ''] = said.press.split(/:(.*)/s);
      return { type: 'interactive', interactive: { type: kind, [kind]: { id, title: said.label } } };
    }
    default: {
      const { file, text } = said;
      keepLatest(media, file.id, file.bytes);
      const type = { image: 'image', voice: 'audio', file: 'document' }[said.kind];
      const { id, type: mime_type, name: filename } = file;
      const own = {
        id,
        mime_type,
        ...(text && { caption: text }),
        ...(type === 'document' && { filename }),
      };
      return { type, [type]: own };
    }
  }
}
