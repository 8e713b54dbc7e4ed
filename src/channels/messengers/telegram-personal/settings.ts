import Type, { type Static } from 'typebox';

/** Source: channels, "Settings by name". */
export const settings = Type.Object({
  api_id: Type.Integer({ minimum: 1, description: 'From my.telegram.org.' }),
  api_hash: Type.String({
    pattern: '^[0-9a-fA-F]{32}$',
    secret: true,
    description: 'From my.telegram.org.',
  }),
  phone: Type.String({
    pattern: '^\\+[1-9][0-9]{6,14}$',
    description: 'The phone number of the account, for example +79991234567.',
  }),
  session: Type.Optional(Type.String({ secret: true, learnt: true })),
  /** Until then Telegram lets the account open no new chats. */
  cold_until: Type.Optional(Type.String({ learnt: true })),
  dc: Type.Optional(
    Type.String({
      pattern: '^[^\\s:/]+:[0-9]{1,5}$',
      maxLength: 255,
      description: 'host:port of a test server. Default: the servers of Telegram.',
    }),
  ),
});

export type Settings = Static<typeof settings>;
