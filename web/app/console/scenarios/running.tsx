import { Text } from '@mantine/core';
import type { Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { counted, useLanguage, useTexts } from '../../shared/language.tsx';
import { editTexts } from './edit-texts.ts';

/** The number of chats that run the scenario. */
export function Running({ scenario: { running } }: { scenario: Scenario }) {
  const t = useTexts(editTexts);
  const { language } = useLanguage();
  const chats = counted(
    language,
    running,
    language === 'ru'
      ? { one: 'чат', few: 'чата', many: 'чатов', other: 'чата' }
      : { one: 'chat', other: 'chats' },
  );
  return <Text pt="md">{t.following(chats)}</Text>;
}
