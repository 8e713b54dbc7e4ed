import { Group, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useProjectId } from '../api.ts';
import { eventTypesOf } from './event-types.ts';
import type { LogSearch } from './search.ts';
import { webhooks } from './texts.ts';

const states = ['PENDING', 'DELIVERED', 'FAILED', 'KEPT'] as const;

/** The filters of the log. They are in the URL, and each change returns to the newest events. */
export function LogFilters({ webhook, search }: { webhook: Webhook; search: LogSearch }) {
  const project = useProjectId();
  const navigate = useNavigate();
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const change = (changed: LogSearch) =>
    navigate({
      to: '/$project/webhooks/$webhook/',
      params: { project, webhook: webhook.uuid },
      search: { ...search, before: undefined, ...changed },
      replace: true,
    });
  return (
    <Group align="flex-end">
      <Select
        label={words.state}
        placeholder={t.any}
        data={states.map((state) => ({ value: state, label: t[state] }))}
        value={search.state ?? null}
        onChange={(state) => change({ state: state ?? undefined })}
        clearable
        w={160}
      />
      <Select
        label={t.type}
        placeholder={t.any}
        data={[...eventTypesOf(webhook)]}
        value={search.event_type ?? null}
        onChange={(type) => change({ event_type: type ?? undefined })}
        clearable
        w={200}
      />
      <TextInput
        label={t.from}
        type="datetime-local"
        value={search.from ?? ''}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        label={t.to}
        type="datetime-local"
        value={search.to ?? ''}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
    </Group>
  );
}
