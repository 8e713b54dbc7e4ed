import { Button, Group, Select, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { platformName } from '../../shared/platforms.ts';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { useClients } from '../profiles/calls.ts';
import { useRefresh } from './calls.ts';
import { promocodeTexts } from './texts.ts';

const mostShown = 20;

/** Issues a code to a client, in one of the client's chats. */
export function Issue({ code, onDone }: { code: string; onDone(): void }) {
  const t = useTexts(promocodeTexts);
  const api = useApi();
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const form = useForm({ initialValues: { issued_chat: '' } });
  const wanted = search === chosen?.label ? '' : search.trim();
  const clients = useClients(wanted, undefined, 0, mostShown);
  const found = (clients.data?.results ?? []).flatMap(({ title, chats }) =>
    chats.map(({ uuid, platform }) => ({
      value: uuid,
      label: `${title ?? t.somebody} · ${platformName(platform)}`,
    })),
  );
  const data = chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
  const { busy, problem, submit } = useSubmit(form, async ({ issued_chat }: { issued_chat: string }) => {
    await api.patch(`promocodes/${code}/`, { issued_chat });
    await refresh();
    onDone();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Select
          label={t.issueTo}
          description={t.issueHint}
          data-autofocus
          searchable
          data={data}
          filter={({ options }) => options}
          searchValue={typed}
          onSearchChange={setTyped}
          nothingFoundMessage={t.nobody}
          {...form.getInputProps('issued_chat')}
          value={chosen?.value ?? null}
          onChange={(value, option) => {
            setChosen(value === null ? null : option);
            form.setFieldValue('issued_chat', value ?? '');
          }}
        />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={chosen === null}>
            {t.issue}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
