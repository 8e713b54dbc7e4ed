import { Card, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ClientConsent, ConsentChange } from '../../../../src/people/console/consent/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { LoadProblem, useShowProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { consentTexts } from './texts.ts';

/** What a client wants of mailings. */
export function ClientConsents({ profile }: { profile: string }) {
  const t = useTexts(consentTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const showProblem = useShowProblem();
  const path = `profiles/${profile}/consent/`;
  const key = [project, 'consent', profile];
  const consent = useQuery({ queryKey: key, queryFn: () => api.get<ClientConsent>(path) });
  if (consent.isError) return <LoadProblem error={consent.error} onRetry={consent.refetch} />;
  if (!consent.data) return null;
  const change = (body: ConsentChange) =>
    api
      .post<ClientConsent>(path, body)
      .then((now) => queries.setQueryData(key, now))
      .catch(showProblem);
  const { everything, topics, listed } = consent.data;
  return (
    <Card withBorder mt="lg">
      <Title order={2} size="h4" mb="sm">
        {t.client}
      </Title>
      <Stack gap="sm">
        <Wish label={t.wants} left={everything} onChange={(subscribed) => change({ subscribed })} />
        {topics.map(({ uuid, name, left }) => (
          <Wish
            key={uuid}
            label={t.wantsTopic(name)}
            left={left}
            isOff={everything !== null}
            onChange={(subscribed) => change({ topic: uuid, subscribed })}
          />
        ))}
        {listed.map((address) => (
          <Text key={address} size="sm">
            {t.listed(address)}
          </Text>
        ))}
      </Stack>
    </Card>
  );
}

type WishProps = {
  label: string;
  left: ClientConsent['everything'];
  /** The client left everything. */
  isOff?: boolean;
  onChange(subscribed: boolean): void;
};

function Wish({ label, left, isOff = false, onChange }: WishProps) {
  const t = useTexts(consentTexts);
  const { moment } = useFormat();
  return (
    <Switch
      label={label}
      description={left ? t.left(moment(left.at), t.by[left.by]) : undefined}
      checked={left === null && !isOff}
      disabled={isOff}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
  );
}
