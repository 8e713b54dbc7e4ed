import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../shared/language.tsx';
import own from './colour-field.module.css';
import { widgetTexts } from './texts.ts';

/** The default colour of the widget. */
const usual = '#0b7a6b';

/** A colour as `#rrggbb`, typed or chosen with the browser's picker. */
export function ColourField({
  value = '',
  onChange,
  error,
}: {
  value?: string;
  onChange(value: string): void;
  error?: ReactNode;
}) {
  const t = useTexts(widgetTexts);
  return (
    <TextInput
      label={t.accent}
      description={t.accentHint}
      placeholder={usual}
      maxLength={7}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      leftSection={
        <input
          type="color"
          className={own.pick}
          aria-label={t.pick}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value : usual}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    />
  );
}
