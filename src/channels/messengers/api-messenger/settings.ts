import Type, { type Static } from 'typebox';

/** Source: architecture, "API_Messenger". */
export const settings = Type.Object({
  webhook_url: Type.String({
    format: 'uri',
    maxLength: 2048,
    description: 'Patchbay posts messages to clients to this address.',
  }),
  secret: Type.String({
    minLength: 24,
    maxLength: 1024,
    // It must be valid in an `Authorization` header.
    pattern: '^[!-~]([ -~]*[!-~])?$',
    secret: true,
    description:
      'Patchbay signs its requests with it. The messenger sends it as a bearer token. Any printable ASCII text of at least 24 characters; ' +
      'libraries for Standard Webhooks create whsec_ and base64.',
  }),
});

export type Settings = Static<typeof settings>;
