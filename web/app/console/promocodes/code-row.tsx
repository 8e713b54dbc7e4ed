import { Badge, Group, Table } from '@mantine/core';
import type { GroupCode } from '../../../../src/people/console/promocodes/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { useRefresh } from './calls.ts';
import { Dialog } from './dialog.tsx';
import { Issue } from './issue.tsx';
import { promocodeTexts } from './texts.ts';

export function CodeRow({ code }: { code: GroupCode }) {
  const t = useTexts(promocodeTexts);
  const format = useFormat();
  const project = useProjectId();
  const isLapsed =
    code.status === 'AVAILABLE' && code.expires_at !== null && new Date(code.expires_at) <= new Date();
  return (
    <Table.Tr>
      <Table.Th scope="row" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {code.code}
      </Table.Th>
      <Table.Td>
        {code.client ? (
          <TextLink
            size="sm"
            to="/$project/profiles/$profile/"
            params={{ project, profile: code.client.uuid }}
          >
            {code.client.title ?? t.somebody}
          </TextLink>
        ) : (
          '–'
        )}
      </Table.Td>
      <Table.Td>
        <span title={format.moment(code.issued_at)}>{format.ago(code.issued_at)}</span>
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          {code.expires_at ? format.moment(code.expires_at) : t.forever}
          {isLapsed && (
            <Badge variant="default" tt="none">
              {t.lapsed}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Actions code={code} isLapsed={isLapsed} />
      </Table.Td>
    </Table.Tr>
  );
}

function Actions({ code: { uuid, code, status }, isLapsed }: { code: GroupCode; isLapsed: boolean }) {
  const t = useTexts(promocodeTexts);
  const words = useTexts(common);
  const api = useApi();
  const refresh = useRefresh();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {status === 'AVAILABLE' && !isLapsed && (
        <Dialog label={t.issue} title={t.issueTitle(code)} size="xs">
          {(close) => <Issue code={uuid} onDone={close} />}
        </Dialog>
      )}
      {status === 'ISSUED' && (
        <ConfirmButton
          label={t.takeBack}
          title={t.takeBackTitle(code)}
          size="xs"
          onConfirm={async () => {
            await api.patch(`promocodes/${uuid}/`, { status: 'AVAILABLE' });
            await refresh();
          }}
        >
          {t.takeBackText}
        </ConfirmButton>
      )}
      <ConfirmButton
        label={words.delete}
        title={t.deleteCodeTitle(code)}
        size="xs"
        onConfirm={async () => {
          await api.delete(`promocodes/${uuid}/`);
          await refresh();
        }}
      >
        {t.deleteCodeText}
      </ConfirmButton>
    </Group>
  );
}
