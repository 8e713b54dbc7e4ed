import { Button, Group, Menu, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { PlayedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { codeInput } from './code-input.ts';
import { runnerTexts } from './runner-texts.ts';
import type { Line } from './script.ts';
import { jsonIn } from './source.ts';

type Props = { played: PlayedScenario; isReady: boolean; onLine(line: Line): void };

/** The possible next events: a message of the client, time, or the response to a request. */
export function RunnerInput({ played, isReady, onLine }: Props) {
  const t = useTexts(runnerTexts);
  const format = useFormat();
  const { waits_for, until, now } = played;
  return (
    <Stack gap="xs">
      {waits_for === null && <Text size="sm">{t.over}</Text>}
      {waits_for === 'answer' ? (
        <AnswerForm isReady={isReady} onLine={onLine} />
      ) : (
        <ClientForm isReady={isReady} onLine={onLine} />
      )}
      <Group gap="xs">
        <PassTime isReady={isReady} onLine={onLine} />
        <Text size="sm">{t.now(format.moment(now))}</Text>
        {until !== null && (
          <>
            <Text size="sm">{t.until(format.moment(until))}</Text>
            <Button
              size="compact-sm"
              variant="default"
              disabled={!isReady}
              onClick={() => onLine({ wait: { seconds: secondsBetween(now, until) } })}
            >
              {t.skip}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);

function ClientForm({ isReady, onLine }: Omit<Props, 'played'>) {
  const t = useTexts(runnerTexts);
  const [text, setText] = useState('');
  function send(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === '' || !isReady) return;
    onLine({ client: text });
    setText('');
  }
  return (
    <form onSubmit={send}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t.write}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!isReady}>
          {t.send}
        </Button>
      </Group>
    </form>
  );
}

function PassTime({ isReady, onLine }: Omit<Props, 'played'>) {
  const t = useTexts(runnerTexts);
  const times = [
    [t.minutes, 300],
    [t.hour, 3_600],
    [t.day, 86_400],
  ] as const;
  return (
    <Menu>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!isReady}
          leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
        >
          {t.pass}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {times.map(([label, seconds]) => (
          <Menu.Item key={seconds} onClick={() => onLine({ wait: { seconds } })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The simulation sends no requests; the person enters the response. */
function AnswerForm({ isReady, onLine }: Omit<Props, 'played'>) {
  const t = useTexts(runnerTexts);
  const [status, setStatus] = useState<number | string>(200);
  const [body, setBody] = useState('{}');
  function send(event: FormEvent) {
    event.preventDefault();
    onLine({ answer: { status: Number(status), body: jsonIn(body) ?? body } });
  }
  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        <Text size="sm">{t.waitsAnswer}</Text>
        <NumberInput label={t.status} value={status} onChange={setStatus} min={100} max={599} w={120} />
        <Textarea
          label={t.body}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          styles={codeInput}
        />
        <Group gap="xs">
          <Button type="submit" disabled={!isReady}>
            {t.answer}
          </Button>
          <Button variant="default" disabled={!isReady} onClick={() => onLine({ answer: null })}>
            {t.noAnswer}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
