// Written by `npm run client` from the description of the API. Changes here are lost.

import type { CallOptions } from './index.js';

/** The reason, as a sentence for people. */
export type Problem = {
  detail: string;
};

/** The errors of each field, nested like the input. Errors that concern several fields are under `non_field_errors`. */
export type FieldErrors = { [name: string]: string[] | FieldErrors };

export type TokenRefusal = {
  error: "invalid_client" | "invalid_grant";
  detail: string;
};

export type Tokens = {
  /** An access token of the project that the user chose. */
  access_token: string;
  /** Works for one renewal, within 90 days. */
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
  /** Works only in the first browser that opens it. */
  url: string;
  /** The link opens until this time. */
  expired_at: string;
};

export type Content = {
  /** Determines which other fields are required. */
  type: "TEXT" | "NODE" | "WHATSAPP_TEMPLATE" | "WHATSAPP_TEXT" | "TELEGRAM_PERSONAL_TEXT" | "TELEGRAM_PERSONAL_NODE" | "MAX_PERSONAL_TEXT" | "MAX_PERSONAL_NODE";
  /** Required with the text types. */
  text?: string;
  /** With the node types: the scenario to start. With `WHATSAPP_TEMPLATE`: the scenario that starts when the client replies. */
  node?: {
    name: string;
  };
  /** Parameters of the scenario. */
  get_params?: { [name: string]: unknown };
  /** Required with `WHATSAPP_TEMPLATE`: an approved template. */
  whatsapp_template?: {
    pid: string;
  };
  /** All variables of the template. Outside of its body they are called `header.1`, `media.image`, `button.1.url` or `button.1.code`. */
  whatsapp_template_variables?: { [name: string]: unknown };
};

export type PushMessageCreate = {
  content: Content;
  /** The recipient, identified by exactly one of these. */
  chat?: {
    uuid?: string;
    telegram_id?: number;
    telegram_username?: string;
    vkontakte_id?: number;
    max_id?: number;
  } | null;
  /** The recipient, identified by exactly one identifier. */
  profile?: {
    uuid?: string;
    /** E.164, with or without the `+`. */
    phone_number?: string;
    external_id?: string;
    /** Tags to add. Tags that the project does not define are ignored. */
    tags?: string[];
    /** Attributes to set. Attributes that the project does not define are ignored. */
    attrs?: { [name: string]: unknown };
  } | null;
  /** A reference of your own. The list can be filtered by it. */
  campaign?: {
    uuid?: string;
    name?: string;
  } | null;
  /** Rounded down to the minute. Absent or in the past: now. */
  launch_at?: string | null;
  /** Also sends during a session with an operator. */
  is_force?: boolean;
  /** A label of your own. */
  tag?: string | null;
};

export type StreamTask = {
  /** The uuid of the task and of its message. */
  uuid: string;
};

export type WebhookState = {
  webhook_url: string;
  webhook_events: string[];
  webhook_platforms: string[];
  /** `failing`: all recent deliveries failed and are retried. `disabled`: nothing is delivered. Events of a disabled webhook are kept for 7 days and can be replayed in the console. */
  state: "active" | "failing" | "disabled";
  /** The reason why the state is not `active`. */
  reason: string | null;
};

export type WebhookSettings = {
  webhook_url: string;
  webhook_events: string[];
  webhook_platforms: string[];
  /** The secret that signs deliveries, as Standard Webhooks defines. */
  webhook_secret: string;
};

export type PushMessage = {
  uuid: string;
  /** The fields are null if the stream did not find the recipient. */
  chat: {
    uuid: string | null;
    platform: string | null;
  };
  state: {
    /** The state only moves forward. `READ`, `UNDELIVERED`, `CANCELLED` and `ERROR` are final. */
    code: "PENDING" | "IN_PROCESS" | "SENT" | "DELIVERED" | "READ" | "UNDELIVERED" | "CANCELLED" | "ERROR";
    /** The reason for the state; may be empty. */
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
  /** Recipients with a reported conversion. */
  count_converted: number;
  count_platforms: { [name: string]: number };
};

export type Mailing = {
  uuid: string;
  name: string;
  state: "planned" | "in_process" | "completed" | "stopped" | "error";
  /** The reason for the state `error`, the recipients that a finished run skipped, or what the rest of an A/B test waits for. */
  state_detail: string;
  filter_chats: { [name: string]: unknown } | null;
  /** The filter that the last run used. Before the first run: the filter when the mailing was made. A saved audience may have changed since then. */
  filter_used: { [name: string]: unknown } | null;
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
  /** The time of the planned start or of the next regular run. Null for a draft, and while a mailing waits for approval. */
  next_run_at: string | null;
  /** The moment by which the mailing is done. */
  finish_by: string | null;
  completed_at: string | null;
  /** Duration of the last run, HH:MM:SS. */
  duration: string | null;
  template_whatsapp: string | null;
  template_variables: { [name: string]: unknown } | null;
  phone_numbers_file: string | null;
  customer_filter_file: string | null;
  customer_filter_field: "UUID" | "EXTERNAL_ID" | "PHONE_NUMBER" | "CHAT_UUID" | null;
};

/** Other variants of the content, which parts of the recipients get by chance. Not with `regular_cron`. */
export type MailingAbTest = {
  variants: ({
    /** In percent. The mailing’s own content gets what the others leave. */
    share: number;
    /** Accepts placeholders: `{{name}}`, `{{attrs.city}}`, `{{promocode:Spring}}`, a column of the file. */
    text?: string | null;
    /** Takes precedence over `node_name`. */
    node?: number | null;
    node_name?: string | null;
    node_get_params?: ({
      name: string;
      value: string;
      type?: string | null;
    })[] | null;
    template_whatsapp?: string | null;
    template_variables?: { [name: string]: {
      /** `FILE`: the column with that name in the recipient file. */
      type: "GLOBAL" | "FILE";
      /** With `GLOBAL`. */
      value?: string | null;
    } } | null;
  })[];
  sample?: {
    /** The part of the recipients who get a variant by chance first. */
    percent: number;
    /** The reaction that decides what the rest gets. */
    measure: "read" | "jumped" | "clicked" | "replied" | "converted";
    /** From the last message of the sample on. */
    wait_minutes: number;
    /** If the best variants show no difference: the rest gets the `first` of them, or waits until a person chooses (`ask`). */
    otherwise: "first" | "ask";
  } | null;
};

export type MailingCreate = {
  name: string;
  /** Default: derived from the other fields. */
  content_type?: "TEXT" | "NODE" | "TEMPLATE_WHATSAPP" | "MIXED" | null;
  /** Accepts placeholders: `{{name}}`, `{{attrs.city}}`, `{{promocode:Spring}}`, a column of the file. */
  text?: string | null;
  node_name?: string | null;
  /** Takes precedence over `node_name`. */
  node?: number | null;
  node_get_params?: ({
    name: string;
    value: string;
    type?: string | null;
  })[] | null;
  /** `{"all": []}` selects all reachable chats. `{"audience": "<name>"}` names a saved audience, whose filter is read at the start of each run. */
  filter_chats?: { [name: string]: unknown } | null;
  /** The identifier type in the file and the array. `CHAT_UUID` selects only the listed chats. If a client has two of them, the most recently active one gets the message. */
  customer_filter_field?: "UUID" | "EXTERNAL_ID" | "PHONE_NUMBER" | "CHAT_UUID" | null;
  /** The URL of a CSV file. */
  customer_filter_file?: string | null;
  customer_filter_array?: string[] | null;
  /** The URL of an XLSX file. */
  phone_numbers_file?: string | null;
  template_whatsapp?: string | null;
  template_variables?: { [name: string]: {
    /** `FILE`: the column with that name in the recipient file. */
    type: "GLOBAL" | "FILE";
    /** With `GLOBAL`. */
    value?: string | null;
  } } | null;
  planned_at?: string | null;
  /** A cron schedule with five fields, in UTC. */
  regular_cron?: string | null;
  /** The moment by which the mailing is done. Its messages are spread evenly until then, and none is sent later. Not with `regular_cron` or the `sample` of a test. */
  finish_by?: string | null;
  /** The name of a topic of the project. Who left the topic does not get the mailing. */
  topic?: string | null;
  /** `chat_center` includes clients with an open operator session. */
  origin?: "system" | "chat_center" | null;
  ab_test?: MailingAbTest | null;
};

export type ConversionCreate = {
  /** Your own id of what happened, for example of an order. A key counts once, however often it is reported. */
  key: string;
  /** The recipient, identified by exactly one of these. */
  chat?: {
    uuid?: string;
    telegram_id?: number;
    telegram_username?: string;
    vkontakte_id?: number;
    max_id?: number;
  } | null;
  /** The client, identified by exactly one identifier. */
  profile?: {
    uuid?: string;
    /** E.164, with or without the `+`. */
    phone_number?: string;
    external_id?: string;
  } | null;
  /** What happened, in your words. */
  name?: string | null;
  /** Absent or in the future: now. */
  happened_at?: string | null;
};

export type Conversion = {
  uuid: string;
  key: string;
  name: string | null;
  profile: {
    uuid: string;
  };
  /** The mailing that the client got last before. Null without one in time. */
  mailing: {
    uuid: string | null;
  };
  happened_at: string;
  created_at: string;
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
  /** The recipient of the code. */
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
  /** The uuid of the group. */
  group: string;
  /** The uuid of the chat. */
  issued_chat: string | null;
  issued_at: string | null;
  expires_at: string | null;
};

export type GeneratedPromocode = {
  code: string;
};

export type Profile = {
  uuid: string;
  /** The id of the client in your system. */
  external_id: string | null;
  /** E.164. */
  phone_number: string | null;
  email: string | null;
  name: string | null;
  timezone: string | null;
  /** The time of consent to personal data processing. */
  pda_agreed: string | null;
  tags: string[];
  /** Attributes that the project defines. */
  attrs: { [name: string]: unknown };
  /** Chats, most recently active first. */
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
  /** The author of the change. */
  actor: {
    type: string;
    name: string;
  };
  timestamp: string;
};

export type ProfileUpdate = {
  external_id?: string | null;
  /** E.164, with or without the `+`. Null clears. */
  phone_number?: string | null;
  email?: string | null;
  name?: string | null;
  /** An IANA time zone name. */
  timezone?: string | null;
  pda_agreed?: string | null;
  tags?: string[];
  attrs?: { [name: string]: unknown };
};

export type Confirmation = {
  /** The only field. */
  type: "confirmation";
};

export type MessageCreated = {
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
    name: string | null;
    phone: string | null;
    /** URL of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  message: {
    uuid: string;
    /** Determines which of the next fields are present. A `text` has none of them if no message was created, because its scenario was cancelled or sent nothing. */
    type: "text" | "image" | "document" | "button" | "whatsapp_template";
    text?: string;
    /** URL of the image or document. */
    url?: string;
    /** The payload of the clicked button. */
    payload?: string;
    /** The id in the messenger or the integration. */
    external_id: string | null;
  };
  /** The open session, or null. */
  session: {
    title: string;
    /** The variables of the chat when the session opened. */
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
    /** URL of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  message: {
    uuid: string;
    /** Determines which of the next fields are present. A `text` has none of them if no message was created, because its scenario was cancelled or sent nothing. */
    type: "text" | "image" | "document" | "button" | "whatsapp_template";
    text?: string;
    /** URL of the image or document. */
    url?: string;
    /** The payload of the clicked button. */
    payload?: string;
    /** The id in the messenger or the integration. */
    external_id: string | null;
    state: {
      code: "PENDING" | "IN_PROCESS" | "SENT" | "DELIVERED" | "READ" | "UNDELIVERED" | "CANCELLED" | "ERROR";
      detail: string;
    };
  };
  /** The open session, or null. */
  session: {
    title: string;
    /** The variables of the chat when the session opened. */
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
    /** URL of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  message: {
    uuid: string;
    /** Determines which of the next fields are present. A `text` has none of them if no message was created, because its scenario was cancelled or sent nothing. */
    type: "text" | "image" | "document" | "button" | "whatsapp_template";
    text?: string;
    /** URL of the image or document. */
    url?: string;
    /** The payload of the clicked button. */
    payload?: string;
    /** The id in the messenger or the integration. */
    external_id: string | null;
  };
  session: {
    title: string;
    /** The variables of the chat when the session opened. */
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
    /** URL of a picture. */
    avatar: string | null;
  };
  profile: {
    uuid: string;
  };
  session: {
    title: string;
    /** The variables of the chat when the session opened. */
    context: { [name: string]: unknown };
    team: string | null;
  };
};

export type StreamStatus = {
  /** The uuid of the stream task. */
  uuid: string;
  /** The fields are null if the recipient was not found. */
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
    /** The uuid of the stream task. */
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
  /** The uuid of the event. */
  uuid: string;
  chat: {
    uuid: string;
    platform: "Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal";
  };
  /** The client followed a link, clicked a button, replied, or read the message. */
  type: "URL" | "CLICK" | "REPLY" | "READ";
};

/** A method for each operation. */
export interface Operations {
  /** Issue or refresh a token. Exchanges a code from the grant page, or a refresh token, for a new pair of tokens. The body is JSON or a form. A refresh token works once: store the new one. */
  issueToken(input: {
    body: {
      /** The ID of the application. */
      client_id: string;
      /** Keep it secret, like a password. */
      client_secret: string;
      /** `authorization_code` is an alias of `code`. */
      grant_type: "code" | "authorization_code" | "refresh_token";
      /** Required with `code`. It works once, within ten minutes. */
      code?: string;
      /** Required with `refresh_token`: the last issued refresh token. */
      refresh_token?: string;
      /** The URI that received the code. */
      redirect_uri?: string;
      /** The PKCE verifier of the code challenge. */
      code_verifier?: string;
    };
  }, options?: CallOptions): Promise<Tokens>;
  /** Send an event to a chat. Each call carries one event: a message of an operator, a note, or the end of a session. A phone number or a user name starts a chat if none exists. A repeated `message.external_id` sends nothing and returns the first response. */
  sendConnectorEvent(input: {
    body: {
      event: "message_created" | "session_closed" | "note_created";
      chat: {
        /** Required if neither a phone number nor a user name is given. */
        uuid?: string | null;
        /** Starts a chat in WhatsApp or Telegram. E.164, with or without the `+`. */
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
      /** Required with `message_created`. */
      message?: {
        type: "text" | "image" | "document" | "whatsapp_template" | "whatsapp_text" | "telegram_personal_text";
        /** Required with the text types. */
        text?: string | null;
        /** URL of the image or document. */
        url?: string | null;
        whatsapp_template?: {
          template_id: string;
          template_variables?: { [name: string]: unknown } | null;
        } | null;
        /** The id in your system. A repeated id is treated as the same message. */
        external_id?: string | null;
      } | null;
      /** Required with `note_created`. */
      note?: {
        text: string;
      } | null;
      /** The reason, for `session_closed`. */
      session?: {
        category_name?: string | null;
        theme_name?: string | null;
      } | null;
    };
  }, options?: CallOptions): Promise<ConnectorAnswer>;
  /** Create a temporary link to the chat center. The link is for an inline frame. The origin of the embedding page must match a redirect URI of the application. The link opens for 15 minutes and only in the first browser that opens it. */
  createIframeLink(input: {
    body: {
      operator: {
        uuid?: string | null;
        /** An unknown email creates an operator who can enter only through links. */
        email?: string | null;
      };
      /** The only visible client, identified by exactly one of these. Absent: all clients are visible. */
      profile?: {
        uuid?: string | null;
        phone_number?: string | null;
        external_id?: string | null;
      } | null;
    };
  }, options?: CallOptions): Promise<IframeLink>;
  /** Put a message into the send queue. At most 20 requests per second and project. The payload is validated like a push message. A missing recipient is reported by `stream.status`. The task can be read as a push message. */
  createStreamTask(input: {
    body: {
      /** Triggered messages are sent first; bulk messages still proceed. */
      type: "priority_message" | "regular_message";
      payload: PushMessageCreate;
    };
  }, options?: CallOptions): Promise<StreamTask>;
  /** Read the integration's webhook. The response contains no secret; only setting the webhook returns it. */
  getWebhook(input?: Record<string, never>, options?: CallOptions): Promise<WebhookState>;
  /** Set the integration's webhook. Replaces all settings. The address first gets a `confirmation` event and must respond with 200 within five seconds. Otherwise nothing changes. */
  setWebhook(input: {
    body: {
      /** The http or https URL that receives events. */
      webhook_url: string;
      /** Absent or empty: all kinds. */
      webhook_events?: ("message_created" | "message_updated" | "operator_replied" | "session_updated" | "stream.status" | "stream.reaction")[];
      /** Absent or empty: all platforms. */
      webhook_platforms?: ("Telegram" | "Facebook" | "Instagram" | "Viber" | "Whatsapp" | "Vkontakte" | "Widget" | "Odnoklassniki" | "Email" | "API_Messenger" | "Avito" | "Auto_Ru" | "Max" | "Ozon" | "Telegram_Personal" | "Max_Personal")[];
    };
  }, options?: CallOptions): Promise<WebhookSettings>;
  /** Delete the integration's webhook. Undelivered events are deleted. This cannot be undone. */
  deleteWebhook(input?: Record<string, never>, options?: CallOptions): Promise<void>;
  /** List push messages. */
  listPushMessages(input?: {
    query?: {
      state?: "PENDING" | "IN_PROCESS" | "SENT" | "DELIVERED" | "READ" | "UNDELIVERED" | "CANCELLED" | "ERROR";
      chat?: string;
      profile?: string;
      /** The uuid or name of the campaign. */
      campaign?: string;
      tag?: string;
      /** Earliest time, inclusive. */
      created_at__gte?: string;
      /** Latest time, inclusive. */
      created_at__lte?: string;
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: PushMessage[];
  }>;
  /** Send one personal message. Sends to one chat or client profile, now or at `launch_at`. If both are given, the chat is the recipient and must belong to the profile. A profile receives the message in its most recently active chat that supports the content. */
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
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: Mailing[];
  }>;
  /** Create an audience mailing. The mailing starts at once, or as `planned_at` or `regular_cron` defines. Several audiences are intersected. Without an audience the mailing is a draft and does not start. */
  createMailing(input: {
    body: MailingCreate;
  }, options?: CallOptions): Promise<Mailing>;
  /** Read a mailing with its statistics. */
  readMailing(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Mailing>;
  /** Read the A/B test of a mailing. The counts of each variant, and what the test has shown. A mailing without a test has none: 404. */
  readAbTest(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<{
    state: "planned" | "sampling" | "waiting" | "asking" | "sending" | "ended";
    decide_at: string | null;
    variants: {
      variant: number;
      share: number;
      planned: number;
      sent: number;
      delivered: number;
      read: number;
      jumped: number;
      clicked: number;
      replied: number;
      converted: number;
    }[];
    decision?: {
      measure: "read" | "jumped" | "clicked" | "replied" | "converted";
      shares: {
        count: number;
        of: number;
        rate: number;
        low: number;
        high: number;
      }[];
      leaders: number[];
      decided_at: string;
      variant: number | null;
      author: string | null;
    };
    measures: ({
      measure: "read" | "jumped" | "clicked" | "replied" | "converted";
      shares: {
        count: number;
        of: number;
        rate: number;
        low: number;
        high: number;
      }[];
      leaders: number[];
    })[];
  }>;
  /** Recount the statistics of a mailing. Deprecated: the statistics are always up to date. */
  calculateMailing(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Mailing>;
  /** Stop a mailing. Messages in flight are still sent; all others are not. A mailing that has ended stays unchanged. */
  stopMailing(input: {
    params: {
      uuid: string;
    };
  }, options?: CallOptions): Promise<Mailing>;
  /** Report what a client did. Counts, for example, an order for the mailing that the client got last before it, within the days that the project has set. A known `key` returns the first report unchanged. */
  createConversion(input: {
    body: ConversionCreate;
  }, options?: CallOptions): Promise<Conversion>;
  /** List promo code groups. */
  listPromocodeGroups(input?: {
    query?: {
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: PromocodeGroup[];
  }>;
  /** Create a promo code group. */
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
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: Promocode[];
  }>;
  /** Create a promo code. With `issued_chat` the code is issued to that chat at once. */
  createPromocode(input: {
    body: {
      /** Unique in the project. */
      code: string;
      /** The uuid of the group. */
      group: string;
      /** The uuid of the chat. */
      issued_chat?: string | null;
      expires_at?: string | null;
    };
  }, options?: CallOptions): Promise<CreatedPromocode>;
  /** Generate a promo code. Creates a code that is new in the project and stores it as available. */
  generatePromocode(input: {
    body: {
      group: string;
      /** Number of characters after the prefix. Default: 10. */
      chars_count?: number;
      /** Uses digits in addition to the letters A–Z. Default: false. */
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
      /** E.164, with or without the `+`. */
      phone_number?: string;
      external_id?: string;
      tag?: string;
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: Profile[];
  }>;
  /** List profile changes. */
  listProfileChanges(input?: {
    query?: {
      profile?: string;
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
      offset?: number;
    };
  }, options?: CallOptions): Promise<{
    count: number;
    next: string | null;
    previous: string | null;
    results: ProfileChange[];
  }>;
  /** Read one change, or the changes of one profile. The uuid of a change returns that change. The uuid of a profile returns a page of its changes. */
  readProfileChanges(input: {
    params: {
      uuid: string;
    };
    query?: {
      /** Items per page. An invalid value is ignored. */
      limit?: number;
      /** Number of items before the page. An invalid value is ignored. */
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
  /** Change a profile by its external id. Absent keys stay unchanged. `tags` replaces all tags. `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are ignored. */
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
  /** Change a profile by its phone number. Absent keys stay unchanged. `tags` replaces all tags. `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are ignored. */
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
  /** Change a profile. Absent keys stay unchanged. `tags` replaces all tags. `attrs` is merged by key, and null clears. Tags and attributes that the project does not define are ignored. */
  updateProfile(input: {
    params: {
      uuid: string;
    };
    body?: ProfileUpdate;
  }, options?: CallOptions): Promise<Profile>;
}

/** The item type of each list. */
export interface Pages {
  listPushMessages: PushMessage;
  listMailings: Mailing;
  listPromocodeGroups: PromocodeGroup;
  listPromocodes: Promocode;
  listProfiles: Profile;
  listProfileChanges: ProfileChange;
}

/** All webhook events. */
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
