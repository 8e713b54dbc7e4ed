import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { action } from '../../platform/http/action.ts';
import { nilUuid } from '../../platform/id.ts';
import { deleteQueues, deleteWaitingEvents } from '../forget-store.ts';
import { type Integration, integrationOf } from './integration.ts';
import { closeEndpoint, deleteEndpoint, findEndpoint } from './store.ts';

/**
 * DELETE /api/partners/integrations/credentials/: deletes an integration's webhook with its undelivered events. 204
 * also without settings. Source: docs/contract.md, section 8.
 */
export const deleteCredentials = action({
  name: 'deleteWebhook',
  summary: "Delete the integration's webhook",
  description: 'Undelivered events are deleted. This cannot be undone.',
  handle: ({ context, principal }) => deleteIntegrationWebhook(context, integrationOf(principal)),
});

export async function deleteIntegrationWebhook(
  context: Pick<Context, 'sql' | 'clock'>,
  integration: Integration,
): Promise<void> {
  const endpoint = await findEndpoint(context.sql, integration);
  if (endpoint) await deleteWebhook(context, { projectId: integration.projectId, id: endpoint.id });
}

/**
 * A webhook that was down for days has a long queue. One statement over all of it would block others. Events that a
 * concurrent writer still adds are deleted with the endpoint, or after it. Returns whether the webhook was there.
 */
export async function deleteWebhook(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<boolean> {
  await closeEndpoint(sql, projectId, id, 'Its settings were deleted.', clock.now());
  await deleteAllWaiting(sql, { projectId, id });
  while ((await deleteQueues(sql, id, partSize)) === partSize);
  const wasThere = await deleteEndpoint(sql, projectId, id);
  await deleteAllWaiting(sql, { projectId, id });
  return wasThere;
}

const partSize = 1_000;

async function deleteAllWaiting(sql: Sql, endpoint: { projectId: string; id: string }): Promise<void> {
  let after: string | null = nilUuid;
  while (after !== null) after = await deleteWaitingEvents(sql, endpoint, { after, among: partSize });
}
