import type { Member } from '../../../access/auth/member.ts';
import { templatePlatforms } from '../../../channels/registry.ts';
import { contentTypesOf, formsOf } from '../../../mailings/audience.ts';
import { type Checked, checkMailing } from '../../../mailings/make.ts';
import { CannotRender, renderText } from '../../../mailings/render.ts';
import { bodyLimit } from '../../../mailings/schema.ts';
import { type Colleague, colleaguesOn, noteTest } from '../../../mailings/tests-store.ts';
import { loadFacts } from '../../../messaging/chats/facts-store.ts';
import type { AcceptPush } from '../../../messaging/push-messages/accept.ts';
import type { PushMessageCreate } from '../../../messaging/push-messages/schema.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { Invalid, NotFound, Refused } from '../../../platform/problem.ts';
import { MailingTest, MailingTested } from './draft-schema.ts';
import { sampleCodes } from './preview.ts';
import { presentContent } from './test-rule.ts';

type Tested = MailingTested['results'][number];

/**
 * POST /console/api/mailings/test/: sends what the mailing says now to colleagues, as push messages outside of its
 * numbers. Links lead straight to their addresses, and promo codes are samples.
 */
export const sendTest = (accept: AcceptPush) =>
  actionFor<Member>()({
    body: MailingTest,
    bodyLimit,
    response: MailingTested,
    handle: async ({ context, principal, body }) => {
      const { projectId } = principal;
      // The moment does not matter to what the mailing says.
      const draft = { ...body, name: body.name ?? '', finish_by: null };
      const checked = await checkMailing(context, projectId, draft);
      const chosen = await chosenColleagues(context, projectId, checked, body.colleagues);
      if (chosen.length === 0) throw new Refused('Choose a colleague who gets the test.');
      const { digest } = await presentContent(context, projectId, checked);
      const results: Tested[] = [];
      const pushes: { push_id: string; variant: number }[] = [];
      const variants = variantsOf(checked);
      for (const { colleague, form } of chosen) {
        const { id: uuid, name } = colleague;
        for (const { variant, said } of variants) {
          const sent = await testOne(context, principal, said, colleague, accept);
          results.push({ profile: { uuid, name }, variant, ...sent });
          const number = form * variants.length + (variant ?? 1);
          if (sent.push !== null) pushes.push({ push_id: sent.push, variant: number });
        }
      }
      if (pushes.length > 0) {
        await noteTest(context.sql, projectId, {
          digest,
          pushes,
          author_id: principal.operatorId,
          author_name: principal.name,
          created_at: context.clock.now(),
        });
      }
      return { results };
    },
  });

/**
 * The chosen colleagues, for each form of the mailing in which they have a chat. One without any chat is named once.
 */
async function chosenColleagues(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
  ids: readonly string[],
): Promise<{ colleague: Colleague; form: number }[]> {
  const found: { colleague: Colleague; form: number }[] = [];
  for (const [form, platforms] of formsOf(checked).entries()) {
    const all = await colleaguesOn(sql, projectId, platforms, checked.topic_id);
    found.push(...all.filter(({ id }) => ids.includes(id)).map((colleague) => ({ colleague, form })));
  }
  const hasChat = (id: string) =>
    found.some(({ colleague }) => colleague.id === id && colleague.chat_id !== null);
  return found.filter(({ colleague, form }) =>
    hasChat(colleague.id) ? colleague.chat_id !== null : form === 0,
  );
}

/** What a mailing says, once without a test. */
function variantsOf(checked: Checked): { variant: number | null; said: Checked }[] {
  const { ab_test } = checked;
  if (ab_test === null) return [{ variant: null, said: checked }];
  const others = ab_test.variants.map((other, index) => ({
    variant: index + 2,
    said: { ...checked, ...other },
  }));
  return [{ variant: 1, said: checked }, ...others];
}

async function testOne(
  context: Context,
  principal: Member,
  checked: Checked,
  { chat_id, platform, barred }: Colleague,
  accept: AcceptPush,
): Promise<Omit<Tested, 'profile' | 'variant'>> {
  if (chat_id === null || platform === null) return { platform, push: null, problem: noChat };
  if (barred !== null) return { platform, push: null, problem: barred };
  try {
    const content = await contentFor(context, principal.projectId, checked, { chat_id, platform });
    const id = context.newId();
    const campaign = { name: checked.name };
    await accept(principal, id, { content, chat: { uuid: chat_id }, campaign, is_force: true, tag: testTag });
    return { platform, push: id, problem: null };
  } catch (error) {
    return { platform, push: null, problem: problemOf(error) };
  }
}

const noChat = 'This colleague has no chat in a messenger of this mailing.';
const testTag = 'mailing-test';

function problemOf(error: unknown): string {
  if (error instanceof CannotRender || error instanceof NotFound) return error.message;
  if (error instanceof Invalid) return 'This messenger does not take the message.';
  throw error;
}

/** The content of the push message that says the same as the mailing. */
async function contentFor(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
  { chat_id, platform }: { chat_id: string; platform: string },
): Promise<PushMessageCreate['content']> {
  const { asTemplate, elsewhere } = contentTypesOf(checked);
  const type = templatePlatforms.some((name) => name === platform) ? asTemplate : elsewhere;
  switch (type) {
    case 'NODE':
      return {
        type,
        node: { name: checked.node_name ?? '' },
        get_params: Object.fromEntries(checked.node_get_params.map(({ name, value }) => [name, value])),
      };
    case 'WHATSAPP_TEMPLATE':
      return {
        type,
        whatsapp_template: { pid: checked.template_whatsapp ?? '' },
        whatsapp_template_variables: Object.fromEntries(
          Object.entries(checked.template_variables).map(([name, variable]) => [
            name,
            variable.type === 'GLOBAL' ? variable.value : `{{${name}}}`,
          ]),
        ),
      };
    case 'TEXT': {
      const facts = (await loadFacts(sql, projectId, [chat_id])).get(chat_id) ?? null;
      const recipient = { facts, promocodes: sampleCodes(checked) };
      return { type, text: renderText({ ...checked, links: [] }, recipient, () => '').text };
    }
  }
}
