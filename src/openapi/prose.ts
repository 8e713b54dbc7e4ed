/** The sentences of the document that belong to no single action. */

export const introduction = `Everything that an external system, for example a CRM, does with Patchbay.

Requests and answers are JSON. Unknown fields are passed over. Null in an optional field is the same as its absence, unless the field says what null clears. Identifiers called \`uuid\` are UUIDs; moments are ISO 8601 with a zone, and are answered in UTC. The slash at the end of a path may be left out.

Credentials are an access token, \`Authorization: Bearer …\`, or a project's bot key, \`bot-key: …\`; each operation says which it takes. Without a right one the answer is 401 where both are taken, and 403 where only a token is. Everything that is seen and done belongs to one project; what belongs to another one is as unknown as what is not there.

What is wrong with fields is answered with 400 and their names; everything else that is refused with \`{"detail": "…"}\`. Every answer has an \`X-Request-Id\` to find it by in the log.

Lists come in pages, the newest first: \`next\` is the address of the next page. A POST that creates takes an \`Idempotency-Key\`, so that it can safely be sent again.`;

export const webhookIntroduction =
  'Events are POSTed as JSON, and those of one chat come in their order. Any 2xx within 15 seconds is success; otherwise the event is sent again for up to five days. It may come more than once, always with the same `webhook-id`.\n\nThey are signed by the rules of Standard Webhooks: `webhook-signature` holds `v1,` and the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, with dots between them, in base64. The key is what follows `whsec_` in the secret, from base64. While a secret is being replaced there are two signatures with a space between them: one that fits is enough. Refuse a `webhook-timestamp` (Unix seconds) that is more than five minutes off.';

const grant = `Whoever runs the service registers an application, and its \`redirect_uri\`, and gives it \`client_id\` and \`client_secret\`. For each project, send the user's browser to \`/integrations/oauth/\` on this host with \`client_id\`, \`redirect_uri\` and, as you like, \`state\` and a \`code_challenge\` (S256). The user chooses the project, and comes back to \`redirect_uri\` with the \`state\` and a \`code\`. The code is exchanged here for an access token of that project, which lives for \`expires_in\` seconds, and a refresh token for the next one.`;

/** What a tag is called and about, by the path's first word behind `/api/partners/`. */
export const tags: Record<string, { name: string; description: string }> = {
  oauth: { name: 'OAuth', description: grant },
  connector: { name: 'Connector', description: "An operator's words, written in another system." },
  iframe: { name: 'Chat center', description: 'The chat center inside another page.' },
  integrations: { name: 'Integrations', description: 'Where an integration hears of what happens.' },
  stream: { name: 'Stream', description: 'Messages by the thousand, at a pace.' },
  'push-messages': { name: 'Push messages', description: 'One message to one client.' },
  mailings: { name: 'Mailings', description: 'One message to many clients.' },
  profiles: { name: 'Profiles', description: 'Who the clients are, and who changed that when.' },
  'promocode-groups': { name: 'Promo code groups', description: 'Every promo code stands in a group.' },
  promocodes: { name: 'Promo codes', description: 'Codes to give away, each to one client.' },
};
