import { Fragment } from 'react';
import type { TimelineEntry } from '../../../../src/people/chat-center/schema.ts';
import type { Outgoing } from '../composer/outbox.ts';
import { useDesk } from '../desk.tsx';
import classes from './conversation.module.css';
import { isNewDay, useDayName } from './days.ts';
import { Entry } from './entry.tsx';
import { OutgoingEntry } from './outgoing.tsx';

/** Entries with day separators, followed by unconfirmed entries. */
export function Entries({
  entries,
  outgoing,
}: {
  entries: readonly TimelineEntry[];
  outgoing: readonly Outgoing[];
}) {
  const { account } = useDesk();
  const dayName = useDayName();
  // The live stream is often faster than the response to the sender.
  const there = new Set(entries.map(({ message, note }) => (message ?? note)?.echo_id));
  return (
    <ol className={classes.entries}>
      {entries.map((entry, position) => (
        <Fragment key={entry.uuid}>
          {isNewDay(entries[position - 1]?.at, entry.at) && (
            <li className={classes.line}>{dayName(entry.at)}</li>
          )}
          <Entry entry={entry} me={account.operator.uuid} />
        </Fragment>
      ))}
      {outgoing
        .filter(({ id }) => !there.has(id))
        .map((one) => (
          <OutgoingEntry key={one.id} outgoing={one} />
        ))}
    </ol>
  );
}
