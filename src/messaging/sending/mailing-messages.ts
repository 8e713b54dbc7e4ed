import type { Facts } from '../../clients/filters/facts.ts';
import { findContent } from '../../mailings/content-store.ts';
import { linkTokens } from '../../mailings/link-token.ts';
import {
  asksForFacts,
  CannotRender,
  type MailingContent,
  type Rendered,
  renderTemplateBody,
  renderText,
} from '../../mailings/render.ts';
import type { Context } from '../../platform/context.ts';
import { loadFacts } from '../chats/facts-store.ts';
import type { ClaimedMessage } from './claim.ts';

/**
 * The rendered text of a mailing's message, or the reason why it has none. `unread` means that its data could not be
 * read this time.
 */
export type Rendering = { rendered: Rendered } | { problem: string; code: CannotRender['code'] } | 'unread';

/** The number of cached contents. Few mailings are sent at a time, each to many recipients. */
const kept = 50;

/**
 * Makes the function that renders claimed messages of mailings. Messages that need no rendering are not in its
 * result.
 */
export function mailingWriter({ sql, config, log }: Pick<Context, 'sql' | 'config' | 'log'>) {
  const tokens = linkTokens(config.secretKey);
  const contents = new Map<string, MailingContent>();

  async function contentOf({ project_id, mailing_id, variant }: BareMessage): Promise<MailingContent> {
    const key = `${mailing_id} ${variant}`;
    const known = contents.get(key);
    if (known) return known;
    const found = await findContent(sql, project_id, mailing_id, variant);
    if (!found) throw new Error(`There is no content of the mailing ${key}.`);
    if (contents.size >= kept) contents.clear();
    contents.set(key, found);
    return found;
  }

  function render({ message, content }: Written, facts: Facts | null): Rendering {
    if (facts === null && asksFor(message, content)) return 'unread';
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
      if (error instanceof CannotRender) return { problem: error.message, code: error.code };
      log.error({ err: error, message: messageId }, 'sending: a message could not be written out');
      return 'unread';
    }
  }

  async function writeOut(bare: readonly BareMessage[]): Promise<Map<string, Rendering>> {
    const pairs: Written[] = [];
    for (const message of bare) {
      pairs.push({ message, content: await contentOf(message) });
    }
    const facts = await factsFor(sql, pairs);
    return new Map(
      pairs.map((pair) => [pair.message.id, render(pair, facts.get(pair.message.chat_id) ?? null)]),
    );
  }

  // The messages are claimed already: each must get a result, whatever fails here.
  return async (claimed: readonly ClaimedMessage[]): Promise<Map<string, Rendering>> => {
    const bare = claimed.filter(isBare);
    try {
      return await writeOut(bare);
    } catch (error) {
      log.warn({ err: error }, 'sending: the data of mailing messages could not be read');
      return new Map(bare.map(({ id }) => [id, 'unread']));
    }
  };
}

type BareMessage = ClaimedMessage & { mailing_id: string };

type Written = { message: ClaimedMessage; content: MailingContent };

const asksFor = (message: ClaimedMessage, content: MailingContent): boolean =>
  message.content_type === 'TEXT' && asksForFacts(content.text ?? '');

const isBare = (message: ClaimedMessage): message is BareMessage =>
  message.mailing_id !== null &&
  (message.content_type === 'TEXT' || message.content_type === 'WHATSAPP_TEMPLATE');

/** One statement for all of them: a claim is for one channel, and therefore for one project. */
async function factsFor(sql: Context['sql'], pairs: readonly Written[]): Promise<Map<string, Facts>> {
  const asking = pairs.filter(({ message, content }) => asksFor(message, content));
  const projectId = asking[0]?.message.project_id;
  if (projectId === undefined) return new Map();
  return loadFacts(
    sql,
    projectId,
    asking.map(({ message }) => message.chat_id),
  );
}
