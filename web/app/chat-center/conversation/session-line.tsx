import type { TimelineEntry } from '../../../../src/people/chat-center/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import classes from './conversation.module.css';
import { conversationTexts } from './texts.ts';

type Session = NonNullable<TimelineEntry['session']>;

/** A change of a session, as a small line between the messages. */
export function SessionLine({ entry: { author, at }, session }: { entry: TimelineEntry; session: Session }) {
  const say = useStep();
  const { time, moment } = useFormat();
  const reason = [session.category, session.theme].filter(Boolean).join(' / ');
  return (
    <li className={classes.line}>
      {say(session, author?.name)}
      {session.step === 'closed' && reason && ` · ${reason}`}{' '}
      <time dateTime={at} title={moment(at)}>
        {time(at)}
      </time>
    </li>
  );
}

function useStep(): (session: Session, by: string | undefined) => string {
  const t = useTexts(conversationTexts);
  return ({ step, operator }, by) => {
    switch (step) {
      case 'opened':
        return operator ? t.openedBy(operator.name) : t.opened;
      case 'taken':
        return t.taken(operator?.name ?? by ?? '');
      case 'passed':
        if (!operator) return t.passedOn;
        return by ? t.passed(by, operator.name) : t.passedTo(operator.name);
      case 'closed':
        return by ? t.closedBy(by) : t.closed;
    }
  };
}
