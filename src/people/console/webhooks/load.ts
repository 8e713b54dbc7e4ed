import type { Member } from '../../../access/auth/member.ts';
import type { Context } from '../../../platform/context.ts';
import { findWebhook, type WebhookRow } from './store.ts';

/** The webhook that a path names. Undefined for another project's. */
export const loadWebhook = (
  { sql }: Context,
  { projectId }: Member,
  { uuid }: { uuid: string },
): Promise<WebhookRow | undefined> => findWebhook(sql, projectId, uuid);
