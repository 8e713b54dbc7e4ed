import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ChannelDetails, ChannelPatch } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { Choice } from './choice.tsx';
import { ColourField } from './colour-field.tsx';
import { type Look, lookOf } from './look.ts';
import { Preview } from './preview.tsx';
import { widgetTexts } from './texts.ts';

/** The settings of a widget, with a preview of changes. */
export function LookForm({ channel }: { channel: ChannelDetails }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const t = useTexts(widgetTexts);
  const words = useTexts(common);
  const form = useForm<{ settings: Look }>({ initialValues: { settings: lookOf(channel) } });
  const { busy, problem, submit } = useSubmit(form, async ({ settings }: { settings: Look }) => {
    const patch: ChannelPatch = { settings };
    await api.patch(`channels/${channel.uuid}/`, patch);
    await queries.invalidateQueries({ queryKey: [project, 'channels', channel.uuid] });
  });
  const field = (name: keyof Look) => form.getInputProps(`settings.${name}`);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={48}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack maw={560}>
          <Title order={2} size="h3">
            {t.look}
          </Title>
          <TextInput label={t.titleLabel} description={t.titleHint} maxLength={60} {...field('title')} />
          <Textarea
            label={t.greeting}
            description={t.greetingHint}
            maxLength={300}
            autosize
            minRows={2}
            {...field('greeting')}
          />
          <ColourField {...field('accent')} />
          <Choice label={t.position} choices={{ right: t.right, left: t.left }} {...field('position')} />
          <Choice
            label={t.theme}
            choices={{ auto: t.themeAuto, light: t.light, dark: t.dark }}
            {...field('theme')}
          />
          <Choice
            label={t.language}
            choices={{ auto: t.languageAuto, en: 'English', ru: 'Русский' }}
            {...field('language')}
          />
          <Textarea
            label={t.origins}
            description={t.originsHint}
            placeholder="https://shop.example"
            autosize
            minRows={2}
            spellCheck={false}
            {...field('allowed_origins')}
          />
          <FormProblem text={problem} />
          <Group>
            <Button type="submit" loading={busy}>
              {words.save}
            </Button>
            <Text size="sm" flex={1}>
              {t.live}
            </Text>
          </Group>
        </Stack>
      </form>
      <Preview look={form.values.settings} />
    </SimpleGrid>
  );
}
