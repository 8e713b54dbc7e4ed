import { Stack } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { Applications } from './applications.tsx';
import { BotKeys } from './bot-keys.tsx';
import { applicationTexts } from './texts.ts';

/** `/console/<project>/applications/` */
export default function ApplicationsPage() {
  const t = useTexts(applicationTexts);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Stack gap={48}>
        <Applications />
        <BotKeys />
      </Stack>
    </>
  );
}
