import { Button, Collapse, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { codeInput } from './code-input.ts';
import { runnerTexts } from './runner-texts.ts';
import type { Setup } from './script.ts';
import { jsonIn } from './source.ts';

const isSetup = (value: unknown): value is Setup =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The data of the simulated client, and the start parameters. */
export function RunnerSetup({ setup, onChange }: { setup: Setup; onChange(setup: Setup): void }) {
  const t = useTexts(runnerTexts);
  const [opened, { toggle }] = useDisclosure();
  const [text, setText] = useState(() => JSON.stringify(setup, null, 2));
  const [isWrong, setWrong] = useState(false);
  function change(written: string) {
    setText(written);
    const value = jsonIn(written);
    setWrong(!isSetup(value));
    if (isSetup(value)) onChange(value);
  }
  return (
    <div>
      <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={opened}>
        {t.setup}
      </Button>
      <Collapse expanded={opened}>
        <Textarea
          aria-label={t.setup}
          description={t.setupHint}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          error={isWrong && t.setupWrong}
          autosize
          minRows={4}
          maxRows={14}
          styles={codeInput}
        />
      </Collapse>
    </div>
  );
}
