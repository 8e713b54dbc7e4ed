import { Alert, Box, Button, Fieldset, Grid, Input, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { ConfirmButton } from '../../../shared/confirm.tsx';
import { useTexts } from '../../../shared/language.tsx';
import { PageHead } from '../../../shared/page-parts.tsx';
import { useProjectId } from '../../api.ts';
import { AbTestFields } from './ab-test.tsx';
import { abTestTexts } from './ab-test-texts.ts';
import { AudienceFields } from './audience.tsx';
import { ContentFields } from './content.tsx';
import { AudienceCount } from './count.tsx';
import { type Draft, problemOfTest } from './draft.ts';
import { hasGaps } from './filter.ts';
import { filterTexts } from './filter-texts.ts';
import { useKeeping } from './kept.ts';
import { MailingPreview } from './preview.tsx';
import { Review } from './review.tsx';
import { composeTexts } from './texts.ts';
import { WhenFields } from './when.tsx';

const lacksValues = ({ audience, filter, filter_chats }: Draft): boolean =>
  audience === 'filter' && filter_chats === null && hasGaps(filter);

const lacksChoice = ({ audience, saved }: Draft): boolean => audience === 'saved' && saved === '';

export type DraftForm = UseFormReturnType<Draft>;

export function ComposeForm({
  initial,
  choices,
  draft,
  note,
  onDiscard,
}: {
  initial: Draft;
  choices: Choices;
  /** The draft that becomes the mailing, or null for a new mailing. */
  draft: string | null;
  note: string | null;
  onDiscard(): void;
}) {
  const t = useTexts(composeTexts);
  const gapTexts = useTexts(filterTexts);
  const testTexts = useTexts(abTestTexts);
  const project = useProjectId();
  const keep = useKeeping(project);
  const form = useForm<Draft>({ initialValues: initial, onValuesChange: keep });
  const [reviews, { open, close }] = useDisclosure();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const problem = problemOfTest(form.values);
        if (lacksValues(form.values)) form.setFieldError('filter_chats', gapTexts.gaps);
        else if (lacksChoice(form.values)) form.setFieldError('filter_chats', t.chooseSaved);
        else if (problem !== null) form.setFieldError('ab_test', testTexts.problems[problem]);
        else open();
      }}
    >
      <PageHead title={t.title} lead={t.lead}>
        <ConfirmButton
          label={t.discard}
          title={t.discardTitle}
          onConfirm={async () => {
            keep.cancel();
            onDiscard();
          }}
        >
          {t.discardSays}
        </ConfirmButton>
      </PageHead>
      {note && (
        <Alert color="yellow" mb="md">
          {note}
        </Alert>
      )}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <DraftFields form={form} choices={choices} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Outlook form={form} />
        </Grid.Col>
      </Grid>
      <Review form={form} draft={draft} opened={reviews} onClose={close} onMade={() => keep.cancel()} />
    </form>
  );
}

function DraftFields({ form, choices }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(composeTexts);
  return (
    <Stack gap="lg">
      <TextInput
        label={t.name}
        description={t.nameHelp}
        required
        maxLength={80}
        {...form.getInputProps('name')}
      />
      <Fieldset legend={t.content}>
        <ContentFields form={form} choices={choices} />
      </Fieldset>
      <Fieldset legend={t.abTest}>
        <AbTestFields form={form} choices={choices} />
      </Fieldset>
      <Fieldset legend={t.audience}>
        <AudienceFields form={form} choices={choices} />
      </Fieldset>
      <Fieldset legend={t.when}>
        <WhenFields form={form} />
      </Fieldset>
    </Stack>
  );
}

/** The recipients of the mailing, and a preview for some of them. */
function Outlook({ form }: { form: DraftForm }) {
  const t = useTexts(composeTexts);
  return (
    <Box pos={{ base: 'static', lg: 'sticky' }} top={72}>
      <Stack gap="lg">
        <AudienceCount draft={form.values} />
        <MailingPreview draft={form.values} />
        <Stack gap="xs" align="flex-start">
          <Button type="submit" size="md">
            {t.review}
          </Button>
          {[...new Set(Object.values(form.errors))].map((error) => (
            <Input.Error key={String(error)}>{error}</Input.Error>
          ))}
        </Stack>
      </Stack>
    </Box>
  );
}
