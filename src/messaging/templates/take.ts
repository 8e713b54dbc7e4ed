import type { ProviderTemplate } from '../../channels/contract/adapter.ts';
import type { Context } from '../../platform/context.ts';
import { variablesOf } from './rules.ts';
import { saveProviderTemplates } from './store.ts';

type TemplateChannel = { projectId: string; id: string };

/** Imports the templates of a channel's provider. A template that the provider has removed cannot be used. */
export async function takeTemplates(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  channel: TemplateChannel,
  listed: readonly ProviderTemplate[],
): Promise<void> {
  const named = [...Map.groupBy(listed, ({ name }) => name).values()].flatMap(withPids);
  await saveProviderTemplates(sql, channel, named, clock.now());
}

/** The name is the pid of one language: an approved one, if there is any. */
function withPids(languages: readonly ProviderTemplate[]) {
  const main = languages.find(({ approval }) => approval === 'approved') ?? languages[0];
  return languages.map((template) => ({
    ...template,
    pid: template === main ? template.name : `${template.name}.${template.language}`,
    variables: [...variablesOf(template.body), ...(template.further ?? [])],
  }));
}
