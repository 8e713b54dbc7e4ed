import { Input, SegmentedControl } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A choice between a few visible options. */
export function Choice({
  label,
  choices,
  value,
  onChange,
  error,
}: {
  label: string;
  /** The label of each value. */
  choices: Readonly<Record<string, string>>;
  value?: string;
  onChange(value: string): void;
  error?: ReactNode;
}) {
  const id = useId();
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} error={error}>
      <div>
        <SegmentedControl
          aria-labelledby={id}
          data={Object.entries(choices).map(([word, called]) => ({ value: word, label: called }))}
          value={value}
          onChange={onChange}
        />
      </div>
    </Input.Wrapper>
  );
}
