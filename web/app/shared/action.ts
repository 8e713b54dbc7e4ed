import { useState } from 'react';
import { useShowProblem } from './problem.tsx';

/** Something to do that no form belongs to: `busy` while it is under way, and what went wrong is said. */
export function useAction(act: () => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const showProblem = useShowProblem();
  async function run(): Promise<void> {
    setBusy(true);
    await act().catch(showProblem);
    setBusy(false);
  }
  return { busy, run };
}
