import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi, useProjectId } from '../../api.ts';
import { ask } from '../once.ts';
import type { Draft } from './draft.ts';

const pauseMs = 500;

/** The relevant part of the draft as JSON, or null while the filter is invalid. */
function textOf(draft: Draft, part: (draft: Draft) => object): string | null {
  try {
    return JSON.stringify(part(draft));
  } catch {
    return null;
  }
}

/**
 * Sends the draft to the server shortly after it changed, and only its latest version. The last response stays until
 * the next one arrives.
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
  // A disabled query uses no draft. Otherwise it would first run with an outdated one when it is enabled.
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
