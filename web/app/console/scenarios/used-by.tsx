import { List, Stack, Text } from '@mantine/core';
import type { Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { counted, useLanguage, useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { editTexts } from './edit-texts.ts';

/** The starters of the scenario, and the number of chats that run it. */
export function UsedBy({ scenario: { welcome, keywords, running } }: { scenario: Scenario }) {
  const t = useTexts(editTexts);
  const { language } = useLanguage();
  const project = useProjectId();
  const chats = counted(
    language,
    running,
    language === 'ru'
      ? { one: 'чат', few: 'чата', many: 'чатов', other: 'чата' }
      : { one: 'chat', other: 'chats' },
  );
  return (
    <Stack gap="sm" pt="md">
      {welcome || keywords.length > 0 ? (
        <>
          <Text>{t.usedBy}</Text>
          <List>
            {welcome && <List.Item>{t.welcome}</List.Item>}
            {keywords.map((keyword) => (
              <List.Item key={keyword}>{t.keyword(keyword)}</List.Item>
            ))}
          </List>
        </>
      ) : (
        <Text>{t.unused}</Text>
      )}
      <TextLink to="/$project/settings/" params={{ project }}>
        {t.settings}
      </TextLink>
      {running > 0 && <Text>{t.following(chats)}</Text>}
    </Stack>
  );
}
