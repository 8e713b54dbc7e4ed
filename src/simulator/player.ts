import type { Platform } from '../channels/contract/platforms.ts';
import type { Outbox } from './outbox.ts';
import type { Person } from './people.ts';

/** A file that a person sends. The simulator serves it at `url`. */
export type ClientFile = { id: string; name: string; type: string; bytes: Buffer; url: string };

export type Said =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'file' | 'voice'; file: ClientFile; text: string }
  | { kind: 'place'; latitude: number; longitude: number }
  /** Their own phone number. */
  | { kind: 'contact' }
  /** A button of the message with this id. */
  | { kind: 'press'; label: string; press: string; message: string };

export type SaidKind = Said['kind'];

export type ShownFile = { kind: 'image' | 'file'; name: string } & ({ url: string } | { bytes: Buffer });

export type ShownButton = { label: string } & ({ url: string } | { press: string });

/** A message that reached a person. */
export type Shown = {
  /** The provider's id. */
  id: string;
  to: number;
  text: string;
  /** Of a mail. */
  subject?: string;
  files: ShownFile[];
  buttons: ShownButton[];
};

/** Text with nothing beside it. */
export const bare = { text: '', files: [], buttons: [] } satisfies Partial<Shown>;

export type Receipt = 'delivered' | 'read' | 'undelivered';

/** How a provider behaves now. */
export const moods = [
  'normal',
  'slow',
  'busy',
  'busy_with_hint',
  'window_closed',
  'credentials',
  'down',
  'page',
  'hang',
] as const;

export type Mood = (typeof moods)[number];

export type RefusalReason = Mood | 'blocked' | 'gone';

/** What a provider asks before it accepts a message. */
export type Rules = {
  mood(): Mood;
  /** `gone` is an address without a person. */
  standing(person: number): 'open' | 'blocked' | 'gone';
  /** A message to this person was refused. */
  refused(person: number, reason: RefusalReason): void;
};

/** One provider, as its phones and the page see it. */
export type Player = {
  platform: Platform;
  /** Settings of a channel that this provider accepts. */
  settings: Record<string, string>;
  /** Settings that a login would have brought. */
  learnt?: Record<string, string>;
  /** The person's address, as Patchbay knows it. */
  addressOf(person: Person): string;
  /** What people can send here. */
  says: readonly SaidKind[];
  receipts: readonly Receipt[];
  /** Hears of every message that the provider accepted. */
  listen(arrived: (shown: Shown) => void): void;
  /** From now on the provider obeys. */
  obey(rules: Rules): void;
  /** The moods that it knows. */
  moods: readonly Mood[];
  /** A pressed button stays busy until Patchbay answers. */
  awaitsAnswers?: true;
  /**
   * Sends the event to Patchbay. Throws text for people if it was not accepted.
   * @param answered Patchbay has answered the pressed button
   */
  say(person: Person, said: Said, answered?: () => void): Promise<void>;
  acknowledge?(person: Person, ids: readonly string[], receipt: Receipt): Promise<void>;
  /** The person blocks the channel, or unblocks it. Absent if the provider has no such thing. */
  block?(person: Person, isBlocked: boolean): Promise<void>;
  /** These people have been here before the simulator started. */
  know?(numbers: readonly number[]): void;
  /** The addresses of Patchbay that this provider calls. */
  addresses(): string[];
  /** Takes the address that a person enters at such a provider. Throws text for people. */
  enter?(address: string): Promise<void>;
  /** Registrations are kept across restarts. */
  registration: { get(): unknown; set(kept: unknown): void };
};

/** Passes on what people see. Null for a message to nobody who is played here. */
export function listenTo<Message>(
  outbox: Outbox<Message>,
  shownFrom: (message: Message) => Shown | null,
  arrived: (shown: Shown) => void,
): void {
  outbox.listen((message) => {
    const shown = shownFrom(message);
    if (shown) arrived(shown);
  });
}

/** A link, or a button that the person sends back. */
export const buttonOf = (label: string, url: string | undefined, press = ''): ShownButton =>
  url ? { label, url } : { label, press };

/** The name of the file at an address. */
export const nameInUrl = (url: string): string =>
  decodeURIComponent(URL.parse(url)?.pathname.split('/').filter(Boolean).at(-1) ?? 'file');

export const fileAt = (kind: ShownFile['kind'], url: string, name = nameInUrl(url)): ShownFile => ({
  kind,
  url,
  name,
});
