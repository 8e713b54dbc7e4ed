import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Sql } from '../../platform/database/database.ts';
import { action } from '../../platform/http/action.ts';
import { Uuid } from '../../platform/http/fields.ts';
import { type Envelope, PageOf, pageOf } from '../../platform/http/pages.ts';
import { countRecords, recordsPage } from './audit-store.ts';
import { presentAuditRecord } from './present.ts';
import { AuditRecord } from './schema.ts';

/** GET /api/partners/profiles/audit/. Source: docs/contract.md, section 7. */
export const listProfileAudit = action({
  name: 'listProfileChanges',
  summary: 'List profile changes',
  query: Type.Object({ profile: Type.Optional(Uuid) }),
  response: PageOf(AuditRecord),
  handle: async ({ context: { sql }, principal: { projectId }, query: { profile = null }, request }) =>
    auditPage(sql, projectId, profile, request),
});

/** The requested page of the audit: of one profile, or of all when `profileId` is null. */
export async function auditPage(
  sql: Sql,
  projectId: string,
  profileId: string | null,
  request: FastifyRequest,
): Promise<Envelope<AuditRecord>> {
  const page = pageOf(request);
  const count = await countRecords(sql, projectId, profileId);
  const rows = await recordsPage(sql, projectId, profileId, count, page);
  return page.envelope(count, rows.map(presentAuditRecord));
}
