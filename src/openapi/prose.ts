/** The sentences of the document that belong to no single action. */

export const introduction = `Everything that an external system, for example a CRM, does with Patchbay.

Requests and answers are JSON. Unknown fields are passed over. Null in an optional field is the same as its absence, unless the field says what null clears. Identifiers called \`uuid\` are UUIDs; moments are ISO 8601 with a zone, and are answered in UTC. The slash at the end of a path may be left out.

Credentials are an access token, \`Authorization: Bearer …\`, or a project's bot key, \`bot-key: …\`; each operation says which it takes. Without a right one the answer is 401 where both are taken, and 403 where only a token is. Everything that is seen and done belongs to one project; what belongs to another one is as unknown as what is not there.

What is wrong with fields is answered with 400 and their names; everything else that is refused with \`{"detail": "…"}\`. Every answer has an \`X-Request-Id\` to find it by in the log.

Lists come in pages, the newest first: \`next\` is the address of the next page. A POST that creates takes an \`Idempotency-Key\`, so that it can safely be sent again.`;

export const webhookIntroduction =
  'Events are POSTed as JSON, and those of one chat come in their order. Any 2xx within 15 seconds is success; otherwise the event is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each a fifth more or less, and no sooner than `Retry-After`. A 410, or 120 hours of nothing but failures, disables the webhook; what happens then is kept for 7 days and can be replayed in the console. `GET /api/partners/integrations/credentials/` tells its state. Redirects are not followed. An event may come more than once, always with the same `webhook-id`.\n\nThey are signed by the rules of Standard Webhooks: `webhook-signature` holds `v1,` and the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, with dots between them, in base64. The key is what follows `whsec_` in the secret, from base64. While a secret is being replaced there are two signatures with a space between them: one that fits is enough. Refuse a `webhook-timestamp` (Unix seconds) that is more than five minutes off.';

const grant = `Whoever runs the service registers an application, and its \`redirect_uri\`, and gives it \`client_id\` and \`client_secret\`. For each project, send the user's browser to \`/integrations/oauth/\` on this host with \`client_id\`, \`redirect_uri\` and, as you like, \`state\` and a \`code_challenge\` (S256). The user chooses the project, and comes back to \`redirect_uri\` with the \`state\`, a \`code\` and \`iss\`, which is this host's address: refuse any other. A \`redirect_uri\` that is not registered to the letter is an error page, never a redirect. The code is used once, within 10 minutes. The code is exchanged here for an access token of that project, which lives for \`expires_in\` seconds, and a refresh token for the next one: it is replaced at each use, and lapses after 90 days without one. A wrong client or secret is 400 \`{"error": "invalid_client", "detail": …}\`, one and the same for both; a bad code or refresh token is \`invalid_grant\`.`;

const audiences = `One message to many clients. The audience is what \`filter_chats\`, \`customer_filter_file\` and \`customer_filter_array\` have in common, or the numbers of \`phone_numbers_file\`; without any of them it is nobody, and the mailing is a draft that needs only its name. A client is written to once a run, in the chat that was active last of those that match.

A filter is \`{"all": […]}\` or \`{"any": […]}\` of conditions and further such groups. A condition is \`{"type": …, "<key>": value}\` or \`"<key>__<lookup>"\`. Types and keys: \`attribute\` (\`platform\`, \`uuid\`, \`name\`, \`username\`, \`phone\`, \`created_at\` of the chat, any of its variables, \`timezone\` and \`pda_agreed\` of the client), \`profile_attribute\` (\`timezone\`, \`pda_agreed\`, \`phone_number\`, \`external_id\`, \`email\`, \`name\`, \`created_at\`, any attribute), \`profile_tag\` (\`tag\`). Lookups: \`exact\` (as without one), \`iexact\`, \`in\` (a list), \`contains\`, \`icontains\`, \`startswith\`, \`endswith\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`range\` (a list of two), \`isnull\` (true or false). For example \`{"all": [{"type": "profile_tag", "tag": "vip"}, {"any": [{"type": "attribute", "platform__in": ["Telegram", "Widget"]}, {"type": "profile_attribute", "age__gte": 18}]}]}\`. \`{"all": []}\` is every client who can be reached.

A CSV file is UTF-8 with commas or semicolons; its first line names the columns, one of them \`customer_filter_field\` in lower case (\`external_id\`); the others can stand in the text as \`{{column}}\` or fill a template's variables of type \`FILE\`. \`phone_numbers_file\` is XLSX or CSV: the column \`phone\`, or the first one. 20 MiB and 1,000,000 lines at most. A bad line is left out and listed with its number; a bad file is the state \`error\`.

\`template_variables\` names each variable of the template: \`{"order": {"type": "GLOBAL", "value": "12"}, "name": {"type": "FILE"}}\`.`;

/** What a tag is called and about, by the path's first word behind `/api/partners/`. */
export const tags: Record<string, { name: string; description: string }> = {
  oauth: { name: 'OAuth', description: grant },
  connector: { name: 'Connector', description: "An operator's words, written in another system." },
  iframe: { name: 'Chat center', description: 'The chat center inside another page.' },
  integrations: { name: 'Integrations', description: 'Where an integration hears of what happens.' },
  stream: { name: 'Stream', description: 'Messages by the thousand, at a pace.' },
  'push-messages': { name: 'Push messages', description: 'One message to one client.' },
  mailings: { name: 'Mailings', description: audiences },
  profiles: { name: 'Profiles', description: 'Who the clients are, and who changed that when.' },
  'promocode-groups': { name: 'Promo code groups', description: 'Every promo code stands in a group.' },
  promocodes: { name: 'Promo codes', description: 'Codes to give away, each to one client.' },
};

/** Where a program finds what, by the form of llmstxt.org. */
export const programGuide = (address: string): string => `# Patchbay

> Self-hosted customer messaging. Partners call one HTTP API: push messages, a send queue, audience mailings, client profiles, promo codes, a chat center in a frame, signed webhooks. Authentication: the header \`bot-key\`, or an OAuth 2.0 bearer token.

## Descriptions

- [OpenAPI 3.1](${address}/api/partners/openapi.json): every operation with its fields, answers and credentials
- [AsyncAPI 3](${address}/api/partners/asyncapi.json): every webhook event with its payload
- [The contract](${address}/api/partners/docs/contract.md): orders of checks, states, limits, what may be relied on

## Guides

- [The API to read](${address}/api/partners/docs/): with examples, the grammar of filters, columns of files, signatures
- [API_Messenger](${address}/api/partners/docs/api-messenger.md): a messenger of your own as a channel
- [A whole messenger](${address}/api/partners/docs/examples/messenger.mjs): forty lines of JavaScript
`;
