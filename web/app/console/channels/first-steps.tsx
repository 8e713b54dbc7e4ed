import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Step } from '../../../../src/channels/contract/guide.ts';
import type {
  ChannelAccount,
  ChannelDetails,
  FirstMessage,
  Messenger,
} from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts, useWords } from '../../shared/language.tsx';
import { CopyText, Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import styles from './guide.module.css';
import { GuideStep } from './guide-step.tsx';
import { guideTexts } from './guide-texts.ts';
import { Part } from './part.tsx';
import type { Value } from './setting-field.tsx';
import { TestByPhone } from './test-by-phone.tsx';
import { TryOut } from './try-out.tsx';

const lookMs = 2_000;

type Entered = Readonly<Record<string, Value>>;

type Props = {
  uuid: string;
  messengers: readonly Messenger[];
  /** The values that were entered on this page. Empty after a reload: then secrets are not known any more. */
  entered: Entered;
};

/** The steps after a channel was added: what its provider still needs, and the first message. */
export function FirstSteps({ uuid, messengers, entered }: Props) {
  const api = useApi();
  const project = useProjectId();
  const channel = useQuery({
    queryKey: [project, 'channels', uuid],
    queryFn: ({ signal }) => api.get<ChannelDetails>(`channels/${uuid}/`, {}, signal),
  });
  const account = useQuery({
    queryKey: [project, 'channels', uuid, 'account'],
    queryFn: ({ signal }) => api.get<ChannelAccount>(`channels/${uuid}/account/`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const first = useQuery({
    queryKey: [project, 'channels', uuid, 'first-message'],
    queryFn: ({ signal }) => api.get<FirstMessage>(`channels/${uuid}/first-message/`, {}, signal),
    refetchInterval: lookMs,
  });
  if (channel.error) return <LoadProblem error={channel.error} onRetry={channel.refetch} />;
  const messenger = messengers.find(({ platform }) => platform === channel.data?.platform);
  if (!channel.data || !messenger || account.isPending) return <Loading />;
  return (
    <Shown
      channel={channel.data}
      messenger={messenger}
      account={account.data ?? null}
      first={first.data ?? null}
      entered={entered}
    />
  );
}

type ShownProps = {
  channel: ChannelDetails;
  messenger: Messenger;
  account: ChannelAccount | null;
  first: FirstMessage | null;
  entered: Entered;
};

function Shown({ channel, messenger, account, first, entered }: ShownProps) {
  const t = useTexts(guideTexts);
  const project = useProjectId();
  const { after, tryOut } = messenger.guide;
  return (
    <Stack gap="xl">
      <Alert color="teal" variant="light" icon={<IconCircleCheck aria-hidden />} role="status">
        {t.added(channel.name)}
      </Alert>
      {after.length > 0 && (
        <ol className={styles.steps} aria-label={t.afterTitle}>
          {after.map((step, index) => (
            <GuideStep key={step.title.en} step={step} number={index + 1}>
              <Given {...{ step, messenger, account, entered }} />
              {step.gives?.includes('address') && <Called calledAt={first?.called_at ?? null} />}
            </GuideStep>
          ))}
        </ol>
      )}
      <Part title={t.writeTitle}>
        <TryOut text={tryOut} link={account?.link ?? null} message={first?.message ?? null} />
      </Part>
      {messenger.opens_by_phone && (
        <Part title={t.phoneTitle}>
          <TestByPhone channel={channel.uuid} />
        </Part>
      )}
      <Group>
        <ButtonLink to="/$project/channels/$channel/" params={{ project, channel: channel.uuid }}>
          {t.done}
        </ButtonLink>
      </Group>
    </Stack>
  );
}

type GivenProps = { step: Step; messenger: Messenger; account: ChannelAccount | null; entered: Entered };

/** Values for the provider, to be copied. */
function Given({ step, messenger, account, entered }: GivenProps) {
  const t = useTexts(guideTexts);
  const inWords = useWords();
  const made = { address: t.address, login_command: t.login_command, script_tag: t.script_tag };
  return (step.gives ?? []).map((name) => {
    const setting = messenger.settings.find((one) => one.name === name);
    const label = setting ? inWords(setting.label) : (made[name as keyof typeof made] ?? name);
    const value = account?.gives[name] ?? String(entered[name] ?? '');
    return (
      <Stack key={name} gap={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        {value === '' ? (
          <Text size="sm">{t.asEntered}</Text>
        ) : (
          <Group gap="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{setting?.secret ? `•••• (${t.hidden})` : value}</Code>
            <CopyText value={value} />
          </Group>
        )}
      </Stack>
    );
  });
}

function Called({ calledAt }: { calledAt: string | null }) {
  const t = useTexts(guideTexts);
  const { ago } = useFormat();
  return (
    <Text size="sm" role="status">
      {calledAt === null ? t.notCalled : t.called(ago(calledAt))}
    </Text>
  );
}
