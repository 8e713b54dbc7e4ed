import { VisuallyHidden } from '@mantine/core';
import { useFormat } from '../shared/language.tsx';
import classes from './count.module.css';

const most = 99;

/** How many are waiting, in a small place. `label` says so in words; without it something beside it does. */
export function Count({ of, label }: { of: number; label?: string }) {
  const { number } = useFormat();
  return (
    <span className={classes.count}>
      <span aria-hidden>{of > most ? `${number(most)}+` : number(of)}</span>
      {label && <VisuallyHidden>{label}</VisuallyHidden>}
    </span>
  );
}
