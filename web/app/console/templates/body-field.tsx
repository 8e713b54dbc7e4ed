import { Textarea, type TextareaProps } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { templateTexts } from './texts.ts';

/** The text of a template. `input` is from its form. */
export function BodyField({ input }: { input: TextareaProps }) {
  const t = useTexts(templateTexts);
  return (
    <Textarea
      label={t.body}
      description={t.bodyHint}
      required
      maxLength={1024}
      autosize
      minRows={3}
      maxRows={10}
      {...input}
    />
  );
}
