import type { Platform } from './platforms.ts';

/** What a message can be on its way through a channel. An adapter lists those that it carries. */
export type CarriedType = 'text' | 'image' | 'document' | 'template';

/** What content can be before it is on its way: a scenario sends messages of its own. */
export type ContentKind = CarriedType | 'node';

/** What a provider tells of a message that it has accepted. `sent` only proves the acceptance. */
export type Receipt = 'sent' | 'delivered' | 'read' | 'undelivered';

/** The fields of the push API that name a client by an address of their messenger. */
export type RecipientKey = 'telegram_id' | 'telegram_username' | 'vkontakte_id' | 'max_id';

export type Limits = {
  /** The most of a text, and of one that goes with a picture or a file. */
  text: number;
  caption: number;
  /** What the two count. */
  counts: 'characters' | 'bytes';
  /** Buttons under a message, the characters of a label, and the bytes that a button carries. */
  buttons: number;
  label: number;
  payloadBytes: number;
  /** Documented messages a second for the whole channel; null where the provider names none. */
  perSecond: number | null;
  /** Time between two messages to one chat; null where the provider asks for none. */
  chatPauseMs: number | null;
  /** Calls under way at once in one process. */
  concurrency: number;
};

/** Facts about a messenger, from which the API, the console, the documentation and the engines decide. */
export type Capabilities = {
  platform: Platform;
  carries: readonly CarriedType[];
  limits: Limits;
  /**
   * How someone is addressed who has not written yet; none where nobody can be. Such a chat's address is the phone number
   * in E.164, or `@` and the name in lower case: an adapter calls its clients so from the beginning.
   */
  opensBy: readonly ('phone' | 'username')[];
  /** What the first message to such a chat has to be. */
  opensWith: 'text' | 'template';
  /** By which an address here is found: ids are addresses, and a user name is the chat's. */
  recipientKeys: readonly RecipientKey[];
  /** The API's words for content of this messenger alone. Content without such a word goes to messengers without any. */
  ownContent: { readonly [word: string]: ContentKind };
  /** What becomes known of a message after it was sent. */
  receipts: readonly Receipt[];
  /** Whether a receipt may come before the answer of the send, and names the message by an id of that answer. */
  hasEarlyReceipts: boolean;
};
