import type { Member } from '../../../../access/auth/member.ts';
import { sharesOf } from '../../../../mailings/ab-test/schema.ts';
import { chooseVariant } from '../../../../mailings/decisions-store.ts';
import { findMailing } from '../../../../mailings/store.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { UuidParams } from '../../../../platform/http/fields.ts';
import { invalid, messages, Refused } from '../../../../platform/problem.ts';
import { ChooseVariant } from './schema.ts';

/** POST /console/api/mailings/{uuid}/ab-test/choose/: gives the rest a variant, where the test showed no difference. */
export const chooseForRest = actionFor<Member>()({
  params: UuidParams,
  body: ChooseVariant,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal: { projectId, operatorId, name }, body: { variant }, loaded }) => {
    const count = loaded.ab_test ? sharesOf(loaded.ab_test).length : 0;
    if (count > 0 && variant > count) throw invalid('variant', messages.maximum(count));
    const choice = { variant, author_id: operatorId, author_name: name, now: context.clock.now() };
    const isChosen = await chooseVariant(context.sql, { projectId, mailingId: loaded.id }, choice);
    if (!isChosen) throw new Refused('The mailing does not wait for a choice.');
    context.wake.wake('planning');
  },
});
