import { keepLearnt, loadChannel } from '../channels/connected/channels.ts';
import { freshClient } from '../channels/connected/client.ts';
import { resumeChannel } from '../channels/connected/store.ts';
import { wordsForPeople } from '../channels/contract/failure.ts';
import { adapterFor } from '../channels/registry.ts';
import { isUuid } from '../platform/id.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { Refused } from '../platform/problem.ts';
import { askingPerson } from './ask-person.ts';
import type { Report } from './report.ts';
import type { Tools } from './tools.ts';

/** Logs a channel in and resumes it: without a login it was paused. */
export async function logInByCommand(tools: Tools, uuid: string): Promise<Report> {
  const channel = isUuid(uuid) ? await loadChannel(tools, uuid) : null;
  if (!channel) throw new Refused(`There is no channel ${uuid}.`);
  const { id, projectId, platform, name, settings } = channel;
  const adapter = adapterFor(platform);
  if (!adapter.logIn) throw new Refused(`A ${platform} channel needs no login.`);
  const outbound = createOutbound({ allow: tools.config.allowOutbound, log: tools.log });
  const person = askingPerson();
  try {
    const client = freshClient(adapter, settings, outbound);
    const found = await adapter.logIn(settings, client, person.ask).catch((error: unknown) => {
      throw new Refused(wordsForPeople(error));
    });
    await keepLearnt(tools, channel, found);
    await resumeChannel(tools.sql, projectId, id);
    return { json: { uuid: id, platform }, text: `${platform} channel "${name}" is logged in.` };
  } finally {
    person.leave();
    await outbound.close();
  }
}
