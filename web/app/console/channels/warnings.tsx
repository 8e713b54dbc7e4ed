import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Channel, ChannelWarning } from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { channels } from './texts.ts';

/** What a person should look at, in sentences. */
export function Warnings({ channel: { warnings } }: { channel: Channel }) {
  const t = useTexts(channels);
  const sentence = useSentence();
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" variant="light" title={t.warnings} icon={<IconAlertTriangle aria-hidden />}>
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning.kind}>{sentence(warning)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The same for a list: only their number, and the first. */
export function FirstWarning({ channel: { warnings } }: { channel: Channel }) {
  const t = useTexts(channels);
  const { number } = useFormat();
  const sentence = useSentence();
  const [first] = warnings;
  if (!first) return null;
  return (
    <Text size="sm" fw={600} maw={360}>
      {warnings.length > 1 && `${t.warned(number(warnings.length))}. `}
      {sentence(first)}
    </Text>
  );
}

function useSentence(): (warning: ChannelWarning) => string {
  const t = useTexts(channels);
  const { moment, number } = useFormat();
  return ({ kind, detail, at, count, of }) => {
    switch (kind) {
      case 'refused':
        return t.refusedWarning(detail);
      case 'unregistered':
        return t.unregistered;
      case 'trouble':
        return t.trouble(detail);
      case 'lapses':
        return t.lapses(moment(at));
      case 'stuck':
        return t.stuck(number(count), moment(at));
      case 'slow':
        return t.slow(number(count), moment(at));
      case 'retrying':
        return t.retrying(number(count), number(of), detail);
      case 'failing':
        return t.failing(number(count), number(of), detail);
    }
  };
}
