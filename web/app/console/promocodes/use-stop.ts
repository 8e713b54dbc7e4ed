import { useEffect, useRef } from 'react';

/** Whether the running work should stop, because the person stopped it or left. */
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
