import { useEffect, useRef } from 'react';

/** Whether somebody wants what is under way to end: they said so, or left. */
export function useStop() {
  const stopped = useRef(false);
  const stop = () => {
    stopped.current = true;
  };
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  return { stopped, stop };
}
