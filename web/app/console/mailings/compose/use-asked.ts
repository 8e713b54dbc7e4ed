import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi, useProjectId } from '../../api.ts';
import { ask } from '../once.ts';
import type { Draft } from './draft.ts';

const pauseMs = 500;

/** What of the draft the question is about, as JSON; null while the filter is none. */
function textOf(draft: Draft, part: (draft: Draft) => object): string | null {
  try {
    return JSON.stringify(part(draft));
  } catch {
    return null;
  }
}

/**
 * Asks the server about the draft, a moment after it was changed, and not about what has changed again. The last answer
 * stays until the next one is there.
 */
export function useAsked<Answer>(
  path: string,
  draft: Draft,
  part: (draft: Draft) => object,
  { enabled = true }: { enabled?: boolean } = {},
) {
  const api = useApi();
  const project = useProjectId();
  const now = textOf(draft, part);
  // A question that may not be asked yet is none: or it would be asked, once it may, as it was a moment before.
  const [text] = useDebouncedValue(enabled ? now : null, pauseMs);
  const query = useQuery({
    queryKey: [project, path, text],
    queryFn: ({ signal }) => ask<Answer>(api, path, JSON.parse(text ?? '{}'), signal),
    placeholderData: keepPreviousData,
    enabled: enabled && text !== null,
    retry: false,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
  return { ...query, isReadable: now !== null };
}
