import { enteredAddress } from '../entered-address.ts';
import { expectAccepted } from '../events.ts';
import { obeying, tooMany } from '../obey.ts';
import type { AddressForm } from '../people.ts';
import {
  bare,
  buttonOf,
  fileAt,
  listenTo,
  type Player,
  type Said,
  type SaidKind,
  type Shown,
} from '../player.ts';
import { graphError } from './graph.ts';
import { type GraphMessage, type GraphMessages, type GraphMessenger, unavailable } from './messages.ts';

type Played = Pick<Player, 'platform' | 'settings' | 'receipts'> & {
  api: GraphMessages;
  ids: AddressForm;
  /** The account, as events name it. */
  account: string;
  says: readonly SaidKind[];
  refusals: GraphMessenger['refusals'];
  /** One messenger reports a message, the other a time. */
  readsById: boolean;
};

/** An address that Meta takes after its own verification. Before a restart the app of such an address was subscribed. */
export function verifiedAddress({ verify, resubscribe }: Pick<GraphMessages, 'verify' | 'resubscribe'>) {
  const { current, played } = enteredAddress(async (address) => {
    const { status } = await verify(address);
    if (status !== 200) throw new Error(`The address answered ${status} to the verification.`);
  });
  const registration = {
    ...played.registration,
    set: (kept: unknown) => {
      played.registration.set(kept);
      if (played.addresses().length > 0) resubscribe();
    },
  };
  return { current, played: { ...played, registration } };
}

/** The phones of Meta's two messengers. */
export function playGraphMessages({ api, ids, account, refusals, readsById, ...played }: Played): Player {
  const entered = verifiedAddress(api);

  async function notify(number: number, event: object): Promise<void> {
    const address = entered.current();
    const [sender, recipient] = [{ id: ids.of(number) }, { id: account }];
    expectAccepted(await api.notify(address, [{ sender, recipient, timestamp: Date.now(), ...event }]));
  }

  return {
    ...played,
    addressOf: ({ number }) => ids.of(number),
    listen: (arrived) => listenTo(api.outbox, (message) => shownFrom(message, ids), arrived),
    ...obeying(api, {
      recipientOf: ({ method, path, body }) =>
        method === 'POST' && path.endsWith('/me/messages')
          ? ids.numberIn(JSON.parse(body.toString()).recipient?.id)
          : null,
      credentials: graphError(401, 190, 'Invalid OAuth access token - Cannot parse access token'),
      busy: (seconds) =>
        seconds === null
          ? graphError(400, 613, '(#613) Calls to this api have exceeded the rate limit.')
          : tooMany(seconds),
      unknownPerson: refusals.unknownPerson,
      blocked: unavailable,
      windowClosed: refusals.windowClosed,
    }),
    say: ({ number }, said) => {
      const id = ids.of(number);
      if (!api.people.has(id)) api.people.set(id, 'open');
      return notify(number, eventFrom(said, api.nextMid()));
    },
    acknowledge: async ({ number }, mids, receipt) => {
      const watermark = Date.now();
      if (receipt === 'delivered') return notify(number, { delivery: { mids, watermark } });
      if (!readsById) return notify(number, { read: { watermark } });
      for (const mid of mids) await notify(number, { read: { mid } });
    },
    block: async ({ number }, isBlocked) =>
      void api.people.set(ids.of(number), isBlocked ? 'blocked' : 'open'),
    know: (numbers) => {
      for (const number of numbers) api.people.set(ids.of(number), 'open');
    },
    ...entered.played,
  };
}

/** Presses of quick replies and of buttons differ. */
const quick = 'quick:';

function eventFrom(said: Said, mid: string): object {
  switch (said.kind) {
    case 'press': {
      if (!said.press.startsWith(quick)) return { postback: { mid, title: said.label, payload: said.press } };
      return { message: { mid, text: said.label, quick_reply: { payload: said.press.slice(quick.length) } } };
    }
    case 'image':
    case 'voice':
    case 'file': {
      const type = { image: 'image', voice: 'audio', file: 'file' }[said.kind];
      const attachments = [{ type, payload: { url: said.file.url } }];
      return { message: { mid, ...(said.text && { text: said.text }), attachments } };
    }
    default:
      return { message: { mid, text: said.kind === 'text' ? said.text : '' } };
  }
}

type Reply = { title: string; payload: string };
type Button = { title: string; url?: string; payload?: string };

function shownFrom({ mid: id, body: { recipient, message } }: GraphMessage, ids: AddressForm): Shown | null {
  const to = ids.numberIn(recipient.id);
  if (to === null) return null;
  const { text = '', attachment, quick_replies = [] } = message;
  const { text: words, buttons = [], url } = attachment?.payload ?? {};
  return {
    ...bare,
    id,
    to,
    text: words ?? text,
    files: url ? [fileAt(attachment.type === 'image' ? 'image' : 'file', url)] : [],
    buttons: [
      ...buttons.map(({ title, url: link, payload }: Button) => buttonOf(title, link, payload)),
      ...quick_replies.map(({ title: label, payload }: Reply) => ({ label, press: `${quick}${payload}` })),
    ],
  };
}
