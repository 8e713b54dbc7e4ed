// Written by `npm run client` from the description of the API. Changes here are lost.

import type { CallOptions } from './index.js';

/** What is wrong, in a sentence for people. */
export type Problem = {
  detail: string;
};

/** What is wrong with each field, nested as the input is; rules across fields stand under `non_field_errors`. */
export type FieldErrors = { [name: string]: string[] | FieldErrors };

export type TokenRefusal = {
  error: "invalid_client" | "invalid_grant";
  detail: string;
};

export type Tokens = {
  /** Belongs to the project that the user chose. */
  access_token: string;
  /** For one renewal, within 90 days. */
  refresh_token: string;
  token_type: string;
  /** Seconds. */
  expires_in: number;
};

/** Ids that do not apply are null. */
export type ConnectorAnswer = {
  status: "ok";
  chat_uuid: string | null;
  profile_uuid: string | null;
  message_uuid: string | null;
  external_id: string | null;
};

export type IframeLink = {
  /** For the browser that opens it first. */
  url: string;
  /** Until when it can be opened. */
  expired_at: string;
};

export type Content = {
  /** Which of the other fields it needs. */
  type: "TEXT" | "NODE" | "WHATSAPP_TEMPLATE" | "WHATSAPP_TEXT" | "TELEGRAM_PERSONAL_TEXT" | "TELEGRAM_PERSONAL_NODE" | "MAX_PERSONAL_TEXT" | "MAX_PERSONAL_NODE";
  /** With the text types. */
  text?: string;
  /** With the node types: the scenario to start. With `WHATSAPP_TEMPLATE`: the one that starts when the client answers. */
  node?: {
    name: string;
  };
  /** Parameters of the scenario. */
  get_params?: { [name: string]: unknown };
  /** With `WHATSAPP_TEMPLATE`: an approved template. */
  whatsapp_template?: {
    pid: string;
  };
  /** The template's variables, all of them. */
  whatsapp_template_variables?: { [name: string]: unknown };
};

export type PushMessageCreate = {
  content: Content;
  /** The recipient by exactly one of these. */
  chat?: {
    uuid?: string;
    telegram_id?: number;
    telegram_username?: string;
    vkontakte_id?: number;
    max_id?: number;
  } | null;
  /** The recipient by exactly one identifier. */
  profile?: {
    uuid?: string;
    /** E.164, or its digits without the `+`. */
    phone_number?: string;
    external_id?: string;
    /** Those that the project defines are added. */
    tags?: string[];
    /** Those that the project defines are set. */
    attrs?: { [name: string]: unknown };
  } | null;
  /** What the message belongs to; the list can be filtered by it. */
  campaign?: {
    uuid?: string;
    name?: string;
  } | null;
  /** Cut to the minute. Absent or past: now. */
  launch_at?: string | null;
  /** Sends also while an operator talks with the client. */
  is_force?: boolean;
  /** A word of your own. */
  tag?: string | null;
};

export type StreamTask = {
  /** The task's, and its message's too. */
  uuid: string;
};

export type WebhookState = {
  webhook_url: string;
  webhook_events: string[];
  webhook_platforms: string[];
  /** `failing`: nothing but failures of late, and tried again. `disabled`: nothing is delivered; what happens meanwhile is kept for 7 days and can be replayed in the console. */
  state: "active" | "failing" | "disabled";
  /** Why it is not `active`, in words. */
  reason: string | null;
};

export type WebhookSettings = {
  webhook_url: string;
  webhook_events: string[];
  webhook_platforms: string[];
  /** What deliveries are signed with, by the rules of Standard Webhooks. */
  webhook_secret: string;
};

export type PushMessage = {
  uuid: string;
  /** Null inside where the stream found no such recipient. */
  chat: {
    uuid: string | null;
    platform: string | null;
  };
  state: {
    /** Moves forwards only; `READ`, `UNDELIVERED`, `CANCELLED` and `ERROR` are final. */
    code: "PENDING" | "IN_PROCESS" | "SENT" | "DELIVERED" | "READ" | "UNDELIVERED" | "CANCELLED" | "ERROR";
    /** Why, in words; may be empty. */
    detail: string;
  };
  content: Content;
  launch_at: string | null;
  created_at: string;
  sent_at: string | null;
  delivered_at: string | null;
  read_at: string | null;
};

export type MailingStatistics = {
  count_planned: number;
  count_sent: number;
  count_delivered: number;
  count_undelivered: number;
  count_read: number;
  count_clicked: number;
  count_jumped_url: number;
  count_replied: number;
  count_platforms: { [name: string]: number };
};

export type Mailing = {
  uuid: string;
  name: string;
  state: "planned" | "in_process" | "completed" | "stopped" | "error";
  /** Why the state is `error`, or whom a run that is over has left out. */
  state_detail: string;
  filter_chats: { [name: string]: unknown } | null;
  content_type: "TEXT" | "NODE" | "TEMPLATE_WHATSAPP" | "MIXED";
  source_type: string;
  text: string | null;
  node: number | null;
  node_name: string | null;
  node_get_params: {
    name: string;
    value: string;
    type: string;
    is_edit: boolean;
    param_type: string;
  }[];
  origin: "system" | "chat_center";
  statistics: MailingStatistics;
  regular_cron: string | null;
  created_at: string;
  planned_at: string | null;
  /** When a planned mailing begins, or a regular one again; null for a draft. */
  next_run_at: string | null;
  completed_at: string | null;
  /** HH:MM:SS of the last run. */
  duration: string | null;
  template_whatsapp: string | null;
  template_variables: { [name: string]: unknown } | null;
  phone_numbers_file: string | null;
  customer_filter_file: string | null;
  customer_filter_field: "UUID" | "EXTERNAL_ID" | "PHONE_NUMBER" | "CHAT_UUID" | null;
};

export type MailingCreate = {
  name: string;
  /** Told from the other fields where it is absent. */
  content_type?: "TEXT" | "NODE" | "TEMPLATE_WHATSAPP" | "MIXED" | null;
  /** May have placeholders: `{{name}}`, `{{attrs.city}}`, `{{promocode:Spring}}`, a column of the file. */
  text?: string | null;
  node_name?: string | null;
  /** Goes before `node_name`. */
  node?: number | null;
  node_get_params?: ({
    name: string;
    value: string;
    type?: string | null;
  })[] | null;
  /** `{"all": []}` is every reachable chat. */
  filter_chats?: { [name: string]: unknown } | null;
  /** What the file and the array name. `CHAT_UUID` is those chats and no others of their clients; of two chats of a client the one that was active last gets the message. */
  customer_filter_field?: "UUID" | "EXTERNAL_ID" | "PHONE_NUMBER" | "CHAT_UUID" | null;
  /** The address of a CSV file. */
  customer_filter_file?: string | null;
  customer_filter_array?: string[] | null;
  /** The address of an XLSX file. */
  phone_numbers_file?: string | null;
  template_whatsapp?: string | null;
  template_variables?: { [name: string]: {
    /** `FILE`: the column of that name in the file of recipients. */
    type: "GLOBAL" | "FILE";
    /** With `GLOBAL`. */
    value?: string | null;
  } } | null;
  planned_at?: string | null;
  /** Five fields, in UTC. */
  regular_cron?: string | null;
  /** `chat_center` also writes to clients with an open operator session. */
  origin?: "system" | "chat_center" | null;
};

export type PromocodeGroup = {
  uuid: string;
  name: string;
};

export type Promocode = {
  uuid: string;
  code: string;
  status: "AVAILABLE" | "ISSUED";
  group: PromocodeGroup;
  /** Whom the code was issued to. */
  issued_chat: {
    uuid: string;
    platform: string;
  } | null;
  issued_at: string | null;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
};

export type CreatedPromocode = {
  uuid: string;
  code: string;
  status: "AVAILABLE" | "ISSUED";
  /** The group's uuid. */
  group: string;
  /** The chat's uuid. */
  issued_chat: string | null;
  issued_at: string | null;
  expires_at: string | null;
};

export type GeneratedPromocode = {
  code: string;
};

export type Profile = {
  uuid: string;
  /** The client in your own system. */
  external_id: string | null;
  /** E.164. */
  phone_number: string | null;
  email: string | null;
  name: string | null;
  timezone: string | null;
  /** When the client agreed to the processing of personal data. */
  pda_agreed: string | null;
  tags: string[];
  /** Attributes that the project defines. */
  attrs: { [name: string]: unknown };
  /** The most recently active one first. */
  chats: {
    uuid: string;
    platform: string;
  }[];
  created_at: string;
  updated_at: string;
};

export type ProfileChange = {
  uuid: string;
  profile: {
    uuid: string;
  };
  action: "created" | "updated" | "merged" | "deleted";
  /** `{field: [old, new]}` */
  changes: { [name: string]: unknown };
  /** Who made it. */
  actor: {
    type: string;
    name: string;
  };
  timestamp: string;
};

export type ProfileUpdate = {
  external_id?: string | null;
  /** E.164, or its digits without the `+`. Null clears. */
  phone_number?: string | null;
  email?: string | null;
  name?: string | null;
  /** A name of the IANA database. */
  timezone?: string | null;
  pda_agreed?: string | null;
  tags?: string[];
  attrs?: { [name: string]: unknown };
};

export type Confirmation = {
  /** Nothing else. */
  type: "confirmation";
};

export type MessageCreated = {
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
    name: string | null;
    phone: string | null;
    /** Address of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  message: {
    uuid: string;
    /** Decides which of the next fields there are. A `text` has none where it never became a message: a scenario that was cancelled, or had nothing to send. */
    type: "text" | "image" | "document" | "button" | "whatsapp_template";
    text?: string;
    /** Of the image or document. */
    url?: string;
    /** What a pressed button carries. */
    payload?: string;
    /** The messenger's or the integration's own id. */
    external_id: string | null;
  };
  /** The open session; null where there is none. */
  session: {
    title: string;
    /** The chat's variables when the session opened. */
    context: { [name: string]: unknown };
    team: string | null;
  } | null;
};

export type MessageUpdated = {
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
    name: string | null;
    phone: string | null;
    /** Address of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  message: {
    uuid: string;
    /** Decides which of the next fields there are. A `text` has none where it never became a message: a scenario that was cancelled, or had nothing to send. */
    type: "text" | "image" | "document" | "button" | "whatsapp_template";
    text?: string;
    /** Of the image or document. */
    url?: string;
    /** What a pressed button carries. */
    payload?: string;
    /** The messenger's or the integration's own id. */
    external_id: string | null;
    state: {
      code: "PENDING" | "IN_PROCESS" | "SENT" | "DELIVERED" | "READ" | "UNDELIVERED" | "CANCELLED" | "ERROR";
      detail: string;
    };
  };
  /** The open session; null where there is none. */
  session: {
    title: string;
    /** The chat's variables when the session opened. */
    context: { [name: string]: unknown };
    team: string | null;
  } | null;
};

export type OperatorReplied = {
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
    name: string | null;
    phone: string | null;
    /** Address of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  message: {
    uuid: string;
    /** Decides which of the next fields there are. A `text` has none where it never became a message: a scenario that was cancelled, or had nothing to send. */
    type: "text" | "image" | "document" | "button" | "whatsapp_template";
    text?: string;
    /** Of the image or document. */
    url?: string;
    /** What a pressed button carries. */
    payload?: string;
    /** The messenger's or the integration's own id. */
    external_id: string | null;
  };
  session: {
    title: string;
    /** The chat's variables when the session opened. */
    context: { [name: string]: unknown };
    team: string | null;
    operator: {
      uuid: string | null;
      name: string;
      avatar: string | null;
    };
  };
};

export type SessionUpdated = {
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
    name: string | null;
    phone: string | null;
    /** Address of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  session: {
    title: string;
    /** The chat's variables when the session opened. */
    context: { [name: string]: unknown };
    team: string | null;
  };
};

export type StreamStatus = {
  /** The task's. */
  uuid: string;
  /** Null inside where there was no such recipient. */
  chat: {
    uuid: string | null;
    platform: string | null;
    name: string | null;
    phone: string | null;
    avatar: string | null;
  };
  profile: {
    uuid: string | null;
  };
  message: {
    uuid: string;
    state: "pending" | "in_process" | "sent" | "delivered" | "read" | "undelivered" | "cancelled" | "error";
  };
};

export type StreamReaction = {
  uuid: string;
  stream: {
    /** The task's. */
    uuid: string;
  };
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
  };
  type: "READ" | "REPLY" | "CLICK";
};

export type MailingState = {
  profile: {
    uuid: string;
  };
  chat: {
    uuid: string;
  };
  mailing: {
    uuid: string;
  };
  message: {
    state: "sent" | "undelivered" | "delivered" | "read";
  };
};

export type MailingReaction = {
  /** The event's. */
  uuid: string;
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
  };
  /** A link was followed, a button pressed, an answer written, the message read. */
  type: "URL" | "CLICK" | "REPLY" | "READ";
};

/** A method for each operation. */
export interface Operations {
  /** Issue or refresh a token. Exchanges a code from the page where a user grants access, or a refresh token, for a new pair of tokens. A form is taken as well as JSON. A refresh token is used once: keep the new one. */
  issueToken(input: {
    body: {
      /** The application. */
      client_id: string;
      /** To be kept like a password. */
      client_secret: string;
      /** `authorization_code` is another name of `code`. */
      grant_type: "code" | "authorization_code" | "refresh_token";
      /** With `code`: lives ten minutes, and is used once. */
      code?: string;
      /** With `refresh_token`: the last one that was issued. */
      refresh_token?: string;
      /** The address that the code was sent to. */
      redirect_uri?: string;
      /** With PKCE: what the challenge was made of. */
      code_verifier?: string;
    };
  }, options?: CallOptions): Promise<Tokens>;
  /** Send an event to a chat. A message or a note of an operator, or the end of a session: one event a call. A phone number or a user name starts a chat where there is none. The same `message.external_id` sends nothing again and answers as the first time. */
  sendConnectorEvent(input: {
    body: {
      event: "message_created" | "session_closed" | "note_created";
      chat: {
        /** Required without a phone number or a user name. */
        uuid?: string | null;
        /** Starts a chat in WhatsApp or Telegram. E.164, or its digits without the `+`. */
        phone_number?: string | null;
        /** Starts a chat in Telegram Personal. */
        username?: string | null;
        variables?: { [name: string]: unknown } | null;
      };
      /** The operator. */
      sender: {
        name?: string | null;
        uuid?: string | null;
      };
      /** Unix milliseconds. */
      timestamp: number;
      /** With `message_created`. */
      message?: {
        type: "text" | "image" | "document" | "whatsapp_template" | "whatsapp_text" | "telegram_personal_text";
        /** With the text types. */
        text?: string | null;
        /** Of the image or document. */
        url?: string | null;
        whatsapp_template?: {
          template_id: string;
          template_variables?: { [name: string]: unknown } | null;
        } | null;
        /** On your side: the same one twice is one message. */
        external_id?: string | null;
      } | null;
      /** With `note_created`. */
      note?: {
        text: string;
      } | null;
      /** With `session_closed`: why. */
      session?: {
        category_name?: string | null;
        theme_name?: string | null;
      } | null;
    };
  }, options?: CallOptions): Promise<ConnectorAnswer>;
  /** Make a temporary link to the chat center. For an inline frame on a page of one of the origins that the application has redirect addresses at. It can be opened for 15 minutes, and belongs to the browser that opens it first. */
  createIframeLink(input: {
    body: {
      operator: {
        uuid?: string | null;
        /** One that nobody has yet makes an operator, who can enter by such links only. */
        email?: string | null;
      };
      /** The only client that will be seen, named by exactly one of these. Without it, all of them are. */
      profile?: {
        uuid?: string | null;
        phone_number?: string | null;
        external_id?: string | null;
      } | null;
    };
  }, options?: CallOptions): Promise<IframeLink>;
  /** Put a message into the send queue. At most 20 requests a second and project. The payload is checked as a push message; a recipient who is not there is reported by `stream.status`. The task can be read as a push message. */
  createStreamTask(input: {
    body: {
      /** Triggered messages go first; those of bulk sends still move. */
      type: "priority_message" | "regular_message";
      payload: PushMessageCreate;
    };
  }, options?: CallOptions): Promise<StreamTask>;
  /** Read the integration's webhook. The secret is answered where the webhook is set. */
  getWebhook(input?: Record<string, never>, options?: CallOptions): Promise<WebhookState>;
  /** Set the integration's webhook. Replaces all of the settings. The address is first asked with a `confirmation` event and must answer 200 within five seconds; otherwise nothing changes. */
  setWebhook(input: {
    body: {
      /** Where events go, by http or https. */
      webhook_url: string;
      /** Absent or empty: all kinds. */
      webhook_events?: ("message_created" | "message_updated" | "operator_replied" | "session_updated" | "stream.status" | "stream.reaction")[];
      /** Absent or empty: all platforms. */
      webhook_platforms?: ("Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal")[];
    };
  }, options?: CallOptions): Promise<WebhookSettings>;
  /** Delete the integration's webhook. Events that are not delivered yet are forgotten. This cannot be undone. */
  deleteWebhook(input?: Record<string, never>, options?: CallOptions): Promise<void>;
  /** List push messages. */
  listPushMessages(input?: {
    query?: {
      state?: "PENDING" | "IN_PROCESS" | "SENT" | "DELIVERED" | "READ" | "UNDELIVERED" | "CANCELLED" | "ERROR";
      chat?: string;
      profile?: string;
      /** Its uuid or its name. */
      campaign?: string;
      tag?: string;
      /** From this moment on. */
      created_at__gte?: string;
      /** Up to this moment. */
      created_at__lte?: string;
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: PushMessage[];
  }>;
  /** Send one personal message. To one chat or client profile, now or at `launch_at`. With both, the chat is the recipient and must belong to the profile; a profile is reached in its most recently active chat that can carry this content. */
  createPushMessage(input: {
    body: PushMessageCreate;
  }, options?: CallOptions): Promise<PushMessage>;
  /** Read a push message. */
  readPushMessage(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<PushMessage>;
  /** Cancel a push message. A 204 means that nothing was sent. */
  cancelPushMessage(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<void>;
  /** List mailings. */
  listMailings(input?: {
    query?: {
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: Mailing[];
  }>;
  /** Create an audience mailing. It starts at once unless `planned_at` or `regular_cron` says otherwise. Several audiences are intersected; without any it is a draft that does not start. */
  createMailing(input: {
    body: MailingCreate;
  }, options?: CallOptions): Promise<Mailing>;
  /** Read a mailing with its statistics. */
  readMailing(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Mailing>;
  /** Recount the statistics of a mailing. Deprecated: the statistics are always up to date. */
  calculateMailing(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Mailing>;
  /** Stop a mailing. Nothing more is sent than what is already in flight. One that has ended stays as it is. */
  stopMailing(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Mailing>;
  /** List groups of promo codes. */
  listPromocodeGroups(input?: {
    query?: {
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: PromocodeGroup[];
  }>;
  /** Create a group of promo codes. */
  createPromocodeGroup(input: {
    body: {
      name: string;
    };
  }, options?: CallOptions): Promise<PromocodeGroup>;
  /** Read a group. */
  readPromocodeGroup(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<PromocodeGroup>;
  /** Rename a group. */
  updatePromocodeGroup(input: {
    params: {
      uuid: string;
    };
    body?: {
      name?: string;
    };
  }, options?: CallOptions): Promise<PromocodeGroup>;
  /** Delete a group with its codes. */
  deletePromocodeGroup(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<void>;
  /** List promo codes. */
  listPromocodes(input?: {
    query?: {
      group?: string;
      status?: "AVAILABLE" | "ISSUED";
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: Promocode[];
  }>;
  /** Create a promo code. With `issued_chat` it is issued to that chat at once. */
  createPromocode(input: {
    body: {
      /** Unique in the project. */
      code: string;
      /** The group's uuid. */
      group: string;
      /** The chat's uuid. */
      issued_chat?: string | null;
      expires_at?: string | null;
    };
  }, options?: CallOptions): Promise<CreatedPromocode>;
  /** Generate a promo code. Makes a code that the project does not have yet, and stores it as available. */
  generatePromocode(input: {
    body: {
      group: string;
      /** Characters without the prefix; 10 unless said. */
      chars_count?: number;
      /** Digits beside the letters A–Z; false unless said. */
      is_add_integers?: boolean;
      prefix?: string;
      expires_at?: string | null;
    };
  }, options?: CallOptions): Promise<GeneratedPromocode>;
  /** Read a promo code. */
  readPromocode(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Promocode>;
  /** Change a promo code. `ISSUED` without `issued_at` means now; `AVAILABLE` takes the code back from its chat. */
  updatePromocode(input: {
    params: {
      uuid: string;
    };
    body?: {
      code?: string;
      status?: "AVAILABLE" | "ISSUED";
      group?: string | {
        uuid: string;
      };
      issued_chat?: string | null | {
        uuid: string;
      };
      issued_at?: string | null;
      expires_at?: string | null;
    };
  }, options?: CallOptions): Promise<Promocode>;
  /** Delete a promo code. */
  deletePromocode(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<void>;
  /** List client profiles. */
  listProfiles(input?: {
    query?: {
      /** E.164, or its digits without the `+`. */
      phone_number?: string;
      external_id?: string;
      tag?: string;
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: Profile[];
  }>;
  /** List changes of profiles. */
  listProfileChanges(input?: {
    query?: {
      profile?: string;
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: ProfileChange[];
  }>;
  /** Read one change, or the changes of one profile. With the uuid of a change it answers the change; with the uuid of a profile, a page of its changes. */
  readProfileChanges(input: {
    params: {
      uuid: string;
    };
    query?: {
      /** Items of a page. Nonsense counts as absent. */
      limit?: number;
      /** Items before the page. Nonsense counts as absent. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<ProfileChange | {
    count: number;
    next: string | null;
    previous: string | null;
    results: ProfileChange[];
  }>;
  /** Read the profile of a chat. */
  readProfileOfChat(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Profile>;
  /** Read a profile by its external id. */
  readProfileByExternalId(input: {
    params: {
      id: string;
    };
  }, options?: CallOptions): Promise<Profile>;
  /** Change a profile by its external id. Keys that are absent stay as they are. `tags` replaces; `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are passed over. */
  updateProfileByExternalId(input: {
    params: {
      id: string;
    };
    body?: ProfileUpdate;
  }, options?: CallOptions): Promise<Profile>;
  /** Read a profile by its phone number. */
  readProfileByPhone(input: {
    params: {
      number: string;
    };
  }, options?: CallOptions): Promise<Profile>;
  /** Change a profile by its phone number. Keys that are absent stay as they are. `tags` replaces; `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are passed over. */
  updateProfileByPhone(input: {
    params: {
      number: string;
    };
    body?: ProfileUpdate;
  }, options?: CallOptions): Promise<Profile>;
  /** Read a profile. */
  readProfile(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Profile>;
  /** Change a profile. Keys that are absent stay as they are. `tags` replaces; `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are passed over. */
  updateProfile(input: {
    params: {
      uuid: string;
    };
    body?: ProfileUpdate;
  }, options?: CallOptions): Promise<Profile>;
}

/** What the pages of each list are made of. */
export interface Pages {
  listPushMessages: PushMessage;
  listMailings: Mailing;
  listPromocodeGroups: PromocodeGroup;
  listPromocodes: Promocode;
  listProfiles: Profile;
  listProfileChanges: ProfileChange;
}

/** Everything that a webhook is told. */
export type WebhookEvent =
  | {
    event_type: "confirmation";
    payload: Confirmation;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "message_created";
    payload: MessageCreated;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "message_updated";
    payload: MessageUpdated;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "operator_replied";
    payload: OperatorReplied;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "session_updated";
    payload: SessionUpdated;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "stream.status";
    payload: StreamStatus;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "stream.reaction";
    payload: StreamReaction;
    /** Unix milliseconds. */
    timestamp: number;
  }
  | {
    event_type: "mailing.state";
    payload: MailingState;
    /** Unix seconds with a fraction. */
    timestamp: number;
  }
  | {
    event_type: "mailing.reaction";
    payload: MailingReaction;
    /** Unix seconds with a fraction. */
    timestamp: number;
  };
