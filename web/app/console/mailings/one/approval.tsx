import { Alert, List, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { ConfirmButton } from '../../../shared/confirm.tsx';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { ButtonLink, TextLink } from '../../links.tsx';

const approvalTexts = texts(
  {
    approve: 'Approve',
    title: 'Approve this mailing?',
    says: 'Read the text and the audience under “Content”. After your approval the mailing starts as planned.',
    change: 'Change',
    forYou: 'Another person asks for your approval. Read the content, then approve it or stop the mailing.',
    forOthers: 'The mailing starts after another administrator has approved it.',
    sends: (name: string, version: string) =>
      `The mailing sends version ${version} of the scenario “${name}”.`,
    entry: {
      asked: (author: string, at: string) => `${author} asked for approval, ${at}`,
      approved: (author: string, at: string) => `${author} approved, ${at}`,
    },
    somebody: 'An administrator',
  },
  {
    ru: {
      approve: 'Одобрить',
      title: 'Одобрить эту рассылку?',
      says: 'Прочитайте текст и получателей на вкладке «Содержание». После одобрения рассылка начнётся по плану.',
      change: 'Изменить',
      forYou:
        'Другой человек просит вашего одобрения. Прочитайте содержание, затем одобрите рассылку или остановите её.',
      forOthers: 'Рассылка начнётся, когда её одобрит другой администратор.',
      sends: (name, version) => `Рассылка отправит версию ${version} сценария «${name}».`,
      entry: {
        asked: (author, at) => `${author}: запрос одобрения, ${at}`,
        approved: (author, at) => `${author}: одобрено, ${at}`,
      },
      somebody: 'Администратор',
    },
  },
);

/** Lets the reader approve what they see, or change it. */
export function ApprovalActions({ detail: { approval, summary } }: { detail: MailingDetail }) {
  const t = useTexts(approvalTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  if (approval === null) return null;
  const { revision, scenarios, may_approve, may_change } = approval;
  async function approve() {
    try {
      await api.post(`mailings/${summary.uuid}/approve/`, {
        revision,
        scenarios: scenarios.map(({ id, version }) => ({ id, version })),
      });
    } finally {
      await queries.invalidateQueries({ queryKey: [project, 'mailing'] });
    }
  }
  return (
    <>
      {may_approve && (
        <ConfirmButton label={t.approve} title={t.title} color="teal" onConfirm={approve}>
          {t.says}
        </ConfirmButton>
      )}
      {may_change && (
        <ButtonLink
          to="/$project/mailings/new/"
          params={{ project }}
          search={{ draft: summary.uuid }}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {t.change}
        </ButtonLink>
      )}
    </>
  );
}

/** Whether the mailing waits, and who asked and approved. */
export function ApprovalLog({ approval }: Pick<MailingDetail, 'approval'>) {
  const t = useTexts(approvalTexts);
  const { moment, number } = useFormat();
  const project = useProjectId();
  if (approval === null) return null;
  return (
    <div>
      {approval.is_awaited && (
        <Alert color="yellow" variant="light" mb="xs">
          {approval.may_approve ? t.forYou : t.forOthers}
        </Alert>
      )}
      <List size="sm">
        {approval.scenarios.map(({ id, name, version }) => (
          <List.Item key={id}>
            <TextLink
              to="/$project/scenarios/$scenario/versions/"
              params={{ project, scenario: String(id) }}
              size="sm"
            >
              {t.sends(name, number(version))}
            </TextLink>
          </List.Item>
        ))}
        {approval.log.map(({ kind, author, at }) => (
          <List.Item key={kind + at}>
            <Text size="sm">{t.entry[kind](author ?? t.somebody, moment(at))}</Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
