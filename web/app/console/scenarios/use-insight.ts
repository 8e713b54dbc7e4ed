import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ScenarioNumbers, ScenarioWalks } from '../../../../src/people/console/scenarios/schema.ts';
import { useApi, useProjectId } from '../api.ts';
import type { Graph } from './canvas/graph.ts';
import { numbersOf, walkedIn } from './canvas/numbers.ts';

/** The numbers of a period and the way of a chat, as far as somebody wants to see them on the cards. */
export function useInsight(scenarioId: number, graph: Graph | null) {
  const api = useApi();
  const project = useProjectId();
  const [days, setDays] = useState<number | null>(null);
  const [chat, setChat] = useState<string | null>(null);
  const counted = useQuery({
    queryKey: [project, 'scenario-numbers', scenarioId, days],
    queryFn: ({ signal }) =>
      api.get<ScenarioNumbers>(`scenarios/${scenarioId}/numbers/`, { days: days ?? 1 }, signal),
    enabled: days !== null,
    refetchInterval: 30_000,
  });
  const walks = useQuery({
    queryKey: [project, 'scenario-walks', scenarioId],
    queryFn: ({ signal }) => api.get<ScenarioWalks>(`scenarios/${scenarioId}/walks/`, undefined, signal),
    refetchInterval: 10_000,
  });
  const numbers = useMemo(
    () => (days !== null && graph && counted.data ? numbersOf(graph, counted.data) : null),
    [days, graph, counted.data],
  );
  const walk = walks.data?.walks.find((one) => one.chat === chat);
  const walked = useMemo(() => (graph && walk ? walkedIn(graph, walk.path) : null), [graph, walk]);
  return { days, setDays, chat, setChat, walks: walks.data?.walks ?? [], walk, numbers, walked };
}

export type Insight = ReturnType<typeof useInsight>;
