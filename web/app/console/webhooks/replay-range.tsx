import {
  Alert,
  Button,
  Group,
  Modal,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { eventTypesOf } from './event-types.ts';
import { momentOf } from './search.ts';
import { webhooks } from './texts.ts';
import { type Range, useReplay } from './use-replay.ts';

/** Replays all events of a time range: counts them first, then asks for confirmation. */
export function ReplayRange({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.replayRange}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t.replayRange}
        size="lg"
        centered
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <Form webhook={webhook} />
      </Modal>
    </>
  );
}

function Form({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const missed = webhook.disabled_at === null ? 'FAILED' : 'KEPT';
  const form = useForm<Values>({
    initialValues: { from: localMoment(-24 * 60), to: localMoment(1), event_type: null, state: missed },
    // A change of the range makes the count invalid.
    onValuesChange: () => replay.reset(),
  });
  const replay = useReplay(webhook.uuid, form.setErrors);
  const count = (values: Values) => replay.count(rangeOf(values));
  const isBusy = replay.phase === 'counting' || replay.phase === 'replaying';
  return (
    <form onSubmit={form.onSubmit(count)}>
      <Stack>
        <Text>{t.replayLead}</Text>
        {webhook.disabled_at !== null && <Alert color="orange">{t.whileDisabled}</Alert>}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t.from} type="datetime-local" withAsterisk {...form.getInputProps('from')} />
          <TextInput label={t.to} type="datetime-local" withAsterisk {...form.getInputProps('to')} />
        </SimpleGrid>
        <Select
          label={t.type}
          placeholder={t.any}
          data={[...eventTypesOf(webhook)]}
          clearable
          {...form.getInputProps('event_type')}
        />
        <Select
          label={words.state}
          placeholder={t.any}
          data={(['FAILED', 'KEPT', 'DELIVERED'] as const).map((state) => ({
            value: state,
            label: t[state],
          }))}
          clearable
          {...form.getInputProps('state')}
        />
        <Told replay={replay} />
        <Group justify="flex-end">
          {isBusy && (
            <Button variant="default" onClick={replay.stop}>
              {t.stop}
            </Button>
          )}
          {replay.phase === 'counted' && replay.total > 0 ? (
            <Go replay={replay} range={rangeOf(form.values)} />
          ) : (
            <Button type="submit" loading={isBusy}>
              {t.count}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

type Replay = ReturnType<typeof useReplay>;

function Go({ replay, range }: { replay: Replay; range: Range }) {
  const t = useTexts(webhooks);
  const { number } = useFormat();
  return (
    <Button type="button" onClick={() => replay.go(range)}>
      {t.go(number(replay.total))}
    </Button>
  );
}

function Told({ replay }: { replay: Replay }) {
  const t = useTexts(webhooks);
  const { number } = useFormat();
  const [total, done] = [number(replay.total), number(replay.done)];
  switch (replay.phase) {
    case 'idle':
      return <FormProblem text={replay.problem} />;
    case 'counting':
      return <Text role="status">{t.counting(total)}</Text>;
    case 'counted':
      return <Text role="status">{replay.total === 0 ? t.nothing : t.counted(total)}</Text>;
    case 'replaying':
      return (
        <Stack gap={4}>
          <Text role="status">{t.replaying(done, total)}</Text>
          <Progress value={(100 * replay.done) / Math.max(1, replay.total)} aria-label={t.replayRange} />
        </Stack>
      );
    case 'done':
      return (
        <Alert color="teal" role="status">
          {t.replayedAll(done)}
        </Alert>
      );
  }
}

type Values = { from: string; to: string; event_type: string | null; state: string | null };

const rangeOf = ({ from, to, event_type, state }: Values): Range => ({
  from: momentOf(from) ?? '',
  to: momentOf(to) ?? '',
  ...(event_type && { event_type }),
  ...(state && { state }),
});

/** A time this many minutes from now, in the format of the browser's field. */
function localMoment(minutes: number): string {
  const at = new Date(Date.now() + minutes * 60_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
