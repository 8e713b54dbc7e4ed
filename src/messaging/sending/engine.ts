import type { Connections } from '../../channels/connected/connections.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import { type Cell, createCell, dueLane } from '../../platform/pump/suspects.ts';
import { createChannelLanes, leaseMs } from './channel-lanes.ts';
import type { ClaimedMessage } from './claim.ts';
import { giveBack } from './claim-store.ts';
import { perform } from './perform.ts';
import { record } from './record.ts';
import { isPausedBy, isSlowedBy } from './rules.ts';
import { dueChannels, renewLeases } from './store.ts';
import type { Done, Task } from './task.ts';

/** For all channels together: each call has a socket, and holds its message and its answer. */
const mostAtOnce = 2_048;

/** Shared by the parts of one process. */
type Shared = { cell?: Cell; connections?: Connections };

/** Sends queued messages through their channels. */
export function startSending(
  context: Context,
  { cell = createCell(), connections = new Map() }: Shared = {},
): Pump {
  const { sql, clock, log } = context;
  const lanes = createChannelLanes(context, connections);
  return startPump<Task, Done>({
    name: 'sending',
    clock,
    log,
    due: async () => {
      const due = await dueChannels(sql, clock.now());
      return due.filter(({ key }) => lanes.mayServe(key)).map(dueLane);
    },
    claim: lanes.claim,
    perform: (task, deadline) => perform(context, connections, task, deadline),
    record: (done) => record(context, done),
    places: lanes.places,
    mostAtOnce,
    ahead: {
      giveBack: (tasks) => giveBack(sql, messagesOf(tasks)),
      outdates: ({ outcome, slows }) => isPausedBy(outcome) || (isSlowedBy(outcome) && slows === 'channel'),
    },
    cell,
    leaseMs,
    renew: (tasks, until) => renewLeases(sql, messagesOf(tasks), until),
    isUnavailable: isDatabaseUnavailable,
  });
}

const messagesOf = (tasks: readonly Task[]): ClaimedMessage[] => tasks.map(({ message }) => message);
