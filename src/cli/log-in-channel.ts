import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { keepLearnt, loadChannel } from '../channels/connected/channels.ts';
import { freshClient } from '../channels/connected/client.ts';
import { resumeChannel } from '../channels/connected/store.ts';
import type { AskPerson } from '../channels/contract/adapter.ts';
import { adapterFor } from '../channels/registry.ts';
import { isUuid } from '../platform/id.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { Refused } from '../platform/problem.ts';
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
    const found = await adapter.logIn(settings, client, person.ask).catch((error: Error) => {
      throw new Refused(error.message);
    });
    await keepLearnt(tools, channel, found);
    await resumeChannel(tools.sql, projectId, id);
    return { json: { uuid: id, platform }, text: `${platform} channel "${name}" is logged in.` };
  } finally {
    person.leave();
    await outbound.close();
  }
}

/** Writes questions to standard error: standard output carries the command's result. Secrets are not echoed. */
function askingPerson(): { ask: AskPerson; leave(): void } {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask(question, answer) {
      process.stderr.write(`${question}: `);
      isHidden = answer === 'secret';
      const { value, done } = await answers.next();
      if (isHidden) process.stderr.write('\n');
      isHidden = false;
      if (done) throw new Error('Standard input has ended.');
      return value.trim();
    },
    leave: () => lines.close(),
  };
}
