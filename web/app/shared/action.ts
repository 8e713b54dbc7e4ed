import { useState } from 'react';
import { useShowProblem } from './problem.tsx';

/** An action outside of forms: `busy` while it runs; errors are shown as a notice. */
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
