import type { Channel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { DraftTemplate } from '../../channels/contract/adapter.ts';
import { wordsForPeople } from '../../channels/contract/failure.ts';
import { adapterFor } from '../../channels/registry.ts';
import { textIn } from '../../clients/filters/named-fact.ts';
import type { Context } from '../../platform/context.ts';
import type { JSONValue } from '../../platform/database/database.ts';
import { type FieldMessages, Invalid, invalid, messages } from '../../platform/problem.ts';
import { variablesOf } from '../templates/rules.ts';
import { readTemplates } from './sync-templates.ts';

type Draft = Omit<DraftTemplate, 'examples'> & { examples: { readonly [name: string]: JSONValue } };

/**
 * Submits a template to a channel's provider, and reads its state at once. Throws `Invalid`, with the provider's words
 * under `non_field_errors`.
 */
export async function submitTemplate(context: Context, channel: Channel, draft: Draft): Promise<void> {
  const adapter = adapterFor(channel.platform);
  if (!adapter?.submitTemplate) throw invalid('channel', 'This channel has no templates.');
  const template = { ...draft, examples: examplesOf(draft) };
  const client = clientOf(context, adapter, channel, context.outbound);
  await adapter.submitTemplate(template, channel.settings, client).catch((error: unknown) => {
    throw new Invalid({ non_field_errors: [wordsForPeople(error)] });
  });
  await readTemplates({ context, adapter, channelId: channel.id });
}

function examplesOf({ body, examples }: Draft): DraftTemplate['examples'] {
  const named = variablesOf(body).map((name) => ({ name, value: textIn(examples, name) ?? '' }));
  const missing: FieldMessages = Object.fromEntries(
    named.filter(({ value }) => value === '').map(({ name }) => [name, [messages.required]]),
  );
  if (Object.keys(missing).length > 0) throw new Invalid({ examples: missing });
  return named;
}
