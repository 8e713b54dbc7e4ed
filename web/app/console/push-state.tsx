import { Text, type TextProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PushMessage } from '../../../src/messaging/push-messages/schema.ts';
import { useApi, useProjectId } from './api.ts';

type Code = PushMessage['state']['code'];

const final: readonly Code[] = ['READ', 'UNDELIVERED', 'ERROR', 'CANCELLED'];

/**
 * The state of a push message, followed until it is final. `words` are the texts of the states. `onState` is called
 * with each new one.
 */
export function PushState({
  uuid,
  words,
  size,
  onState,
}: {
  uuid: string;
  words: Readonly<Record<Code, string>>;
  onState?(code: Code): unknown;
  size?: TextProps['size'];
}) {
  const api = useApi();
  const project = useProjectId();
  const { data } = useQuery({
    queryKey: [project, 'push', uuid],
    queryFn: () => api.get<PushMessage>(`push-messages/${uuid}/`),
    refetchInterval: ({ state: { data: last } }) => (last && final.includes(last.state.code) ? false : 1_000),
  });
  const { code, detail } = data?.state ?? { code: 'PENDING' as const, detail: '' };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller is called for a state, not for its own renders.
  useEffect(() => void onState?.(code), [code]);
  return (
    <Text size={size} role="status">
      {words[code]}
      {detail && `: ${detail}`}
    </Text>
  );
}
