import { Badge, Group } from '@mantine/core';
import { memo, type PropsWithChildren } from 'react';
import type { TimelineEntry } from '../../../../src/people/chat-center/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import classes from './conversation.module.css';
import { DeliveryMark } from './delivery-mark.tsx';
import { LinkedText } from './linked-text.tsx';
import { Attached, Picture } from './picture.tsx';
import { SessionLine } from './session-line.tsx';
import { conversationTexts } from './texts.ts';

/** One entry of a history: a message, a note, or a change of a session. */
export const Entry = memo(function Entry({ entry, me }: { entry: TimelineEntry; me: string }) {
  if (entry.session) return <SessionLine entry={entry} session={entry.session} />;
  if (entry.note) return <Note entry={entry} text={entry.note.text} me={me} />;
  return entry.message && <Message entry={entry} message={entry.message} me={me} />;
});

function Note({ entry: { author, at }, text, me }: { entry: TimelineEntry; text: string; me: string }) {
  const t = useTexts(conversationTexts);
  const who = author?.uuid === me ? t.you : author?.name;
  return (
    <li className={classes.bubble} data-side="note">
      <span className={classes.author}>
        {t.note}
        {who && ` · ${who}`}
      </span>
      <span className={classes.text}>
        <LinkedText text={text} />
      </span>
      <Foot at={at} />
    </li>
  );
}

type Said = NonNullable<TimelineEntry['message']>;

function Message({
  entry: { author, at },
  message,
  me,
}: {
  entry: TimelineEntry;
  message: Said;
  me: string;
}) {
  const { direction, type, text, url, buttons, state } = message;
  const t = useTexts(conversationTexts);
  return (
    <li className={classes.bubble} data-side={direction}>
      <Who author={author} source={message.source} me={me} />
      {url !== null && (type === 'image' ? <Picture url={url} caption={text} /> : <Attached url={url} />)}
      {text && (
        <span className={classes.text}>
          <LinkedText text={text} />
        </span>
      )}
      {buttons.length > 0 && (
        <Group gap={4} aria-label={t.buttons} role="group">
          {buttons.map((button) => (
            <Badge key={button} variant="outline" color="gray" tt="none" c="inherit">
              {button}
            </Badge>
          ))}
        </Group>
      )}
      <Foot at={at}>{state && <DeliveryMark state={state} />}</Foot>
    </li>
  );
}

function Who({
  author,
  source,
  me,
}: {
  author: TimelineEntry['author'];
  source: Said['source'];
  me: string;
}) {
  const t = useTexts(conversationTexts);
  if (source === 'client') return null;
  const name = author?.uuid === me ? t.you : author?.name;
  return <span className={classes.author}>{name || (source === 'operator' ? t.you : t[source])}</span>;
}

export function Foot({ at, children }: PropsWithChildren<{ at: string }>) {
  const { time, moment } = useFormat();
  return (
    <span className={classes.foot}>
      <time dateTime={at} title={moment(at)}>
        {time(at)}
      </time>
      {children}
    </span>
  );
}
