import { ActionIcon, Button, Fieldset, Group, Input, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { Settings } from '../../../../src/people/console/settings/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { settingsTexts } from './texts.ts';

type Form = UseFormReturnType<Omit<Settings, 'scenarios' | 'countries'>>;

/** The scenarios that messages of clients start. */
export function Starts({ form, scenarios }: { form: Form; scenarios: string[] }) {
  const t = useTexts(settingsTexts);
  const project = useProjectId();
  if (scenarios.length === 0) {
    return (
      <Fieldset legend={t.starts}>
        <Stack align="flex-start">
          <Text>{t.noScenarios}</Text>
          <ButtonLink to="/$project/scenarios/" params={{ project }} variant="default">
            {t.toScenarios}
          </ButtonLink>
        </Stack>
      </Fieldset>
    );
  }
  return (
    <Fieldset legend={t.starts}>
      <Stack>
        <Select
          label={t.welcome}
          placeholder={t.nothing}
          data={scenarios}
          searchable
          clearable
          {...form.getInputProps('welcome')}
        />
        <Keywords form={form} scenarios={scenarios} />
      </Stack>
    </Fieldset>
  );
}

function Keywords({ form, scenarios }: { form: Form; scenarios: string[] }) {
  const t = useTexts(settingsTexts);
  const { number } = useFormat();
  const { keywords } = form.values;
  const add = () => form.insertListItem('keywords', { keyword: '', scenario: scenarios[0] ?? '' });
  return (
    <Input.Wrapper
      component="div"
      label={t.keywords}
      labelElement="div"
      description={t.keywordsHint}
      error={form.errors.keywords}
    >
      <Stack gap="xs" mt="xs">
        {keywords.length === 0 && <Text>{t.noKeywords}</Text>}
        {keywords.map(({ keyword }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name but its place, and keeps no state.
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={t.nthKeyword(number(index + 1))}
              placeholder={t.keyword}
              maxLength={255}
              required
              {...form.getInputProps(`keywords.${index}.keyword`)}
            />
            <Select
              flex={1}
              aria-label={t.nthScenario(number(index + 1))}
              data={scenarios}
              searchable
              allowDeselect={false}
              {...form.getInputProps(`keywords.${index}.scenario`)}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t.drop(keyword || t.nthKeyword(number(index + 1)))}
              onClick={() => form.removeListItem('keywords', index)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={add} leftSection={<IconPlus size={16} aria-hidden />}>
            {t.addKeyword}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
