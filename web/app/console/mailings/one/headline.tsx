import { Group, Text } from '@mantine/core';
import type { MailingSummary } from '../../../../../src/people/console/mailings/schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { When } from '../row.tsx';
import { MailingState } from '../state.tsx';
import { mailingTexts } from '../texts.ts';

/** The mailing's name, state and progress. */
export function MailingHeadline({ summary }: { summary: MailingSummary }) {
  const t = useTexts(mailingTexts);
  return (
    <Group gap="sm" component="span">
      <MailingState mailing={summary} />
      <Text size="sm" component="span">
        {t.kinds[summary.content_type]}
      </Text>
      <When mailing={summary} />
    </Group>
  );
}
