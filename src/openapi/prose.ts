/** The sentences of the document that belong to no single action. */

export const introduction = `Everything that an external system, for example a CRM, does with Patchbay.

Requests and answers are JSON. Unknown fields are passed over. Identifiers called \`uuid\` are UUIDs; moments are ISO 8601 with a zone, and are answered in UTC. The slash at the end of a path may be left out.

Credentials are an access token, \`Authorization: Bearer …\`, or a project's bot key, \`bot-key: …\`; each operation says which it takes. Everything that is seen and done belongs to one project; what belongs to another one is as unknown as what is not there.

What is wrong with fields is answered with 400 and their names; everything else that is refused with \`{"detail": "…"}\`. Every answer has an \`X-Request-Id\` to find it by in the log.

Lists come in pages, the newest first: \`next\` is the address of the next page. A POST that creates takes an \`Idempotency-Key\`, so that it can safely be sent again.`;

export const webhookIntroduction =
  'Events are POSTed as JSON, and those of one chat come in their order. Any 2xx within 15 seconds is success; otherwise the event is sent again for up to five days. It may come more than once, always with the same `webhook-id`.\n\nThey are signed by the rules of Standard Webhooks: `webhook-signature` holds `v1,` and the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, with dots between them, in base64.';

/** What a tag is called and about, by the path's first word behind `/api/partners/`. */
export const tags: Record<string, { name: string; description: string }> = {
  oauth: { name: 'OAuth', description: 'From a code to an access token, and on to the next one.' },
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
