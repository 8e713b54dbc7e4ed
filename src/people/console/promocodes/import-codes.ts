import type { Member } from '../../../access/auth/member.ts';
import { findGroup } from '../../../clients/promocodes/groups-store.ts';
import { insertManyCodes, type Outcome } from '../../../clients/promocodes/new-codes-store.ts';
import { maxLength } from '../../../clients/promocodes/schema.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { momentOf } from '../../../platform/moment.ts';
import { NotFound } from '../../../platform/problem.ts';
import { CodesImport, CodesImported } from './schema.ts';

type Fate = CodesImported['results'][number];

/**
 * POST /console/api/promocode-groups/{uuid}/import/: adds codes from another system, and reports the result of each
 * line. Existing codes stay unchanged, so that an interrupted import can be repeated.
 */
export const importCodes = actionFor<Member>()({
  params: UuidParams,
  body: CodesImport,
  response: CodesImported,
  bodyLimit: 8 * 1024 * 1024,
  line: 'files',
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context: { sql, clock, newId }, principal: { projectId }, body, loaded }) => {
    const codes = body.lines.map((line) => line.trim());
    const fitting = codes.flatMap((code) => (faultOf(code) === null ? [code] : []));
    const outcomes = await insertManyCodes(
      sql,
      fitting.map((code) => ({
        project_id: projectId,
        id: newId(),
        group_id: loaded.id,
        code,
        status: 'AVAILABLE',
        issued_chat_id: null,
        issued_at: null,
        expires_at: body.expires_at ? momentOf(body.expires_at) : null,
        created_at: clock.now(),
      })),
    );
    const next = outcomes.values();
    return { results: codes.map((code) => faultOf(code) ?? fateOf(next.next().value)) };
  },
});

function faultOf(code: string): Fate | null {
  if (code === '') return 'blank';
  return [...code].length > maxLength ? 'too_long' : null;
}

function fateOf(outcome: Outcome | undefined): Fate {
  switch (outcome) {
    case 'written':
      return 'added';
    case 'taken':
      return 'duplicate';
    case 'no_group':
    case 'no_chat':
    case undefined:
      throw new NotFound();
  }
}
