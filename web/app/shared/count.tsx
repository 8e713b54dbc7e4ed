import { VisuallyHidden } from '@mantine/core';
import classes from './count.module.css';
import { useFormat } from './language.tsx';

const most = 99;

/**
 * A small badge with the number of what waits. `label` describes it for screen readers, where no text beside it
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
