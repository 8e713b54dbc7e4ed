import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { encode } from 'uqr';
import type { Words } from '../../../../src/channels/contract/guide.ts';
import type { FirstMessage } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts, useWords } from '../../shared/language.tsx';
import styles from './guide.module.css';
import { guideTexts } from './guide-texts.ts';
import { useTestPush } from './use-test-push.tsx';

type Message = NonNullable<FirstMessage['message']>;

/** How to write to the channel, and the first message once it is there. */
export function TryOut({
  text,
  link,
  message,
}: {
  text: Words;
  link: string | null;
  message: Message | null;
}) {
  const t = useTexts(guideTexts);
  const inWords = useWords();
  return (
    <Stack gap="md" align="flex-start">
      <Text>{inWords(text)}</Text>
      {link !== null && !message && <Invitation link={link} />}
      <div role="status">
        {!message && (
          <Group gap="xs">
            <Loader size="sm" />
            <Text>{t.waiting}</Text>
          </Group>
        )}
        {message && (
          <Stack gap="xs">
            <Text fw={600}>{t.arrived(message.chat.name ?? t.somebody)}</Text>
            <div className={styles.bubble}>{message.text ?? t.noText}</div>
          </Stack>
        )}
      </div>
      {message && <Answer chat={message.chat.uuid} />}
    </Stack>
  );
}

function Invitation({ link }: { link: string }) {
  const t = useTexts(guideTexts);
  return (
    <>
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noreferrer"
        variant="default"
        rightSection={<IconExternalLink size={16} aria-hidden />}
      >
        {t.openLink}
      </Button>
      <Text size="sm">{t.scan}</Text>
      <Code link={link} />
    </>
  );
}

/** Dark on white in both themes, for cameras. */
function Code({ link }: { link: string }) {
  const t = useTexts(guideTexts);
  const { data, size } = encode(link, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`${t.code}: ${link}`}>
      <path d={path} fill="#000" />
    </svg>
  );
}

function Answer({ chat }: { chat: string }) {
  const t = useTexts(guideTexts);
  const { form, busy, problem, onSubmit, state } = useTestPush({ content: t.answerExample }, () => ({
    uuid: chat,
  }));
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        <Group align="flex-end">
          <TextInput label={t.answer} required w={320} maw="100%" {...form.getInputProps('content')} />
          <Button type="submit" loading={busy}>
            {t.send}
          </Button>
        </Group>
        <FormProblem text={problem} />
        {state}
      </Stack>
    </form>
  );
}
