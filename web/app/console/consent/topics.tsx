import {
  Button,
  Group,
  NumberInput,
  Stack,
  Table,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBellOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Topic, TopicWrite } from '../../../../src/people/console/consent/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { Dialog } from '../promocodes/dialog.tsx';
import { consentTexts } from './texts.ts';
import { useTopics } from './use-topics.ts';

/** The topics of the project's mailings. */
export function Topics() {
  const t = useTexts(consentTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const topics = useTopics();
  const changed = () => queries.invalidateQueries({ queryKey: [project, 'topics'] });
  if (topics.isPending) return <Loading />;
  if (topics.isError) return <LoadProblem error={topics.error} onRetry={topics.refetch} />;
  const { results } = topics.data;
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text maw={640}>{t.topicsLead}</Text>
        <Dialog label={t.newTopic} title={t.newTopic} variant="filled">
          {(close) => <TopicForm send={(body) => api.post('topics/', body).then(changed).then(close)} />}
        </Dialog>
      </Group>
      {results.length === 0 ? (
        <Empty icon={<IconBellOff />} title={t.noTopics}>
          <Text>{t.noTopicsHint}</Text>
        </Empty>
      ) : (
        <TopicTable topics={results} onChanged={changed} />
      )}
    </Stack>
  );
}

function TopicTable({ topics, onChanged }: { topics: readonly Topic[]; onChanged(): Promise<void> }) {
  const t = useTexts(consentTexts);
  const words = useTexts(common);
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm" aria-label={t.topics}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{t.description}</Table.Th>
            <Table.Th>{t.topicWords}</Table.Th>
            <Table.Th>{t.topicCap}</Table.Th>
            <Table.Th ta="right">{words.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {topics.map((topic) => (
            <TopicRow key={topic.uuid} topic={topic} onChanged={onChanged} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function TopicRow({ topic, onChanged }: { topic: Topic; onChanged(): Promise<void> }) {
  const t = useTexts(consentTexts);
  const words = useTexts(common);
  const api = useApi();
  const path = `topics/${topic.uuid}/`;
  return (
    <Table.Tr>
      <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
        {topic.name}
      </Table.Th>
      <Table.Td>{topic.description}</Table.Td>
      <Table.Td>{topic.words.join(', ')}</Table.Td>
      <Table.Td>
        {topic.cap_messages !== null &&
          topic.cap_days !== null &&
          t.capOf(topic.cap_messages, topic.cap_days)}
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end" gap="xs" wrap="nowrap">
          <Dialog label={words.edit} title={topic.name} size="xs">
            {(close) => (
              <TopicForm topic={topic} send={(body) => api.put(path, body).then(onChanged).then(close)} />
            )}
          </Dialog>
          <ConfirmButton
            label={words.delete}
            title={t.deleteTopic(topic.name)}
            size="xs"
            onConfirm={() => api.delete(path).then(onChanged)}
          >
            {t.deleteTopicText}
          </ConfirmButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function TopicForm({ topic, send }: { topic?: Topic; send(body: TopicWrite): Promise<unknown> }) {
  const t = useTexts(consentTexts);
  const words = useTexts(common);
  const form = useForm({
    initialValues: {
      name: topic?.name ?? '',
      description: topic?.description ?? '',
      words: topic?.words ?? [],
      cap_messages: topic?.cap_messages ?? null,
      cap_days: topic?.cap_days ?? null,
    },
  });
  const { busy, problem, submit } = useSubmit(form, send);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={words.name}
          description={t.topicNameHint}
          maxLength={80}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea label={t.description} maxLength={500} {...form.getInputProps('description')} />
        <TagsInput
          label={t.topicWords}
          description={t.topicWordsHint}
          acceptValueOnBlur
          {...form.getInputProps('words')}
        />
        <Text size="sm">{t.topicCapHint}</Text>
        <Group grow align="flex-start">
          {(['cap_messages', 'cap_days'] as const).map((field) => (
            <NumberInput
              key={field}
              label={t[field]}
              min={1}
              max={field === 'cap_messages' ? 100 : 90}
              allowDecimal={false}
              {...form.getInputProps(field)}
              value={form.values[field] ?? ''}
              onChange={(count) => form.setFieldValue(field, typeof count === 'number' ? count : null)}
            />
          ))}
        </Group>
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
