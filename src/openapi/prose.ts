import { platforms } from '../channels/contract/platforms.ts';
import { platformsFor } from '../messaging/push-messages/rules.ts';

/** Texts of the document that do not belong to a single action. */

export const introduction = `The API for external systems such as a CRM.

Requests and responses are JSON. Unknown fields are ignored. Null in an optional field means that the field is absent, except where the field's description says that null clears a value. Identifiers called \`uuid\` are UUIDs. Timestamps are ISO 8601 with a time zone; responses use UTC. The slash at the end of a path is optional.

Credentials are an access token (\`Authorization: Bearer …\`) or a project's bot key (\`bot-key: …\`). Each operation names the credentials that it accepts. Missing or wrong credentials give 401 where both kinds are accepted, and 403 where only a token is. Every request acts within one project. Objects of other projects are treated as not found.

Invalid fields give 400 with the names of the fields. Every other refusal has the form \`{"detail": "…"}\`. Every response carries an \`X-Request-Id\` that the log also contains.

Lists are paginated, newest first: \`next\` is the URL of the next page. A POST that creates an object accepts an \`Idempotency-Key\`, which makes retries safe.`;

export const webhookIntroduction =
  'Patchbay posts events as JSON. Events of one chat arrive in order. Any 2xx within 15 seconds is success. Otherwise the event is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. Each delay has a jitter of up to 20 % and is never shorter than `Retry-After`. A 410, or 120 hours without a success, disables the webhook. Events of a disabled webhook are kept for 7 days and can be replayed in the console. `GET /api/partners/integrations/credentials/` returns the state of the webhook. Redirects are not followed. An event may arrive more than once, always with the same `webhook-id`.\n\nDeliveries are signed as Standard Webhooks defines. `webhook-signature` contains `v1,` and a base64 HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots. The key is the part of the secret after `whsec_`, decoded from base64. While a secret is being replaced, the header has two signatures separated by a space; one valid signature is enough. Reject a `webhook-timestamp` (Unix seconds) that differs by more than five minutes. `traceparent` is not signed: it only names a trace.';

const grant = `An administrator registers the application with its \`redirect_uri\` and receives \`client_id\` and \`client_secret\`. For each project, send the user's browser to \`/integrations/oauth/\` on this host with \`client_id\` and \`redirect_uri\`; \`state\` and a \`code_challenge\` (S256) are optional. The user chooses the project and returns to \`redirect_uri\` with \`state\`, \`code\` and \`iss\`. The \`iss\` is the URL of this host: reject any other value. A \`redirect_uri\` that does not match a registered one exactly shows an error page and never redirects. The code works once, within 10 minutes.

This operation exchanges the code for an access token of that project and a refresh token. The access token lives for \`expires_in\` seconds. The refresh token is replaced at each use and expires after 90 days without use. A wrong client or secret gives 400 \`{"error": "invalid_client", "detail": …}\`, the same for both. A wrong code or refresh token gives \`invalid_grant\`.`;

/** Their content has words of its own. */
const elsewhere = platforms
  .filter((name) => !platformsFor('TEXT').includes(name))
  .map((name) => `\`${name}\``)
  .join(', ');

const audiences = `A mailing sends one message to many clients. The audience is the intersection of \`filter_chats\`, \`customer_filter_file\` and \`customer_filter_array\`, or the numbers in \`phone_numbers_file\`. Without any of them the mailing is a draft, which requires only a name. Each client gets one message per run, in the most recently active of the matching chats.

A filter is \`{"all": […]}\` or \`{"any": […]}\` with conditions and nested groups. A condition is \`{"type": …, "<key>": value}\` or \`"<key>__<lookup>"\`. Types and keys: \`attribute\` (\`platform\`, \`uuid\`, \`name\`, \`username\`, \`phone\`, \`created_at\` of the chat, any of its variables, \`timezone\` and \`pda_agreed\` of the client), \`profile_attribute\` (\`timezone\`, \`pda_agreed\`, \`phone_number\`, \`external_id\`, \`email\`, \`name\`, \`created_at\`, any attribute), \`profile_tag\` (\`tag\`). Lookups: \`exact\` (the default), \`iexact\`, \`in\` (a list), \`contains\`, \`icontains\`, \`startswith\`, \`endswith\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`range\` (a list of two), \`isnull\` (true or false). For example \`{"all": [{"type": "profile_tag", "tag": "vip"}, {"any": [{"type": "attribute", "platform__in": ["Telegram", "Widget"]}, {"type": "profile_attribute", "age__gte": 18}]}]}\`. \`{"all": []}\` selects all reachable clients. A text or a scenario of a mailing does not go to chats of these platforms: ${elsewhere}. \`{"audience": "VIP"}\` names an audience that people saved in the console. Its filter is read when a run starts. \`filter_used\` shows the filter that was read last.

A CSV file is UTF-8 with commas or semicolons. Its first line names the columns. One column has the name of \`customer_filter_field\` in lower case (\`external_id\`). The text can use the other columns as \`{{column}}\`, and template variables of type \`FILE\` take their values from them. \`phone_numbers_file\` is XLSX or CSV with the numbers in the column \`phone\` or else the first column. A file has at most 20 MiB and 1,000,000 lines. An invalid line is skipped and listed with its number. An invalid file puts the mailing into the state \`error\`.

\`template_variables\` names each variable of the template: \`{"order": {"type": "GLOBAL", "value": "12"}, "name": {"type": "FILE"}}\`. Outside of its body they are called \`header.1\`, \`media.image\`, \`button.1.url\` or \`button.1.code\`.`;

/** Name and description of each tag, by the first word of the path after `/api/partners/`. */
export const tags: Record<string, { name: string; description: string }> = {
  oauth: { name: 'OAuth', description: grant },
  connector: { name: 'Connector', description: 'Messages of operators who work in another system.' },
  iframe: { name: 'Chat center', description: 'The chat center embedded in another page.' },
  integrations: { name: 'Integrations', description: 'The webhook of an integration.' },
  stream: { name: 'Stream', description: 'A rate-limited queue for thousands of messages.' },
  'push-messages': { name: 'Push messages', description: 'One message to one client.' },
  mailings: { name: 'Mailings', description: audiences },
  conversions: {
    name: 'Conversions',
    description: 'What clients did elsewhere, counted for the mailing that each got last.',
  },
  profiles: { name: 'Profiles', description: 'Profiles of clients, and the audit log of their changes.' },
  'promocode-groups': { name: 'Promo code groups', description: 'Each promo code belongs to a group.' },
  promocodes: { name: 'Promo codes', description: 'Codes that are issued to clients, each to one client.' },
};

/** A guide for programs, in the format of llmstxt.org. */
export const programGuide = (address: string): string => `# Patchbay

> Self-hosted customer messaging. Partners call one HTTP API: push messages, a send queue, audience mailings, client profiles, promo codes, a chat center in a frame, signed webhooks. Authentication: the header \`bot-key\`, or an OAuth 2.0 bearer token.

## Descriptions

- [OpenAPI 3.1](${address}/api/partners/openapi.json): every operation with its fields, responses and credentials
- [AsyncAPI 3](${address}/api/partners/asyncapi.json): every webhook event with its payload
- [The contract](${address}/api/partners/docs/contract.md): order of checks, states, limits, guarantees

## Guides

- [API reference](${address}/api/partners/docs/): with examples, filters, file columns, signatures
- [API_Messenger](${address}/api/partners/docs/api-messenger.md): your own messenger as a channel
- [A complete messenger](${address}/api/partners/docs/examples/messenger.mjs): forty lines of JavaScript
`;
