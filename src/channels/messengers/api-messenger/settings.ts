import Type, { type Static } from 'typebox';

/** Source: architecture, "API_Messenger". */
export const settings = Type.Object({
  webhook_url: Type.String({
    format: 'uri',
    maxLength: 2048,
    description: 'Where messages to clients are posted.',
  }),
  secret: Type.String({
    minLength: 24,
    maxLength: 1024,
    // It must be able to stand in an `Authorization` header.
    pattern: '^[!-~]([ -~]*[!-~])?$',
    secret: true,
    description:
      'Signs what we post, and is the bearer token of what is posted to us. Any printable ASCII text of 24 characters and more; ' +
      'whsec_ and base64 is what libraries for Standard Webhooks make.',
  }),
});

export type Settings = Static<typeof settings>;
