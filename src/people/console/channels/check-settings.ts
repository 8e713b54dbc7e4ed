import type { Member } from '../../../access/auth/member.ts';
import { checkEntered } from '../../../channels/connected/check.ts';
import { adapterFor } from '../../../channels/registry.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { limitChecks } from './limit-checks.ts';
import { presentChecked } from './present.ts';
import { CheckedSettings, SettingsCheck } from './schema.ts';

/** POST /console/api/messengers/check/: whether a provider accepts the settings. Stores nothing, repeats no secret. */
export const checkSettings = actionFor<Member>()({
  line: 'foreign',
  body: SettingsCheck,
  response: CheckedSettings,
  handle: async ({ context, principal, body: { platform, settings } }) => {
    const adapter = adapterFor(platform);
    if (!adapter) throw invalid('platform', messages.choice(platform));
    await limitChecks(context, principal);
    return presentChecked(await checkEntered(context, adapter, settings));
  },
});
