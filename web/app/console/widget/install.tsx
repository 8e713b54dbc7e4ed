import { Stack, Text, Title } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { CodeLine } from './code-line.tsx';
import { useScriptTag } from './script-tag.ts';
import { widgetTexts } from './texts.ts';

export function Install({ uuid }: { uuid: string }) {
  const t = useTexts(widgetTexts);
  const scriptTag = useScriptTag();
  return (
    <Stack maw={860}>
      <Title order={2} size="h3">
        {t.install}
      </Title>
      <Text>{t.installText}</Text>
      <CodeLine label={t.code} code={scriptTag(uuid)} />
    </Stack>
  );
}
