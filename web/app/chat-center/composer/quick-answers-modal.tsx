import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { QuickAnswer } from '../../../../src/people/chat-center/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useQuickAnswers } from '../chats.ts';
import { useDesk } from '../desk.tsx';
import { QuickAnswerForm } from './quick-answer-form.tsx';
import { composerTexts } from './texts.ts';

/** All quick answers of the project. An operator with a partner’s link to one client can only read them. */
export default function QuickAnswersModal({ onClose }: { onClose(): void }) {
  const t = useTexts(composerTexts);
  const words = useTexts(common);
  const answers = useQuickAnswers();
  const { account } = useDesk();
  const [edited, setEdited] = useState<QuickAnswer | 'new' | null>(null);
  const mayWrite = account.profile === null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.quick}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {answers.isPending && <Loading />}
      {answers.isError && <LoadProblem error={answers.error} onRetry={answers.refetch} />}
      {answers.data && edited === null && (
        <Stack>
          <Text size="sm">
            {answers.data.results.length === 0 && `${t.noneYet} `}
            {t.quickHint}
          </Text>
          {answers.data.results.map((answer) => (
            <Answer
              key={answer.uuid}
              answer={answer}
              onEdit={mayWrite ? () => setEdited(answer) : undefined}
            />
          ))}
          {mayWrite && (
            <Group justify="flex-end">
              <Button onClick={() => setEdited('new')}>{t.addOne}</Button>
            </Group>
          )}
        </Stack>
      )}
      {edited !== null && (
        <QuickAnswerForm answer={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
      )}
    </Modal>
  );
}

function Answer({ answer, onEdit }: { answer: QuickAnswer; onEdit: (() => void) | undefined }) {
  const t = useTexts(composerTexts);
  const words = useTexts(common);
  const { api, cache } = useDesk();
  const queries = useQueryClient();
  const { uuid, title, text, author_name } = answer;
  async function remove() {
    await api.delete(`quick-answers/${uuid}/`);
    await queries.invalidateQueries({ queryKey: cache.keys.quickAnswers });
  }
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        <Text size="xs">{t.by(author_name)}</Text>
      </Stack>
      {onEdit && (
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" variant="default" onClick={onEdit} aria-label={`${words.edit}: ${title}`}>
            {words.edit}
          </Button>
          <ConfirmButton label={words.delete} title={t.deleteTitle} onConfirm={remove} size="compact-sm">
            {title}. {t.deleteLead}
          </ConfirmButton>
        </Group>
      )}
    </Group>
  );
}
