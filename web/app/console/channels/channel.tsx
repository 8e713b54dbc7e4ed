import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ChannelDetails, Messenger } from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { CopyText, Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { Actions } from './actions.tsx';
import Deliveries from './deliveries.tsx';
import { Failures } from './failures.tsx';
import { Part } from './part.tsx';
import { platformName } from './platform.ts';
import { SettingsForm } from './settings-form.tsx';
import { Pace, StateBadge, stateColors, stateOf, useStateText, Waiting } from './state.tsx';
import { TestMessage } from './test-message.tsx';
import { channels } from './texts.ts';
import { useMessengers } from './use-messengers.ts';
import { Warnings } from './warnings.tsx';

export default function ChannelPage() {
  const api = useApi();
  const project = useProjectId();
  const { channel: uuid = '' } = useParams({ strict: false });
  const messengers = useMessengers();
  const { data, error, refetch } = useQuery({
    queryKey: [project, 'channels', uuid],
    queryFn: ({ signal }) => api.get<ChannelDetails>(`channels/${uuid}/`, {}, signal),
    refetchInterval: 10_000,
  });
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  if (messengers.error) return <LoadProblem error={messengers.error} onRetry={messengers.refetch} />;
  if (!data || !messengers.data) return <Loading height={600} />;
  const messenger = messengers.data.find(({ platform }) => platform === data.platform);
  return <Shown channel={data} messenger={messenger} />;
}

function Shown({ channel, messenger }: { channel: ChannelDetails; messenger: Messenger | undefined }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const t = useTexts(channels);
  const words = useTexts(common);
  return (
    <>
      <PageHead title={channel.name} lead={platformName(channel.platform)}>
        <Actions channel={channel} canCheck={messenger?.can_check ?? false} />
      </PageHead>
      <Stack gap="xl">
        <State channel={channel} />
        <Warnings channel={channel} />
        <Part title={t.deliveries}>
          <Deliveries uuid={channel.uuid} />
        </Part>
        <Part title={t.failures}>
          <Failures uuid={channel.uuid} />
        </Part>
        <Part title={t.test}>
          <TestMessage channel={channel} />
        </Part>
        {channel.address !== null && (
          <Part title={t.addressTitle}>
            <Text maw={720}>{channel.platform === 'API_Messenger' ? t.ownAddressText : t.addressText}</Text>
            <Group>
              <Code style={{ overflowWrap: 'anywhere' }}>{channel.address}</Code>
              <CopyText value={channel.address} />
            </Group>
          </Part>
        )}
        {messenger && (
          <Part title={t.settings}>
            {channel.platform === 'Widget' && (
              <TextLink to="/$project/widget/" params={{ project }}>
                {t.widgetPage}
              </TextLink>
            )}
            <SettingsForm
              messenger={messenger}
              name={channel.name}
              known={channel.settings}
              secrets={channel.secrets}
              action={words.save}
              send={async (filled) => {
                await api.patch(`channels/${channel.uuid}/`, filled);
                await queries.invalidateQueries({ queryKey: [project, 'channels'] });
              }}
            />
          </Part>
        )}
      </Stack>
    </>
  );
}

function Learnt({ learnt }: { learnt: NonNullable<ChannelDetails['learnt']> }) {
  const t = useTexts(channels);
  const { moment, number } = useFormat();
  const { per_second, calls, refused, seconds } = learnt;
  const limit = number(per_second < 10 ? Math.round(per_second * 10) / 10 : Math.round(per_second));
  const of = {
    calls: number(calls),
    refused: number(refused),
    seconds: number(Math.max(1, Math.round(seconds))),
  };
  return (
    <Text size="sm">
      {t.learnt(limit)} {t.learntFrom(moment(learnt.at), of.refused, of.calls, of.seconds)}{' '}
      {t.learntUntil(moment(learnt.until))}
    </Text>
  );
}

const isSlow = ({ rate, rate_ceiling }: ChannelDetails): boolean =>
  rate !== null && rate_ceiling !== null && rate < rate_ceiling;

/** What a paused channel holds back. */
function Waits({ channel }: { channel: ChannelDetails }) {
  const t = useTexts(channels);
  const { moment, number } = useFormat();
  const { waiting, waiting_more, waiting_of_mailings, waiting_since } = channel;
  if (waiting === 0) return null;
  const count = waiting_more ? t.waitingMore(number(waiting)) : number(waiting);
  return <Text size="sm">{t.waits(count, number(waiting_of_mailings), moment(waiting_since))}</Text>;
}

function State({ channel }: { channel: ChannelDetails }) {
  const t = useTexts(channels);
  const text = useStateText(channel);
  return (
    <Alert color={stateColors[stateOf(channel)]} variant="light">
      <Stack gap="xs">
        <Group gap="sm">
          <StateBadge channel={channel} />
          <Text size="sm">
            {t.paceNow}: <Pace channel={channel} />
          </Text>
          <Text size="sm">
            {t.waiting}: <Waiting channel={channel} />
          </Text>
        </Group>
        <Text size="sm">{text}</Text>
        {channel.state === 'paused' && <Waits channel={channel} />}
        {channel.state_detail && <Text size="sm">{t.reason(channel.state_detail)}</Text>}
        {channel.learnt ? (
          <Learnt learnt={channel.learnt} />
        ) : (
          isSlow(channel) && <Text size="sm">{t.paceText}</Text>
        )}
      </Stack>
    </Alert>
  );
}
