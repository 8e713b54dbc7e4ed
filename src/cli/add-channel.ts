import type { TObject } from 'typebox';
import { addChannel } from '../channels/connected/channels.ts';
import { addressesIn, givenNames, keyword } from '../channels/connected/settings.ts';
import type { Adapter } from '../channels/contract/adapter.ts';
import { adapters } from '../channels/registry.ts';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts';
import { Invalid, Refused } from '../platform/problem.ts';
import { askingPerson } from './ask-person.ts';
import type { AddChannelOptions } from './channel.ts';
import { askSettings, sayFirstSteps } from './guide-channel.ts';
import { knownProject } from './known.ts';
import { sentenceOf } from './problems.ts';
import { listing, type Report } from './report.ts';
import type { Tools } from './tools.ts';

export async function addChannelByCommand(
  tools: Tools,
  platform: string,
  { project, name, set }: AddChannelOptions,
): Promise<Report> {
  const adapter = knownAdapter(platform);
  const { id: projectId } = await knownProject(tools, project);
  const outbound = createOutbound({ allow: tools.config.allowOutbound, log: tools.log });
  const person = isGuided(adapter, set) ? askingPerson() : null;
  try {
    const settings = person ? await askSettings({ person, outbound }, adapter, set) : set;
    const wanted = { projectId, platform: adapter.platform, name, settings };
    const channel = await addChannel({ ...tools, outbound }, wanted).catch((error) => {
      throw error instanceof Invalid ? new Refused(`${sentenceOf(error)}\n${settingsOf(adapter)}`) : error;
    });
    if (person) await sayFirstSteps({ person, outbound }, adapter, channel, tools.config.publicUrl);
    return {
      json: { uuid: channel.id, platform: channel.platform, webhook_url: channel.webhookUrl },
      text: listing(`${channel.platform} channel "${name}" is added.`, {
        uuid: channel.id,
        'webhook url': channel.webhookUrl,
      }),
      notes: await refusalsOf(outbound, adapter.settings, channel.settings),
    };
  } finally {
    person?.leave();
    await outbound.close();
  }
}

/** At a terminal, a person is asked for the settings that the command does not have. */
const isGuided = ({ settings }: Adapter, given: Record<string, string>): boolean =>
  process.stdin.isTTY === true && (settings.required ?? []).some((name) => !(name in given));

function knownAdapter(platform: string): Adapter {
  const adapter = adapters.find((candidate) => candidate.platform === platform);
  if (adapter) return adapter;
  const known = adapters.map((candidate) => candidate.platform).join(', ');
  throw new Refused(`There is no channel for "${platform}". Known channels: ${known}.`);
}

/** The settings of a channel, in the words of the adapter's own schema. */
function settingsOf({ platform, settings }: Adapter): string {
  const lines = givenNames(settings).map((name) => {
    const need = settings.required?.includes(name) ? 'required' : 'optional';
    return [`--set ${name}=…`, `${need}. ${keyword(settings, name, 'description') ?? ''}`];
  });
  return listing(`${platform} takes:`, Object.fromEntries(lines));
}

/** Only a note: the environment of the sending process decides which addresses may be called. */
async function refusalsOf(
  outbound: Outbound,
  schema: TObject,
  settings: Record<string, unknown>,
): Promise<string[]> {
  const addresses = addressesIn(schema, settings);
  const checks = await Promise.allSettled(addresses.map((address) => outbound.check(address)));
  return checks.filter((check) => check.status === 'rejected').map(({ reason }) => reason.message);
}
