import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { checkScenario } from '../../../scenarios/check.ts';
import { missingOf } from '../../../scenarios/store.ts';
import { jsonOf } from './read-source.ts';
import { CheckedScenario, ScenarioCheck } from './schema.ts';

/** POST /console/api/scenarios/check/: the problems of a text, with their places. 400 for invalid JSON. */
export const checkSource = actionFor<Member>()({
  body: ScenarioCheck,
  response: CheckedScenario,
  handle: async ({ context, principal: { projectId }, body: { source } }) => {
    const { complaints, uses } = await checkScenario(context, jsonOf(source));
    if (!uses) return { complaints, uses: nothing, missing: nothing };
    return { complaints, uses, missing: await missingOf(context.sql, projectId, uses) };
  },
});

const nothing = { promocode_groups: [], scenarios: [], attributes: [], tags: [], audiences: [] };
