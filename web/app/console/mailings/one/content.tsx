import { Code, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { savedIn } from '../compose/pattern.ts';
import { letterOf } from '../letter.ts';

const contentTexts = texts(
  {
    text: 'Text',
    scenario: 'Scenario',
    template: 'WhatsApp template',
    variables: 'Variables',
    variant: (letter: string) => `Variant ${letter}`,
    fromFile: 'from the file',
    audience: 'Audience',
    everybody: 'All reachable clients',
    saved: (name: string) => `Saved audience “${name}”`,
    used: 'Its filter, as the mailing last read it:',
    identifiers: 'Pasted list of identifiers',
    clients: 'File of clients',
    phones: 'File of phone numbers',
    nobody: 'None: this is a draft',
    planned: 'Not before',
    schedule: 'Schedule (UTC)',
    topic: 'Topic',
    operators: 'Open conversations',
    system: 'Excluded: clients in a conversation with an operator',
    center: 'Included: clients in a conversation with an operator',
  },
  {
    ru: {
      text: 'Текст',
      scenario: 'Сценарий',
      template: 'Шаблон WhatsApp',
      variables: 'Переменные',
      variant: (letter) => `Вариант ${letter}`,
      fromFile: 'из файла',
      audience: 'Получатели',
      everybody: 'Все доступные клиенты',
      saved: (name) => `Сохранённая аудитория «${name}»`,
      used: 'Её фильтр, как рассылка прочитала его в последний раз:',
      identifiers: 'Вставленный список идентификаторов',
      clients: 'Файл клиентов',
      phones: 'Файл телефонов',
      nobody: 'Нет: это черновик',
      planned: 'Не раньше',
      schedule: 'Расписание (UTC)',
      topic: 'Тема',
      operators: 'Открытые разговоры',
      system: 'Исключены клиенты, которые общаются с оператором',
      center: 'Включены клиенты, которые общаются с оператором',
    },
  },
);

/** The content, audience and schedule, as they were when the mailing was created. */
export function MailingContent({ detail }: { detail: MailingDetail }) {
  const t = useTexts(contentTexts);
  const { moment } = useFormat();
  const { mailing } = detail;
  const variables = Object.entries(mailing.template_variables ?? {});
  const rows: [string, ReactNode][] = [
    ...(mailing.text ? [row(t.text, <Whole text={mailing.text} />)] : []),
    ...(mailing.node_name ? [row(t.scenario, mailing.node_name)] : []),
    ...(mailing.template_whatsapp ? [row(t.template, mailing.template_whatsapp)] : []),
    ...(variables.length > 0
      ? [
          row(
            t.variables,
            variables.map(([name, value]) => `${name}: ${said(value) ?? t.fromFile}`).join(', '),
          ),
        ]
      : []),
    ...(detail.ab_test?.variants ?? []).map((variant, index) =>
      row(t.variant(letterOf(index + 2)), <Variant variant={variant} />),
    ),
    row(t.audience, <Audience detail={detail} />),
    ...(detail.topic ? [row(t.topic, detail.topic)] : []),
    ...(mailing.planned_at ? [row(t.planned, moment(mailing.planned_at))] : []),
    ...(mailing.regular_cron ? [row(t.schedule, <Code>{mailing.regular_cron}</Code>)] : []),
    row(t.operators, mailing.origin === 'system' ? t.system : t.center),
  ];
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={{ base: 120, sm: 220 }} style={{ verticalAlign: 'top' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const row = (name: string, value: ReactNode): [string, ReactNode] => [name, value];

const said = (variable: unknown): string | null =>
  typeof variable === 'object' && variable !== null && 'value' in variable ? String(variable.value) : null;

type VariantDetail = NonNullable<MailingDetail['ab_test']>['variants'][number];

/** What another variant of an A/B test says. */
function Variant({ variant }: { variant: VariantDetail }) {
  const t = useTexts(contentTexts);
  const { text, node_name, template_whatsapp } = variant;
  const variables = Object.entries(variant.template_variables ?? {});
  return (
    <>
      {text && <Whole text={text} />}
      {node_name && <Text>{`${t.scenario}: ${node_name}`}</Text>}
      {template_whatsapp && <Text>{`${t.template}: ${template_whatsapp}`}</Text>}
      {variables.length > 0 && (
        <Text>{variables.map(([name, value]) => `${name}: ${said(value) ?? t.fromFile}`).join(', ')}</Text>
      )}
    </>
  );
}

const Whole = ({ text }: { text: string }) => <Text style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>;

function Audience({ detail: { mailing, has_identifiers } }: { detail: MailingDetail }) {
  const t = useTexts(contentTexts);
  const { customer_filter_file, phone_numbers_file } = mailing;
  const saved = savedIn(mailing);
  const filter = saved === null ? mailing.filter_chats : mailing.filter_used;
  const parts = [
    ...(phone_numbers_file ? [`${t.phones}: ${phone_numbers_file}`] : []),
    ...(customer_filter_file ? [`${t.clients}: ${customer_filter_file}`] : []),
    ...(has_identifiers ? [t.identifiers] : []),
    ...(saved === null ? [] : [t.saved(saved)]),
    ...(saved === null || filter === null ? [] : [t.used]),
  ];
  const isEverybody = JSON.stringify(filter) === '{"all":[]}';
  if (parts.length === 0 && filter === null) return <>{t.nobody}</>;
  return (
    <Stack gap="xs">
      {parts.map((part) => (
        <Text key={part}>{part}</Text>
      ))}
      {filter !== null && isEverybody && <Text>{t.everybody}</Text>}
      {filter !== null && !isEverybody && <Code block>{JSON.stringify(filter, null, 2)}</Code>}
    </Stack>
  );
}
