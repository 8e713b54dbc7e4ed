import { describeApi } from '../../src/openapi/document.ts';
import { type Complain, validatorsOf } from './validators.ts';

const document = describeApi([], 'https://patchbay.test');

let complain: Complain | undefined;

/** What is wrong with an event that we sent, by its description. What is no event of ours has nothing wrong. */
export function problemOfWebhook(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('event_type' in body)) return undefined;
  const name = String(body.event_type);
  // What API_Messenger brings to a messenger has the same envelope, and is no partner's matter.
  if (name === 'message') return undefined;
  const { content } = document.webhooks[name]?.post.requestBody ?? {};
  if (!content) return `there is no event ${name}`;
  complain ??= validatorsOf(document);
  const place = ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'];
  const wrong = complain(place, body);
  return wrong && `${name} is against its description: ${wrong}\n${JSON.stringify(body).slice(0, 2_000)}`;
}
