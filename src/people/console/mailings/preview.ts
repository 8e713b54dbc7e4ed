import type { Member } from '../../../access/auth/member.ts';
import type { Facts } from '../../../clients/filters/facts.ts';
import { groupsNamedIn } from '../../../clients/filters/promocode-names.ts';
import type { QueuedType } from '../../../mailings/audience.ts';
import { type Checked, checkMailing } from '../../../mailings/make.ts';
import {
  CannotRender,
  type MailingContent,
  renderTemplateBody,
  renderText,
} from '../../../mailings/render.ts';
import { bodyLimit } from '../../../mailings/schema.ts';
import { loadFacts } from '../../../messaging/chats/facts-store.ts';
import { isMedia } from '../../../messaging/templates/rules.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findAudience } from './audience.ts';
import { MailingDraft, Preview } from './draft-schema.ts';

const patienceMs = 1_500;
const shown = 3;
/** Stands for a code: a preview takes none. */
const sampleCode = 'XXXXXX';

/**
 * POST /console/api/mailings/preview/: the messages that the first recipients would get, made by the functions that
 * sending uses.
 */
export const previewMailing = actionFor<Member>()({
  body: MailingDraft,
  bodyLimit,
  line: 'searches',
  response: Preview,
  handle: async ({ context, principal: { projectId }, body, request }) => {
    const draft = { ...body, name: body.name ?? '' };
    const checked = await checkMailing(context, projectId, draft);
    const { first } = await findAudience(context, projectId, body, {
      ms: patienceMs,
      enough: shown,
      isLeft: () => request.raw.socket.destroyed,
    });
    const chats = first.map(({ chat_id }) => chat_id);
    const facts = await loadFacts(context.sql, projectId, chats);
    return {
      recipients: first.flatMap(({ chat_id, platform, content_type }) => {
        const known = facts.get(chat_id);
        return known ? [{ platform, ...recipientOf(context, checked, content_type, known) }] : [];
      }),
    };
  },
});

function recipientOf(
  { config }: Pick<Context, 'config'>,
  checked: Checked,
  type: QueuedType,
  facts: Facts,
): Omit<Preview['recipients'][number], 'platform'> {
  const { chat, profile } = facts;
  return {
    profile: { uuid: profile.uuid, name: profile.name ?? chat.name },
    type,
    ...saidTo(checked, type, facts, `${config.publicUrl}/l/…`),
  };
}

function saidTo(content: Checked, type: QueuedType, facts: Facts, link: string) {
  if (type === 'NODE') return { text: null, problem: null };
  try {
    const { text } =
      type === 'TEXT'
        ? renderText(content, { facts, promocodes: sampleCodes(content) }, () => link)
        : renderTemplateBody(content, { facts, variables: sampleColumns(content) });
    return { text, problem: null };
  } catch (error) {
    if (error instanceof CannotRender) return { text: null, problem: error.message };
    throw error;
  }
}

export const sampleCodes = ({ text }: Pick<MailingContent, 'text'>) =>
  Object.fromEntries(groupsNamedIn(text ?? '').map((name) => [name, sampleCode]));

/** The columns of a file are unknown before it is read. Their placeholders are shown, except for unseen files. */
const sampleColumns = ({ template_variables }: Pick<MailingContent, 'template_variables'>) =>
  Object.fromEntries(Object.keys(template_variables).map((name) => [name, sampleOf(name)]));

const sampleOf = (name: string): string => (isMedia(name) ? 'https://example.com/' : `{{${name}}}`);
