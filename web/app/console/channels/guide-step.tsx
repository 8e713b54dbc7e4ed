import { Anchor, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { PropsWithChildren, ReactNode } from 'react';
import type { Step } from '../../../../src/channels/contract/guide.ts';
import { useTexts, useWords } from '../../shared/language.tsx';
import styles from './guide.module.css';
import { guideTexts } from './guide-texts.ts';
import { Sketch } from './sketch.tsx';

/** One step of a guide, with what the person does in it. */
export function GuideStep({ number, step, children }: PropsWithChildren<{ number: number; step: Step }>) {
  const inWords = useWords();
  const words = (
    <Stack gap="sm" align="flex-start">
      <Text>{inWords(step.text)}</Text>
      {step.link && <ProviderLink link={step.link} />}
      <div className={styles.fields}>{children}</div>
    </Stack>
  );
  return (
    <NumberedStep number={number} title={inWords(step.title)}>
      {step.sketch ? (
        <div className={styles.columns}>
          {words}
          <Sketch sketch={step.sketch} />
        </div>
      ) : (
        words
      )}
    </NumberedStep>
  );
}

export function NumberedStep({
  number,
  title,
  children,
}: PropsWithChildren<{ number: number; title: ReactNode }>) {
  return (
    <li className={styles.step}>
      <ThemeIcon radius="xl" size={32} variant="light" aria-hidden>
        {number}
      </ThemeIcon>
      <div className={styles.body}>
        <Title order={2} size="h4" mb="xs">
          {title}
        </Title>
        {children}
      </div>
    </li>
  );
}

function ProviderLink({ link }: { link: string }) {
  const t = useTexts(guideTexts);
  const { host, pathname } = new URL(link);
  const place = `${host}${pathname}`.replace(/\/$/, '');
  return (
    <Anchor
      href={link}
      target="_blank"
      rel="noreferrer"
      fw={600}
      title={t.openHint(host)}
      style={{ overflowWrap: 'anywhere' }}
    >
      {place} <IconExternalLink size={16} aria-hidden style={{ verticalAlign: 'text-bottom' }} />
    </Anchor>
  );
}
