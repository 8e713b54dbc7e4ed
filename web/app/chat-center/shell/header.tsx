import { Anchor, Group, NativeSelect, Title } from '@mantine/core';
import { IconLayoutDashboard } from '@tabler/icons-react';
import type { Account } from '../../../../src/people/console/account/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { basePath } from '../../shared/page.ts';
import { useDesk } from '../desk.tsx';
import { ConnectionWord } from '../live/connection-word.tsx';
import { AccountButton } from './account-button.tsx';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

export function Header({
  person,
  onShortcuts,
  onQuickAnswers,
}: {
  person: Account | undefined;
  onShortcuts(): void;
  onQuickAnswers(): void;
}) {
  const t = useTexts(shellTexts);
  const { account } = useDesk();
  const { project, operator } = account;
  return (
    <div className={classes.header}>
      <Group gap="md" wrap="nowrap" miw={0}>
        <Title order={1} size="h4">
          {t.title}
        </Title>
        {person && person.projects.length > 1 && (
          <NativeSelect
            aria-label={t.project}
            size="xs"
            data={person.projects.map(({ uuid, title }) => ({ value: uuid, label: title }))}
            value={project.uuid}
            onChange={({ currentTarget }) => location.assign(`?project=${currentTarget.value}`)}
            w={{ base: 130, sm: 200 }}
          />
        )}
        <ConnectionWord />
      </Group>
      <Group gap="xs" wrap="nowrap">
        {person && (
          <Anchor href={`${basePath}/console/${project.uuid}/`} size="sm" c="var(--mantine-color-text)">
            <Group component="span" gap={6} wrap="nowrap">
              <IconLayoutDashboard size={18} aria-hidden />
              {t.console}
            </Group>
          </Anchor>
        )}
        <AccountButton
          name={operator.name}
          person={person}
          onShortcuts={onShortcuts}
          onQuickAnswers={onQuickAnswers}
        />
      </Group>
    </div>
  );
}
