import { Alert, Box, Grid, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { CheckedScenario, Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { useProjectId } from '../api.ts';
import { CheckLine, Missing } from './check-line.tsx';
import { CodeEditor } from './code-editor.tsx';
import { ConflictView } from './conflict.tsx';
import { useDraft } from './draft.ts';
import { editTexts } from './edit-texts.ts';
import { EditorActions } from './editor-actions.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { Runner } from './runner.tsx';
import { nameIn } from './source.ts';
import { Tests } from './tests.tsx';
import { useCheck } from './use-check.ts';
import { useSave } from './use-save.ts';
import { UsedBy } from './used-by.tsx';

/** The text of a scenario, beside the tools that show its behaviour. */
export function Workbench({ scenario }: { scenario: Scenario }) {
  const t = useTexts(editTexts);
  const format = useFormat();
  const project = useProjectId();
  const id = String(scenario.id);
  const { draft, isUnsaved, wasKept, edit, settle, discard } = useDraft(project, id, scenario);
  const { settled, isJson, checked, check } = useCheck(draft.source);
  const { busy, problem, conflict, save, leaveConflict } = useSave(id, settle);
  const [step, setStep] = useState<string | null>(null);
  const isRight = checked?.complaints.length === 0;
  const name = nameIn(settled) ?? scenario.name;

  if (conflict) {
    return (
      <>
        <ConflictView
          conflict={conflict}
          mine={draft.source}
          busy={busy}
          problem={problem}
          onEdit={edit}
          onSave={() => save({ source: draft.source, version: conflict.current.version })}
          onTakeTheirs={() => {
            discard();
            leaveConflict();
          }}
          onBack={leaveConflict}
        />
        <LeaveGuard isUnsaved={isUnsaved} />
      </>
    );
  }
  const who = scenario.saved_by ?? t.commandLine;
  return (
    <>
      <PageHead
        title={scenario.name}
        lead={t.lead(format.number(scenario.version), format.moment(scenario.saved_at), who)}
      >
        <EditorActions
          scenario={scenario}
          source={draft.source}
          isUnsaved={isUnsaved}
          busy={busy}
          onEdit={edit}
          onSave={() => save(draft)}
        />
      </PageHead>
      <Notices
        saved={scenario.name}
        name={name}
        isUnsaved={isUnsaved}
        wasKept={wasKept}
        problem={problem}
        missing={checked?.missing ?? null}
        onDiscard={discard}
      />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Box h={{ base: 420, lg: 'calc(100dvh - 290px)' }} mih={420}>
            <CodeEditor
              value={draft.source}
              onChange={edit}
              onSave={() => save(draft)}
              check={check}
              step={step}
              label={t.editor}
              describedBy="scenario-editor-help"
            />
          </Box>
          <Stack gap={0} mt={4}>
            <CheckLine checked={checked} isJson={isJson} />
            <Text size="sm" c="dimmed" id="scenario-editor-help">
              {t.editorHelp}
            </Text>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <SideTabs
            scenario={scenario}
            source={settled}
            name={name}
            isRight={isRight}
            groups={checked?.uses.promocode_groups ?? []}
            onStep={setStep}
          />
        </Grid.Col>
      </Grid>
      <LeaveGuard isUnsaved={isUnsaved} />
    </>
  );
}

type NoticesProps = {
  /** The name of what is saved, and the one that the text has now. */
  saved: string;
  name: string;
  isUnsaved: boolean;
  wasKept: boolean;
  problem: string | null;
  missing: CheckedScenario['missing'] | null;
  onDiscard(): void;
};

/** What is to be known of the text before it is saved. */
function Notices({ saved, name, isUnsaved, wasKept, problem, missing, onDiscard }: NoticesProps) {
  const t = useTexts(editTexts);
  return (
    <Stack mb="md" gap="sm">
      {wasKept && isUnsaved && (
        <Alert variant="light">
          <Group justify="space-between">
            <Text>{t.kept}</Text>
            <ConfirmButton label={t.discard} title={t.discardTitle} onConfirm={async () => onDiscard()}>
              {t.discardText}
            </ConfirmButton>
          </Group>
        </Alert>
      )}
      {problem && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      {isUnsaved && name !== '' && name !== saved && (
        <Alert color="yellow" variant="light">
          {t.renamed(saved, name)}
        </Alert>
      )}
      {missing && <Missing missing={missing} />}
    </Stack>
  );
}

type SideProps = {
  scenario: Scenario;
  source: string;
  name: string;
  isRight: boolean;
  groups: readonly string[];
  onStep(step: string | null): void;
};

function SideTabs({ scenario, source, name, isRight, groups, onStep }: SideProps) {
  const t = useTexts(editTexts);
  return (
    <Tabs defaultValue="try">
      <Tabs.List>
        <Tabs.Tab value="try">{t.tryIt}</Tabs.Tab>
        <Tabs.Tab value="tests">{t.tests}</Tabs.Tab>
        <Tabs.Tab value="use">{t.use}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="try">
        <Runner
          scenarioId={String(scenario.id)}
          source={source}
          isRight={isRight}
          groups={groups}
          name={name}
          onStep={onStep}
        />
      </Tabs.Panel>
      <Tabs.Panel value="tests">
        <Tests scenario={scenario} source={source} isRight={isRight} />
      </Tabs.Panel>
      <Tabs.Panel value="use">
        <UsedBy scenario={scenario} />
      </Tabs.Panel>
    </Tabs>
  );
}
