import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { RangePart } from '../../../../src/people/console/webhooks/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useProblemText } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';

export type Range = { from: string; to: string; event_type?: string; state?: string };

type Progress = {
  phase: 'idle' | 'counting' | 'counted' | 'replaying' | 'done';
  total: number;
  done: number;
  problem: string | null;
};

const start: Progress = { phase: 'idle', total: 0, done: 0, problem: null };

/** Asks for one part after the other until the last, or until it is stopped. Gives the sum. */
async function inParts(
  isStopped: RefObject<boolean>,
  ask: (after: string | null) => Promise<RangePart>,
  tell: (soFar: number) => void,
): Promise<number> {
  isStopped.current = false;
  let soFar = 0;
  let after: string | null = null;
  do {
    const part: RangePart = await ask(after);
    soFar += part.count;
    after = part.after;
    tell(soFar);
  } while (after !== null && !isStopped.current);
  return soFar;
}

/** Counts and replays a range part by part, since there may be a million events in it. */
export function useReplay(uuid: string, setErrors: (errors: Record<string, string>) => void) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const textOf = useProblemText();
  const [progress, setProgress] = useState<Progress>(start);
  const isStopped = useRef(false);
  const path = `webhooks/${uuid}/replay/`;

  function fail(error: unknown) {
    const fields = error instanceof ApiProblem ? error.fields : {};
    setErrors(fields);
    setProgress({ ...start, problem: Object.keys(fields).length > 0 ? null : textOf(error) });
  }

  async function count(range: Range) {
    setProgress({ ...start, phase: 'counting' });
    try {
      const total = await inParts(
        isStopped,
        (after) => api.get<RangePart>(path, { ...range, after: after ?? undefined }),
        (soFar) => setProgress({ ...start, phase: 'counting', total: soFar }),
      );
      setProgress(isStopped.current ? start : { ...start, phase: 'counted', total });
    } catch (error) {
      fail(error);
    }
  }

  async function go(range: Range) {
    const { total } = progress;
    setProgress({ ...start, phase: 'replaying', total });
    try {
      const done = await inParts(
        isStopped,
        (after) => api.post<RangePart>(path, { ...range, ...(after !== null && { after }) }),
        (soFar) => setProgress({ ...start, phase: 'replaying', total, done: soFar }),
      );
      setProgress({ ...start, phase: 'done', total, done });
      await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
    } catch (error) {
      fail(error);
    }
  }

  return {
    ...progress,
    count,
    go,
    stop: () => {
      isStopped.current = true;
    },
    reset: () => setProgress(start),
  };
}
