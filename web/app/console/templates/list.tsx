import { Alert, Button, Modal, Table, Text } from '@mantine/core';
import { IconInfoCircle, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedTemplate } from '../../../../src/people/console/templates/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { Approval } from './approval.tsx';
import { SubmitForm } from './submit-form.tsx';
import { TemplateForm } from './template-form.tsx';
import { templateTexts } from './texts.ts';
import { useTemplateChannels } from './use-template-channels.ts';

/** How often the page asks for a decision that the provider has yet to make. */
const lookMs = 10_000;

const isAwaited = ({ approval, is_provided }: ListedTemplate): boolean =>
  is_provided && approval === 'pending';

/** `/console/<project>/templates/` */
export default function Templates() {
  const t = useTexts(templateTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<ListedTemplate | 'new' | null>(null);
  const templates = useQuery({
    queryKey: [project, 'templates', offset],
    queryFn: ({ signal }) => api.get<Page<ListedTemplate>>('templates/', { limit: pageSize, offset }, signal),
    refetchInterval: ({ state: { data } }) => (data?.results.some(isAwaited) ? lookMs : false),
  });
  const channels = useTemplateChannels();
  const close = () => setOpened(null);
  const add = <Button onClick={() => setOpened('new')}>{t.add}</Button>;
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        {add}
      </PageHead>
      <Alert variant="light" icon={<IconInfoCircle aria-hidden />} mb="md">
        {channels.length > 0 ? t.hint : t.hintAlone}
      </Alert>
      {templates.isPending && <Loading />}
      {templates.isError && <LoadProblem error={templates.error} onRetry={templates.refetch} />}
      {templates.data?.count === 0 && (
        <Empty icon={<IconTemplate />} title={t.none}>
          <Text>{t.noneHint}</Text>
          {add}
        </Empty>
      )}
      {templates.data && templates.data.count > 0 && (
        <>
          <TemplateTable templates={templates.data.results} onEdit={setOpened} />
          <Pager count={templates.data.count} offset={offset} onMove={setOffset} />
        </>
      )}
      <Modal
        opened={opened !== null}
        onClose={close}
        size="lg"
        title={opened === null || opened === 'new' ? t.addTitle : t.editTitle(opened.pid)}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        {opened === 'new' && channels.length > 0 && <SubmitForm channels={channels} onDone={close} />}
        {opened === 'new' && channels.length === 0 && <TemplateForm template={null} onDone={close} />}
        {opened !== null && opened !== 'new' && <TemplateForm template={opened} onDone={close} />}
      </Modal>
    </>
  );
}

function TemplateTable({
  templates,
  onEdit,
}: {
  templates: ListedTemplate[];
  onEdit(template: ListedTemplate): void;
}) {
  const t = useTexts(templateTexts);
  const words = useTexts(common);
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.pid}</Table.Th>
            <Table.Th>{t.language}</Table.Th>
            <Table.Th>{t.approval}</Table.Th>
            <Table.Th>{t.body}</Table.Th>
            <Table.Th>{words.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {templates.map((template) => (
            <Table.Tr key={template.pid}>
              <Table.Th scope="row">{template.pid}</Table.Th>
              <Table.Td>{template.language}</Table.Td>
              <Table.Td>
                <Approval approval={template.approval} />
                {template.approval_detail && <Text size="sm">{t.reason(template.approval_detail)}</Text>}
              </Table.Td>
              <Table.Td>
                <Text size="sm" lineClamp={2} maw={420}>
                  {template.body}
                </Text>
                {template.variables.length > 0 && (
                  <Text size="sm" c="dimmed">{`${t.variables}: ${template.variables.join(', ')}`}</Text>
                )}
              </Table.Td>
              <Table.Td>
                {template.is_provided ? (
                  <Text size="sm">{t.provided}</Text>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t.edit(template.pid)}
                    onClick={() => onEdit(template)}
                  >
                    {words.edit}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
