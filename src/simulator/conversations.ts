import type { Figures } from './figures.ts';
import { personOf } from './people.ts';
import {
  addBubble,
  type Bubble,
  bubbleFrom,
  bubbleOf,
  newPhone,
  noteRefusal,
  type Phone,
  unreadOf,
  withRetries,
} from './phone.ts';
import type { Player, Receipt, RefusalReason, Said, Shown } from './player.ts';
import type { Surroundings } from './provider.ts';
import { createTimers } from './timers.ts';

/** The phones of one provider. */
export type Conversations = {
  phones: Map<number, Phone>;
  /** Opens a phone, or finds it. */
  open(number: number): Phone;
  standing(number: number): 'open' | 'blocked';
  receive(phone: Phone, shown: Shown): void;
  noteRefusal(number: number, reason: RefusalReason): void;
  say(phone: Phone, said: Said): Promise<void>;
  /** Reads everything. */
  read(phone: Phone): Promise<void>;
  block(phone: Phone, isBlocked: boolean): Promise<void>;
  setReading(phone: Phone, atOnce: boolean): void;
  stop(): void;
};

/** People need a moment. */
const readingMs = 900;

/** A call is answered before its receipts are sent. */
const receiptMs = 100;

export function createConversations(
  part: string,
  player: Player,
  figures: Figures,
  { files, tell }: Surroundings,
): Conversations {
  const phones = new Map<number, Phone>();
  const timers = createTimers(() => {
    figures.failed += 1;
  });
  let written = 0;
  const nextId = (): string => {
    written += 1;
    return `own-${written}`;
  };
  const show: Show = (phone, bubble) => tell({ kind: 'bubble', phone: phone.id, bubble });
  const { report, acknowledge } = createReceipts(player, figures, show, timers.areOver);
  const deliver = createDelivery(player, figures, show, timers.areOver);

  return {
    phones,
    standing: (number) => (phones.get(number)?.isBlocked ? 'blocked' : 'open'),
    open(number) {
      const known = phones.get(number);
      if (known) return known;
      const person = personOf(number);
      const phone = newPhone(part, person, player.addressOf(person));
      phones.set(number, phone);
      player.know?.([number]);
      tell({ kind: 'phone', phone });
      return phone;
    },
    receive(phone, shown) {
      if (phone.isBlocked) return timers.later(receiptMs, () => report(phone, [shown.id], 'undelivered'));
      const bubble = bubbleOf(shown, files, Date.now());
      addBubble(phone, bubble);
      show(phone, bubble);
      timers.later(receiptMs, async () => {
        await acknowledge(phone, [bubble], 'delivered');
        if (phone.readsAtOnce) timers.later(readingMs, () => acknowledge(phone, [bubble], 'read'));
      });
    },
    noteRefusal(number, reason) {
      const phone = phones.get(number);
      if (phone) show(phone, noteRefusal(phone, reason, nextId(), Date.now()));
    },
    async say(phone, said) {
      const bubble = bubbleFrom(said, nextId(), Date.now(), player.awaitsAnswers === true);
      addBubble(phone, bubble);
      await deliver(phone, said, bubble);
    },
    read: (phone) => acknowledge(phone, unreadOf(phone), 'read'),
    async block(phone, isBlocked) {
      phone.isBlocked = isBlocked;
      tell({ kind: 'phone', phone });
      await player.block?.(phone.person, isBlocked);
    },
    setReading(phone, atOnce) {
      phone.readsAtOnce = atOnce;
      tell({ kind: 'phone', phone });
    },
    stop: timers.stop,
  };
}

type Show = (phone: Phone, bubble: Bubble) => void;

/** The phone shows what became of the person's words. */
function createDelivery(player: Player, figures: Figures, show: Show, isOver: () => boolean) {
  return async (phone: Phone, said: Said, bubble: Bubble): Promise<void> => {
    show(phone, bubble);
    const answered = (): void => {
      bubble.isAnswered = true;
      show(phone, bubble);
    };
    try {
      await withRetries(() => player.say(phone.person, said, answered), isOver);
      bubble.state = 'accepted';
    } catch (error) {
      figures.failed += 1;
      Object.assign(bubble, { state: 'failed', detail: String(Object(error).message) });
    }
    show(phone, bubble);
  };
}

function createReceipts(player: Player, figures: Figures, show: Show, isOver: () => boolean) {
  async function report({ person }: Phone, ids: string[], receipt: Receipt): Promise<void> {
    if (ids.length === 0 || !player.receipts.includes(receipt)) return;
    await withRetries(async () => player.acknowledge?.(person, ids, receipt), isOver);
    figures[receipt] += ids.length;
  }

  return {
    report,
    /** The page shows a message as read also where Patchbay is not informed. */
    async acknowledge(phone: Phone, bubbles: Bubble[], receipt: 'delivered' | 'read'): Promise<void> {
      const news = bubbles.filter((bubble) => bubble.receipt !== receipt && bubble.receipt !== 'read');
      for (const bubble of news) {
        bubble.receipt = receipt;
        show(phone, bubble);
      }
      const ids = news.map(({ id }) => id);
      await report(phone, ids, receipt);
    },
  };
}
