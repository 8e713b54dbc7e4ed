import { loadFacts } from '../chats/facts-store.ts';
import type { Context } from '../context.ts';
import type { Facts } from '../filters/facts.ts';
import { findContent } from '../mailings/content-store.ts';
import { linkTokens } from '../mailings/link-token.ts';
import {
  asksForFacts,
  CannotRender,
  type MailingContent,
  type Rendered,
  renderTemplateBody,
  renderText,
} from '../mailings/render.ts';
import type { ClaimedMessage } from './store.ts';

/** What a mailing's message says to its recipient, or why it can say nothing. */
export type Rendering = { rendered: Rendered } | { problem: string };

/** Contents that are kept: a few mailings are sent at a time, each to very many. */
const kept = 50;

/** Makes the function that writes out claimed messages of mailings; those that need no writing out are not in its answer. */
export function mailingWriter({ sql, config }: Pick<Context, 'sql' | 'config'>) {
  const tokens = linkTokens(config.secretKey);
  const contents = new Map<string, MailingContent>();

  async function contentOf(projectId: string, id: string): Promise<MailingContent | undefined> {
    const known = contents.get(id);
    if (known) return known;
    const found = await findContent(sql, projectId, id);
    if (contents.size >= kept) contents.clear();
    if (found) contents.set(id, found);
    return found;
  }

  function render(message: ClaimedMessage, content: MailingContent, facts: Facts | null): Rendering {
    const { project_id: projectId, id: messageId } = message;
    const recipient = { ...message.content, facts };
    const linkFor = (index: number): string =>
      `${config.publicUrl}/l/${tokens.make({ projectId, messageId, index })}`;
    try {
      const isTemplate = message.content_type === 'WHATSAPP_TEMPLATE';
      return {
        rendered: isTemplate
          ? renderTemplateBody(content, recipient)
          : renderText(content, recipient, linkFor),
      };
    } catch (error) {
      if (error instanceof CannotRender) return { problem: error.message };
      throw error;
    }
  }

  return async (claimed: readonly ClaimedMessage[]): Promise<Map<string, Rendering>> => {
    const bare = claimed.filter(isBare);
    const pairs: { message: ClaimedMessage; content: MailingContent }[] = [];
    for (const message of bare) {
      const content = await contentOf(message.project_id, message.mailing_id);
      if (content) pairs.push({ message, content });
    }
    const facts = await factsFor(sql, pairs);
    return new Map(
      pairs.map(({ message, content }) => [
        message.id,
        render(message, content, facts.get(message.chat_id) ?? null),
      ]),
    );
  };
}

const isBare = (message: ClaimedMessage): message is ClaimedMessage & { mailing_id: string } =>
  message.mailing_id !== null &&
  (message.content_type === 'TEXT' || message.content_type === 'WHATSAPP_TEMPLATE');

/** One statement for all of them: a claim is of one channel, and so of one project. */
async function factsFor(
  sql: Context['sql'],
  pairs: readonly { message: ClaimedMessage; content: MailingContent }[],
): Promise<Map<string, Facts>> {
  const asking = pairs.filter(
    ({ message, content }) => message.content_type === 'TEXT' && asksForFacts(content.text ?? ''),
  );
  const projectId = asking[0]?.message.project_id;
  if (projectId === undefined) return new Map();
  return loadFacts(
    sql,
    projectId,
    asking.map(({ message }) => message.chat_id),
  );
}
