import {
  Autocomplete,
  Button,
  FileButton,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import { useProblemText } from '../../../shared/problem.tsx';
import { isObject } from '../source.ts';
import {
  DurationFields,
  type FormProps,
  Items,
  listOf,
  orNothing,
  RemoveButton,
  textOf,
  Words,
} from './fields.tsx';
import { panelTexts } from './texts.ts';
import { useUpload } from './use-upload.ts';

/** The forms of the steps that speak with the client. */

const media = ['none', 'image', 'document'] as const;

export function MessageForm({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  const buttons = listOf(step.buttons);
  return (
    <Stack gap="sm">
      <Words
        label={t.text}
        value={textOf(step.text)}
        variables={variables}
        onChange={(text) => set(['text'], orNothing(text))}
      />
      <MediaField step={step} set={set} variables={variables} />
      <Items
        legend={t.buttons}
        addLabel={t.addButton}
        onAdd={() => set(['buttons', buttons.length], { text: '' })}
      >
        {buttons.map((button, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button is known by its place.
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <Stack gap={4} flex={1}>
              <Words
                label={t.button(index + 1)}
                value={textOf(button.text)}
                variables={variables}
                isLong={false}
                onChange={(text) => set(['buttons', index, 'text'], text)}
              />
              {button.next === undefined && (
                <TextInput
                  size="xs"
                  aria-label={`${t.button(index + 1)}: ${t.buttonUrl}`}
                  placeholder={t.buttonUrl}
                  value={textOf(button.url)}
                  onChange={(event) => set(['buttons', index, 'url'], orNothing(event.currentTarget.value))}
                />
              )}
            </Stack>
            <RemoveButton
              label={t.removeButton(index + 1)}
              onClick={() => set(buttons.length === 1 ? ['buttons'] : ['buttons', index], undefined)}
            />
          </Group>
        ))}
      </Items>
    </Stack>
  );
}

function MediaField({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  const problemText = useProblemText();
  const upload = useUpload();
  const [problem, setProblem] = useState<string | null>(null);
  const kind = step.image !== undefined ? 'image' : step.document !== undefined ? 'document' : 'none';
  async function take(file: File | null) {
    if (!file || kind === 'none') return;
    try {
      setProblem(null);
      set([kind], await upload.send(file));
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  function change(to: string) {
    const address = kind === 'none' ? '' : textOf(step[kind]);
    if (kind !== 'none') set([kind], undefined);
    if (to !== 'none') set([to], address);
  }
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t.attach}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={t.attach}
        data={media.map((value) => ({ value, label: t.media[value] }))}
        value={kind}
        onChange={change}
      />
      {kind !== 'none' && (
        <>
          <Words
            label={t.address}
            value={textOf(step[kind])}
            variables={variables}
            isLong={false}
            error={problem ?? undefined}
            onChange={(text) => set([kind], text)}
          />
          <UploadButton kind={kind} isBusy={upload.isBusy} onChoose={take} />
        </>
      )}
    </Stack>
  );
}

type UploadProps = { kind: 'image' | 'document'; isBusy: boolean; onChoose(file: File | null): void };

function UploadButton({ kind, isBusy, onChoose }: UploadProps) {
  const t = useTexts(panelTexts);
  return (
    <FileButton onChange={onChoose} accept={kind === 'image' ? 'image/*' : undefined}>
      {(props) => (
        <Button
          {...props}
          size="compact-sm"
          variant="default"
          loading={isBusy}
          leftSection={<IconUpload size={14} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.upload}
        </Button>
      )}
    </FileButton>
  );
}

const checks = ['any', 'text', 'number', 'phone', 'email', 'date', 'choice'] as const;

export function AskForm({ step, set, variables, attributes }: FormProps & { attributes: readonly string[] }) {
  const t = useTexts(panelTexts);
  const keep = isObject(step.keep) ? step.keep : {};
  const retry = isObject(step.retry) ? step.retry : {};
  /** An object without fields goes. */
  function part(field: 'keep' | 'retry', name: string, value: unknown) {
    const { [name]: _, ...others } = field === 'keep' ? keep : retry;
    const isEmpty = value === undefined && Object.keys(others).length === 0;
    set(isEmpty ? [field] : [field, name], value);
  }
  return (
    <Stack gap="sm">
      <Words
        label={t.text}
        value={textOf(step.text)}
        variables={variables}
        onChange={(text) => set(['text'], text)}
      />
      <CheckField step={step} set={set} variables={variables} />
      <TextInput
        label={t.keepVariable}
        description={t.variableHint}
        value={textOf(keep.variable)}
        onChange={(event) => part('keep', 'variable', orNothing(event.currentTarget.value))}
      />
      <Autocomplete
        label={t.keepAttribute}
        data={[...attributes]}
        value={textOf(keep.attribute)}
        onChange={(value) => part('keep', 'attribute', orNothing(value))}
      />
      <Words
        label={t.retryText}
        value={textOf(retry.text)}
        variables={variables}
        isLong={false}
        onChange={(text) => part('retry', 'text', orNothing(text))}
      />
      <NumberInput
        label={t.retryTimes}
        min={0}
        max={10}
        placeholder="2"
        value={typeof retry.times === 'number' ? retry.times : ''}
        onChange={(count) => part('retry', 'times', count === '' ? undefined : Number(count))}
      />
      <TimeoutFields step={step} set={set} />
    </Stack>
  );
}

/** What an answer has to be. */
function CheckField({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  const check = checks.find((one) => one === step.check) ?? 'any';
  return (
    <>
      <Select
        label={t.check}
        data={checks.map((value) => ({ value, label: t.checks[value] }))}
        value={check}
        allowDeselect={false}
        onChange={(value) => {
          set(['check'], value === 'any' ? undefined : value);
          if (value === 'choice' && listOf(step.options).length === 0) set(['options'], [{ text: '' }]);
          if (value !== 'choice') set(['options'], undefined);
        }}
      />
      {check === 'choice' && <Options step={step} set={set} variables={variables} />}
    </>
  );
}

function TimeoutFields({ step, set }: Pick<FormProps, 'step' | 'set'>) {
  const t = useTexts(panelTexts);
  return (
    <>
      <Switch
        label={t.timeout}
        checked={isObject(step.timeout)}
        onChange={(event) =>
          set(['timeout'], event.currentTarget.checked ? { after: { hours: 1 } } : undefined)
        }
      />
      {isObject(step.timeout) && (
        <DurationFields
          label={t.timeoutAfter}
          value={step.timeout.after}
          onChange={(duration) => set(['timeout', 'after'], duration)}
        />
      )}
    </>
  );
}

function Options({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  const options = listOf(step.options);
  return (
    <Items
      legend={t.options}
      addLabel={t.addOption}
      onAdd={() => set(['options', options.length], { text: '' })}
    >
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is known by its place.
        <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
          <div style={{ flex: 1 }}>
            <Words
              label={t.option(index + 1)}
              value={textOf(option.text)}
              variables={variables}
              isLong={false}
              onChange={(text) => set(['options', index, 'text'], text)}
            />
          </div>
          <RemoveButton
            label={t.removeOption(index + 1)}
            onClick={() => set(options.length === 1 ? ['options'] : ['options', index], undefined)}
          />
        </Group>
      ))}
    </Items>
  );
}

export function OperatorForm({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  return (
    <Stack gap="sm">
      <Words
        label={t.operatorText}
        value={textOf(step.text)}
        variables={variables}
        onChange={(text) => set(['text'], orNothing(text))}
      />
      <Words
        label={t.title}
        value={textOf(step.title)}
        variables={variables}
        isLong={false}
        onChange={(text) => set(['title'], orNothing(text))}
      />
      <Words
        label={t.team}
        value={textOf(step.team)}
        variables={variables}
        isLong={false}
        onChange={(text) => set(['team'], orNothing(text))}
      />
    </Stack>
  );
}
