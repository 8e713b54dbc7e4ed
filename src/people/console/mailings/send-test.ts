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
      const contents = await contentsOf(context, projectId, checked);
      const results: Tested[] = [];
      const pushes: Pushed[] = [];
      const variants = variantsOf(checked);
      for (const { colleague, form } of chosen) {
        const { id: uuid, name } = colleague;
        for (const { variant, said } of variants) {
          const sent = await testOne(context, principal, said, colleague, accept);
          results.push({ profile: { uuid, name }, variant, ...sent });
          if (sent.push !== null) pushes.push({ push_id: sent.push, form, variant: variant ?? 1 });
        }
      }
      for (const content of contents) {
        const own = pushesOf(content, pushes);
        if (own.length === 0) continue;
        await noteTest(context.sql, projectId, {
          digest: content.digest,
          pushes: own,
          author_id: principal.operatorId,
          author_name: principal.name,
          created_at: context.clock.now(),
        });
      }
      return { results };
    },
  });

/** A content that is tested, and which variants of the mailing say it. */
type Content = { digest: Buffer; variants: readonly number[] };

/** The mailing, and of a test each variant as a mailing of its own: a resend says one of them. */
async function contentsOf(
  context: Pick<Context, 'sql'>,
  projectId: string,
  checked: Checked,
): Promise<Content[]> {
  const variants = variantsOf(checked).map(({ variant, said }) => ({ variant: variant ?? 1, said }));
  const { digest } = await presentContent(context, projectId, checked);
  const contents: Content[] = [{ digest, variants: variants.map(({ variant }) => variant) }];
  if (checked.ab_test === null) return contents;
  for (const { variant, said } of variants) {
    const own = await presentContent(context, projectId, { ...said, ab_test: null });
    contents.push({ digest: own.digest, variants: [variant] });
  }
  return contents;
}

type Pushed = { push_id: string; form: number; variant: number };

/** The push messages that say a content, numbered by its variants and forms. */
const pushesOf = ({ variants }: Content, pushes: readonly Pushed[]): { push_id: string; variant: number }[] =>
  pushes
    .filter(({ variant }) => variants.includes(variant))
    .map(({ push_id, form, variant }) => ({
      push_id,
      variant: form * variants.length + variants.indexOf(variant) + 1,
    }));

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
