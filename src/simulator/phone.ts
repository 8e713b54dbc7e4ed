import type { Files } from './files.ts';
import { pushLatest } from './outbox.ts';
import type { Person } from './people.ts';
import type { Receipt, RefusalReason, Said, Shown, ShownButton, ShownFile } from './player.ts';

/** One line of a conversation, as the page shows it. */
export type Bubble = {
  id: string;
  /** `out` is written on this phone. A `note` counts the provider's refusals in a row, by their reason. */
  direction: 'in' | 'out' | 'note';
  refusals: number;
  text: string;
  subject: string;
  files: { kind: ShownFile['kind'] | 'voice'; name: string; id: string }[];
  buttons: ShownButton[];
  at: number;
  /** Of what the person wrote: whether Patchbay accepted it. */
  state: 'sending' | 'accepted' | 'failed' | 'received';
  detail: string;
  /** Whether Patchbay has answered the pressed button. Null if the provider awaits no answer. */
  isAnswered: boolean | null;
  /** What Patchbay was informed of. */
  receipt: Exclude<Receipt, 'undelivered'> | null;
};

export type Phone = {
  id: string;
  part: string;
  person: Person;
  /** As Patchbay knows it. */
  address: string;
  isBlocked: boolean;
  /** Otherwise messages stay unread until the person reads. */
  readsAtOnce: boolean;
  bubbles: Bubble[];
};

/** A conversation is not kept longer. */
const mostBubbles = 200;

export const phoneId = (part: string, number: number): string => `${part}-${number}`;

export const newPhone = (part: string, person: Person, address: string): Phone => ({
  id: phoneId(part, person.number),
  part,
  person,
  address,
  isBlocked: false,
  readsAtOnce: true,
  bubbles: [],
});

export const addBubble = ({ bubbles }: Phone, bubble: Bubble): void =>
  pushLatest(bubbles, bubble, mostBubbles);

/** What reached the phone. */
export const bubbleOf = (
  { id, text, subject = '', files, buttons }: Shown,
  store: Files,
  at: number,
): Bubble => ({
  id,
  direction: 'in',
  refusals: 0,
  text,
  subject,
  files: files.map((file) => ({ kind: file.kind, name: file.name, id: store.keep(keptFrom(file)) })),
  buttons,
  at,
  state: 'received',
  detail: '',
  isAnswered: null,
  receipt: null,
});

function keptFrom(file: ShownFile) {
  const { name } = file;
  return 'bytes' in file ? { name, type: null, bytes: file.bytes } : { name, type: null, url: file.url };
}

/** What the person wrote. */
export const bubbleFrom = (said: Said, id: string, at: number, awaitsAnswer: boolean): Bubble => ({
  id,
  direction: 'out',
  refusals: 0,
  text: textOf(said),
  subject: '',
  files: 'file' in said ? [{ kind: said.kind, name: said.file.name, id: said.file.id }] : [],
  buttons: [],
  at,
  state: 'sending',
  detail: '',
  isAnswered: said.kind === 'press' && awaitsAnswer ? false : null,
  receipt: null,
});

/** Counts another refusal of a message to this phone. */
export function noteRefusal(phone: Phone, reason: RefusalReason, id: string, at: number): Bubble {
  const last = phone.bubbles.at(-1);
  if (last?.direction === 'note' && last.detail === reason) {
    last.refusals += 1;
    return last;
  }
  const note: Bubble = {
    id,
    direction: 'note',
    refusals: 1,
    text: '',
    subject: '',
    files: [],
    buttons: [],
    at,
    state: 'failed',
    detail: reason,
    isAnswered: null,
    receipt: null,
  };
  addBubble(phone, note);
  return note;
}

function textOf(said: Said): string {
  switch (said.kind) {
    case 'place':
      return `📍 ${said.latitude}, ${said.longitude}`;
    case 'contact':
      return '👤';
    case 'press':
      return said.label;
    default:
      return said.text;
  }
}

/** The ids of messages on a phone that were not read yet. */
export const unreadOf = ({ bubbles }: Phone): Bubble[] =>
  bubbles.filter(({ direction, receipt }) => direction === 'in' && receipt !== 'read');

const attempts = 5;

/** Providers repeat an event that was not accepted. */
export async function withRetries(work: () => Promise<void>, isOver: () => boolean): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || isOver() || !isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt).unref());
    }
  }
}

/** Patchbay is absent or in trouble. */
const isPassing = (error: unknown): boolean =>
  error instanceof Error && (error instanceof TypeError || /answered (5\d\d|429)/.test(error.message));
