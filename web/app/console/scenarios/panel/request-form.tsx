import { Button, Fieldset, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import { codeInput } from '../code-input.ts';
import { isObject, jsonIn } from '../source.ts';
import { type FormProps, Pairs, textOf, Words } from './fields.tsx';
import { leavesOf, nameFor, valueAt } from './sample.ts';
import { panelTexts } from './texts.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function RequestForm({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  const [sample, setSample] = useState('');
  const answer = sample.trim() === '' ? undefined : jsonIn(sample);
  return (
    <Stack gap="sm">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={t.method}
          data={methods}
          value={textOf(step.method) || 'GET'}
          allowDeselect={false}
          w={110}
          onChange={(value) => set(['method'], value === 'GET' ? undefined : value)}
        />
        <div style={{ flex: 1 }}>
          <Words
            label={t.url}
            value={textOf(step.url)}
            variables={variables}
            isLong={false}
            onChange={(text) => set(['url'], text)}
          />
        </div>
      </Group>
      <Pairs
        legend={t.headers}
        value={step.headers}
        variables={variables}
        onChange={(value) => set(['headers'], value)}
      />
      <BodyField body={step.body} onChange={(body) => set(['body'], body)} />
      <Pairs
        legend={t.keep}
        valueLabel={t.pointer}
        value={step.keep}
        onChange={(value) => set(['keep'], value)}
        note={(pointer) => {
          if (answer === undefined) return undefined;
          const found = valueAt(answer, pointer);
          return found === undefined ? t.pointerMisses : t.pointerFinds(JSON.stringify(found));
        }}
      />
      <Textarea
        label={t.sample}
        description={t.sampleHint}
        value={sample}
        onChange={(event) => setSample(event.currentTarget.value)}
        error={sample.trim() !== '' && answer === undefined && t.sampleWrong}
        autosize
        minRows={2}
        maxRows={8}
        styles={codeInput}
      />
      {answer !== undefined && (
        <SampleValues
          answer={answer}
          onChoose={(pointer) => {
            const keep = isObject(step.keep) ? step.keep : {};
            set(['keep'], { ...keep, [nameFor(pointer, Object.keys(keep))]: pointer });
          }}
        />
      )}
    </Stack>
  );
}

/** The values of a sample response. A click stores one of them from then on. */
function SampleValues({ answer, onChoose }: { answer: unknown; onChoose(pointer: string): void }) {
  const t = useTexts(panelTexts);
  return (
    <Fieldset legend={t.sampleValues}>
      <Stack gap={2} align="stretch">
        {leavesOf(answer).map(({ pointer, value }) => (
          <Button
            key={pointer}
            size="compact-sm"
            variant="subtle"
            justify="flex-start"
            aria-label={t.keepThis(pointer, value)}
            onClick={() => onChoose(pointer)}
          >
            <Text size="sm" ff="monospace" truncate>
              {pointer} = {value}
            </Text>
          </Button>
        ))}
      </Stack>
    </Fieldset>
  );
}

const writtenBody = (body: unknown): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2);

const bodyIn = (text: string): unknown => (text.trim() === '' ? undefined : (jsonIn(text) ?? text));

/** JSON is stored as such, anything else as a text. The field keeps the spaces that a person types. */
function BodyField({ body, onChange }: { body: unknown; onChange(body: unknown): void }) {
  const t = useTexts(panelTexts);
  const [typed, setTyped] = useState<string | null>(null);
  const isCurrent = typed !== null && JSON.stringify(bodyIn(typed)) === JSON.stringify(body);
  return (
    <Textarea
      label={t.body}
      value={isCurrent ? typed : writtenBody(body)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(bodyIn(event.currentTarget.value));
      }}
      autosize
      minRows={2}
      maxRows={10}
      styles={codeInput}
    />
  );
}
