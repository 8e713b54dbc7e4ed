import type { Member } from '../../../../access/auth/member.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { conflictsOf } from '../../../../scenarios/starters.ts';
import { consentWords, takenBy } from '../../consent/scenario-words.ts';
import { loadScenario } from '../load.ts';
import { ScenarioParams } from '../schema.ts';
import { presentRival } from './present.ts';
import { StarterAdd, StarterConflicts } from './schema.ts';

/** POST /console/api/scenarios/:id/starters/check/: the conflicts of a starter that somebody is entering. */
export const checkStarter = actionFor<Member>()({
  params: ScenarioParams,
  body: StarterAdd,
  response: StarterConflicts,
  load: loadScenario,
  handle: async ({ context, principal: { projectId }, loaded, body }) => {
    const { taken, overlapping, trigger } = await conflictsOf(context, projectId, loaded.id, body);
    return {
      taken: taken === null ? [] : [presentRival(taken)],
      overlapping: overlapping.map(presentRival),
      consent_words: takenBy(trigger, await consentWords(context.sql, projectId)),
    };
  },
});
