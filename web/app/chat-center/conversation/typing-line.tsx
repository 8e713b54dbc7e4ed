import { useTexts } from '../../shared/language.tsx';
import { useDesk } from '../desk.tsx';
import { useHeld } from '../kept.ts';
import classes from './conversation.module.css';
import { conversationTexts } from './texts.ts';

/** Names of people who are typing in the chat. The line keeps its space, so that nothing moves. */
export function TypingLine({ chat }: { chat: string }) {
  const t = useTexts(conversationTexts);
  const names = useHeld(useDesk().writers.held)
    .filter((one) => one.chat === chat)
    .map(({ author }) => (author.uuid === null ? t.theClient : author.name));
  return (
    <p className={classes.typing} style={{ margin: 0 }}>
      {names.length > 0 && t.typing(names.join(', '))}
    </p>
  );
}
