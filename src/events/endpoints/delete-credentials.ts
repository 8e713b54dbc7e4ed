import type { Context } from '../../platform/context.ts';
import { action } from '../../platform/http/action.ts';
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
  await inParts((atMost) => deleteWaitingEvents(sql, id, atMost));
  await inParts((atMost) => deleteQueues(sql, id, atMost));
  const wasThere = await deleteEndpoint(sql, projectId, id);
  await inParts((atMost) => deleteWaitingEvents(sql, id, atMost));
  return wasThere;
}

const partSize = 5_000;

async function inParts(deleteSome: (atMost: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(partSize)) === partSize);
}
