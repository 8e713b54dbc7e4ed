import { Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Colleagues } from '../../../../src/people/console/mailings/draft-schema.ts';
import { useAction } from '../../shared/action.ts';
import { texts, useTexts } from '../../shared/language.tsx';
import { useApi, useProjectId } from '../api.ts';

const colleagueTexts = texts(
  { label: 'Colleague: gets tests of mailings' },
  { ru: { label: 'Коллега: получает проверки рассылок' } },
);

/** Whether the client gets the tests of mailings. */
export function Colleague({ profile }: { profile: string }) {
  const t = useTexts(colleagueTexts);
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = [useProjectId(), 'colleagues'];
  const colleagues = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get<Colleagues>('mailings/colleagues/', {}, signal),
  });
  const isOne = colleagues.data?.results.some(({ profile: { uuid } }) => uuid === profile) ?? false;
  const { busy, run } = useAction(async () => {
    await api[isOne ? 'delete' : 'put'](`mailings/colleagues/${profile}/`);
    await queries.invalidateQueries({ queryKey });
  });
  return (
    <Switch label={t.label} checked={isOne} disabled={busy || !colleagues.isSuccess} onChange={run} mb="sm" />
  );
}
