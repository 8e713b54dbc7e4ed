import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { addChannel, listChannels } from '../channels/connected/channels.ts';
import { type Platform, platforms } from '../channels/contract/platforms.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { Invalid, Refused } from '../platform/problem.ts';
import { knownProject } from './known.ts';
import { sentenceOf } from './problems.ts';
import { listing, type Report } from './report.ts';
import { placesOf, simulatorAt } from './simulator-port.ts';
import type { Tools } from './tools.ts';

const Simulated = Type.Object({
  part: Type.String(),
  platform: Type.Unsafe<Platform>({ type: 'string', enum: [...platforms] }),
  settings: Type.Record(Type.String(), Type.String()),
  learnt: Type.Record(Type.String(), Type.String()),
  takes_address: Type.Boolean(),
});

type Simulated = Static<typeof Simulated>;

const Simulation = Type.Object({ providers: Type.Array(Simulated) });
const Complaint = Type.Object({ error: Type.String() });

type Added = { platform: Platform; uuid: string | null; problem: string | null };

export async function addSimulatedByCommand(tools: Tools, project: string, port: number): Promise<Report> {
  const { id: projectId } = await knownProject(tools, project);
  const outbound = createOutbound({ allow: tools.config.allowOutbound, log: tools.log });
  try {
    const added = await addSimulated({ ...tools, outbound }, projectId, simulatorAt(port));
    const lines = added.map(({ platform, uuid, problem }) => [
      platform,
      problem ?? uuid ?? 'is connected already',
    ]);
    return {
      json: { channels: added },
      text: listing('The simulated messengers of the project:', Object.fromEntries(lines)),
      notes: added.some(({ problem }) => problem !== null) ? [adviceFor(port)] : [],
    };
  } finally {
    await outbound.close();
  }
}

const adviceFor = (port: number): string =>
  'The server must run, and the server and this command need ' +
  `PATCHBAY_ALLOW_OUTBOUND=${placesOf(port).join(',')} in their environment or .env file.`;

type ChannelTools = Parameters<typeof addChannel>[0];

/** Adds a channel of each simulated messenger, and gives its address to providers that need it from a person. */
export async function addSimulated(
  tools: ChannelTools,
  projectId: string,
  address: string,
): Promise<Added[]> {
  const simulated = await simulatedAt(address);
  const { open } = await listChannels(tools);
  const known = open.filter((channel) => channel.projectId === projectId);
  const isKnown = ({ platform, settings, learnt }: Simulated): boolean =>
    known.some(
      (channel) =>
        channel.platform === platform &&
        Object.entries({ ...settings, ...learnt }).every(
          ([name, value]) => String(channel.settings[name]) === value,
        ),
    );
  const added: Added[] = [];
  for (const one of simulated) {
    const { platform } = one;
    if (isKnown(one)) added.push({ platform, uuid: null, problem: null });
    else added.push({ platform, ...(await addOne(tools, projectId, one, address)) });
  }
  return added;
}

async function simulatedAt(address: string): Promise<Simulated[]> {
  const answer = await fetch(`${address}/providers`).catch(() => null);
  if (!answer?.ok) throw new Refused(`No simulator answers at ${address}. Start it with: patchbay simulator`);
  return Value.Parse(Simulation, await answer.json()).providers;
}

async function addOne(
  tools: ChannelTools,
  projectId: string,
  { part, platform, settings, learnt, takes_address }: Simulated,
  address: string,
): Promise<Pick<Added, 'uuid' | 'problem'>> {
  try {
    const name = `${platform.replaceAll('_', ' ')}, simulated`;
    const channel = { projectId, platform, name, settings, learnt };
    const { id, webhookUrl } = await addChannel(tools, channel);
    if (!takes_address) return { uuid: id, problem: null };
    const query = new URLSearchParams({ address: webhookUrl });
    const answer = await fetch(`${address}/providers/${part}/address?${query}`, { method: 'POST' });
    if (answer.ok) return { uuid: id, problem: null };
    return { uuid: id, problem: Value.Parse(Complaint, await answer.json()).error };
  } catch (error) {
    if (!(error instanceof Invalid || error instanceof Refused)) throw error;
    return { uuid: null, problem: sentenceOf(error) };
  }
}
