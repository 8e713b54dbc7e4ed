import type { Context } from '../../platform/context.ts';
import { formatMessage, isWebUrl } from '../../platform/http/formats.ts';
import { Invalid, invalid, messages } from '../../platform/problem.ts';
import { currentSecret, firstSecrets, openSecrets, sealSecrets } from '../secrets.ts';
import type { ProjectEventType } from '../types.ts';
import { saveProjectWebhook } from './store.ts';

/** Source: docs/contract.md, section 8. */
const eventTypes = {
  MAILING_STATE: 'mailing.state',
  MAILING_REACTION: 'mailing.reaction',
} as const satisfies Record<string, ProjectEventType>;

type WebhookKind = keyof typeof eventTypes;

const isKind = (text: string): text is WebhookKind => Object.hasOwn(eventTypes, text);

export type ProjectWebhook = { url: string; kinds: WebhookKind[]; secret: string };

/**
 * Sets the destination of the project's own events, and their kinds. An existing webhook is replaced and enabled
 * again, and keeps its signing secret. Throws `Invalid` on `url` and `kinds`.
 */
export async function setProjectWebhook(
  { sql, clock, newId, vault }: Pick<Context, 'sql' | 'clock' | 'newId' | 'vault'>,
  { projectId, url, kinds }: { projectId: string; url: string; kinds: string[] },
): Promise<ProjectWebhook> {
  if (!isWebUrl(url)) throw invalid('url', formatMessage('uri', url));
  const known = readKinds(kinds);
  const id = newId();
  const saved = await saveProjectWebhook(sql, {
    projectId,
    id,
    url,
    eventTypes: known.map((kind) => eventTypes[kind]),
    sealedSecrets: sealSecrets(vault, id, firstSecrets()),
    createdAt: clock.now(),
  });
  const secrets = openSecrets(vault, saved.id, saved.sealed_secrets);
  return { url, kinds: known, secret: currentSecret(secrets) };
}

function readKinds(kinds: string[]): WebhookKind[] {
  if (kinds.length === 0) throw invalid('kinds', 'This list may not be empty.');
  const unknown = kinds.filter((kind) => !isKind(kind));
  if (unknown.length > 0) throw new Invalid({ kinds: unknown.map(messages.choice) });
  return [...new Set(kinds.filter(isKind))];
}
