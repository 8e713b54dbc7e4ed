import Type from 'typebox';
import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { PageOf } from '../../platform/http/pages.ts';
import { findRecord, hasProfile } from './audit-store.ts';
import { auditPage } from './list-audit.ts';
import { presentAuditRecord } from './present.ts';
import { AuditRecord } from './schema.ts';

/**
 * GET /api/partners/profiles/audit/{uuid}/: the record with this uuid, or the page of the profile with this uuid. The
 * profile may have been merged. Source: docs/contract.md, section 7.
 */
export const readProfileAudit = action({
  name: 'readProfileChanges',
  summary: 'Read one change, or the changes of one profile',
  description:
    'The uuid of a change returns that change. The uuid of a profile returns a page of its changes.',
  params: UuidParams,
  response: Type.Union([AuditRecord, PageOf(AuditRecord)]),
  load: async ({ sql }, { projectId }, { uuid }) => {
    const record = await findRecord(sql, projectId, uuid);
    return record || (await hasProfile(sql, projectId, uuid)) ? { record } : undefined;
  },
  handle: async ({
    context: { sql },
    principal: { projectId },
    params: { uuid },
    loaded: { record },
    request,
  }) => (record ? presentAuditRecord(record) : auditPage(sql, projectId, uuid, request)),
});
