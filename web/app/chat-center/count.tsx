import { VisuallyHidden } from '@mantine/core';
import { useFormat } from '../shared/language.tsx';
import classes from './count.module.css';

const most = 99;

/**
 * A small badge with the number of waiting chats. `label` describes it for screen readers, where no text beside it
 * does.
 */
export function Count({ of, label }: { of: number; label?: string }) {
  const { number } = useFormat();
  return (
    <span className={classes.count}>
      <span aria-hidden>{of > most ? `${number(most)}+` : number(of)}</span>
      {label && <VisuallyHidden>{label}</VisuallyHidden>}
    </span>
  );
}
