import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid } from '../../../platform/problem.ts';
import { withAudiences } from '../../../scenarios/audiences.ts';
import { playApart } from '../../../scenarios/play-apart.ts';
import { parseScript } from '../../../scenarios/script.ts';
import { reachableFrom } from './reachable.ts';
import { readSource } from './read-source.ts';
import { PlayedScenario, ScenarioPlay } from './schema.ts';

/** People write no longer conversations, and the server has other work too. */
const maxLines = 300;

/**
 * POST /console/api/scenarios/play/: plays a text, saved or not, with a script from its beginning, like `scenario
 * run`. It runs in its own thread, makes no calls and stores nothing. To continue a conversation, the caller adds a
 * line to the script.
 */
export const playSource = actionFor<Member>()({
  body: ScenarioPlay,
  response: PlayedScenario,
  handle: async ({ context, principal: { projectId }, body }) => {
    const scenario = readSource(body.source);
    const script = parseScript(body.script);
    if (script.lines.length > maxLines) throw invalid('lines', `A script has at most ${maxLines} lines.`);
    const others = await reachableFrom(context, projectId, scenario);
    const [first = scenario, ...more] = await withAudiences(context.sql, projectId, [scenario, ...others]);
    const played = await playApart({ scenarios: [first, ...more], script });
    const { at } = played.state;
    const isWaiting = at.kind === 'waiting';
    return {
      entries: played.entries,
      before: played.before,
      failures: played.failures,
      scenario: played.scenario,
      step: isWaiting ? at.step : null,
      waits_for: isWaiting ? at.for.what : null,
      until: isWaiting && 'until' in at.for ? at.for.until : null,
      now: played.now.toISOString(),
      variables: played.state.variables,
      attributes: played.facts.profile.attrs,
      tags: [...played.facts.profile.tags],
    };
  },
});
