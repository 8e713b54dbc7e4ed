import type { Platform } from './platforms.ts';

/** The types of a message in a channel. An adapter lists those that it carries. */
export type CarriedType = 'text' | 'image' | 'document' | 'template';

/** The kinds of content before it is sent. A scenario sends its own messages. */
export type ContentKind = CarriedType | 'node';

/** A provider's receipts for an accepted message. `sent` only proves the acceptance. */
export type Receipt = 'sent' | 'delivered' | 'read' | 'undelivered';

/** The fields of the push API that name a client by an address in the messenger. */
export type RecipientKey = 'telegram_id' | 'telegram_username' | 'vkontakte_id' | 'max_id';

export type Limits = {
  /** The maximum length of a text, and of a caption. */
  text: number;
  caption: number;
  /** The unit of both. */
  counts: 'characters' | 'bytes';
  /** The maximum number of buttons, characters of a label, and bytes of a button's payload. */
  buttons: number;
  label: number;
  payloadBytes: number;
  /** The documented rate in messages per second for the whole channel. Null if the provider names none. */
  perSecond: number | null;
  /** The pause between two messages to one chat. Null if the provider asks for none. */
  chatPauseMs: number | null;
  /** Concurrent calls in one process. */
  concurrency: number;
};

/** Facts about a messenger, for the decisions of the API, the console, the documentation and the engines. */
export type Capabilities = {
  platform: Platform;
  carries: readonly CarriedType[];
  limits: Limits;
  /**
   * The kinds of address for clients who have not written yet. Empty if there are none. The address of such a chat is
   * the phone number in E.164, or `@` and the lower-case name. An adapter uses these addresses for all its clients
   * from the beginning.
   */
  opensBy: readonly ('phone' | 'username')[];
  /** Whether an address is the same person's on every channel. Then all chats with it are one client's. */
  isAddressPersonal?: true;
  /** The form in which the adapter names an address that a person typed. Absent if addresses have one form only. */
  addressOf?: (typed: string) => string;
  /** The required type of the first message to such a chat. */
  opensWith: 'text' | 'template';
  /** The fields that find an address here: ids are addresses, and a user name belongs to the chat. */
  recipientKeys: readonly RecipientKey[];
  /**
   * The API's words for content of this messenger alone. Content with a common word goes to messengers without their
   * own words.
   */
  ownContent: { readonly [word: string]: ContentKind };
  /** The receipts for a sent message. */
  receipts: readonly Receipt[];
  /**
   * Whether a receipt may arrive before the response to the send. It names messages by ids from such responses.
   */
  hasEarlyReceipts: boolean;
};
