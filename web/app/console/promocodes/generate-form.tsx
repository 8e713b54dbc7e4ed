import { Button, Checkbox, Group, NumberInput, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { CodesMade } from '../../../../src/people/console/promocodes/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useShowDone } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { useRefresh } from './calls.ts';
import { lastMomentOf } from './last-moment.ts';
import { makingTexts } from './making-texts.ts';
import { promocodeTexts } from './texts.ts';
import { useStop } from './use-stop.ts';

/** The size of one call, and the limit for people. */
const atOnce = 1_000;
const most = 100_000;

const initialValues = {
  count: 100,
  chars_count: 10,
  is_add_integers: true,
  prefix: '',
  expires_at: '',
};

/** Generates codes in calls of a thousand, so that progress is visible and can be stopped. */
export function GenerateForm({ group, onDone }: { group: string; onDone(): void }) {
  const t = useTexts(makingTexts);
  const words = useTexts(promocodeTexts);
  const { number } = useFormat();
  const { form, made, busy, problem, submit, stop } = useGenerating(group, onDone);

  const { count, chars_count, prefix, is_add_integers } = form.values;
  const example = prefix + (is_add_integers ? 'K7QX2M9ATB' : 'KXQWZMRATB').slice(0, Number(chars_count) || 0);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <NumberInput
          label={t.howMany}
          min={1}
          max={most}
          allowDecimal={false}
          thousandSeparator=" "
          data-autofocus
          required
          {...form.getInputProps('count')}
        />
        <NumberInput
          label={t.length}
          description={t.lengthHint}
          min={5}
          max={10}
          allowDecimal={false}
          required
          {...form.getInputProps('chars_count')}
        />
        <Checkbox label={t.digits} {...form.getInputProps('is_add_integers', { type: 'checkbox' })} />
        <TextInput label={t.prefix} {...form.getInputProps('prefix')} />
        <Text size="sm">{t.looksLike(example)}</Text>
        <TextInput
          type="date"
          label={t.until}
          description={t.untilHint}
          {...form.getInputProps('expires_at')}
        />
        <FormProblem text={problem} />
        {busy && (
          <Stack gap={4} role="status">
            <Progress value={(made / Number(count)) * 100} aria-label={words.generate} />
            <Text size="sm">{t.madeOf(number(made), number(Number(count)))}</Text>
          </Stack>
        )}
        <Group justify="flex-end">
          {busy && (
            <Button variant="default" onClick={stop}>
              {t.stop}
            </Button>
          )}
          <Button type="submit" loading={busy}>
            {words.generate}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for a thousand codes at a time, until there are enough, no more are found, or somebody stops it. */
function useGenerating(group: string, onDone: () => void) {
  const t = useTexts(makingTexts);
  const api = useApi();
  const refresh = useRefresh();
  const showDone = useShowDone();
  const form = useForm({ initialValues });
  const [made, setMade] = useState(0);
  const { stopped, stop } = useStop();

  const { busy, problem, submit } = useSubmit(
    form,
    async ({ count, expires_at, ...form_ }: typeof initialValues) => {
      stopped.current = false;
      setMade(0);
      let done = 0;
      try {
        while (done < count && !stopped.current) {
          const wanted = Math.min(atOnce, count - done);
          const body = { ...form_, count: wanted, expires_at: lastMomentOf(expires_at) };
          const answer = await api.post<CodesMade>(`promocode-groups/${group}/generate/`, body);
          done += answer.made;
          setMade(done);
          if (answer.made < wanted) break;
        }
      } finally {
        if (done > 0) await refresh();
      }
      const isShort = done < count && !stopped.current;
      if (isShort) showDone(t.ranOut(done), 'yellow');
      else showDone(t.made(done));
      if (!stopped.current) onDone();
    },
    { quiet: true },
  );
  return { form, made, busy, problem, submit, stop };
}
