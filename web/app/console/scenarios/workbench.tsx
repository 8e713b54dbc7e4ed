import { Alert, Box, Grid, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { CheckedScenario, Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import type { Aim } from './canvas/canvas.tsx';
import { type Graph, graphIn } from './canvas/graph.ts';
import { canvasTexts } from './canvas/texts.ts';
import { CheckLine, Missing } from './check-line.tsx';
import { Conflicts } from './conflicts.tsx';
import { useDraft } from './draft.ts';
import { editTexts } from './edit-texts.ts';
import { EditorActions } from './editor-actions.tsx';
import { InsightFields } from './insight.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { StepPanel } from './panel/panel.tsx';
import { panelTexts } from './panel/texts.ts';
import { Runner } from './runner.tsx';
import { nameIn } from './source.ts';
import { Tests } from './tests.tsx';
import { useCheck } from './use-check.ts';
import { useEditors } from './use-editors.ts';
import { type Edits, useEdits } from './use-edits.ts';
import { type Insight, useInsight } from './use-insight.ts';
import { useSave } from './use-save.ts';
import { UsedBy } from './used-by.tsx';

const Canvas = lazy(() => import('./canvas/canvas.tsx'));
const CodeEditor = lazy(() => import('./code-editor.tsx'));

/** A scenario as a drawing or as its text, beside the tools that show its behaviour. */
export function Workbench({ scenario }: { scenario: Scenario }) {
  const t = useTexts(editTexts);
  const format = useFormat();
  const id = String(scenario.id);
  const kept = useDraft(scenario);
  const { draft, isUnsaved, wasKept, edit, discard } = kept;
  const { settled, isJson, checked, check } = useCheck(draft.source);
  const { busy, problem, conflict, save, leaveConflict } = useSave(id, kept.settle, kept.clashWith);
  const editors = useEditors(scenario);
  const publish = async () => {
    if (await kept.keep()) await save({ ...draft, revision: kept.revision() });
  };
  const edits = useEdits(draft.source, edit);
  const [step, setStep] = useState<string | null>(null);
  const [view, setView] = useState<View>('canvas');
  const [focus, setFocus] = useState<Focus>(noFocus);
  const [chosenTab, setTab] = useState<SideTab>('step');
  const tab = shownTab(view, focus, chosenTab);
  const graph = useMemo(() => graphIn(draft.source), [draft.source]);
  const insight = useInsight(scenario.id, graph);
  const complaints = useMemo(() => byCard(graph, checked?.complaints ?? []), [graph, checked]);
  const isRight = checked?.complaints.length === 0;
  const name = nameIn(settled) ?? scenario.name;

  if (conflict || kept.clash) {
    return (
      <>
        <Conflicts
          scenario={scenario}
          kept={kept}
          conflict={conflict}
          busy={busy}
          problem={problem}
          onSave={save}
          onLeave={leaveConflict}
        />
        <LeaveGuard isUnsaved={kept.keeping === 'here only'} />
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
          isRight={isRight}
          keeping={kept.keeping}
          busy={busy}
          onEdit={(text) => edits.apply(() => text)}
          onSave={publish}
        />
      </PageHead>
      <Notices
        saved={scenario.name}
        name={name}
        isUnsaved={isUnsaved}
        wasKept={wasKept}
        editors={editors}
        problem={problem}
        missing={checked?.missing ?? null}
        onDiscard={discard}
      />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <ViewChoice view={view} onChange={setView} />
          <Box h={{ base: 480, lg: 'calc(100dvh - 300px)' }} mih={480}>
            <Suspense fallback={<Loading height={480} />}>
              {view === 'json' ? (
                <CodeEditor
                  value={draft.source}
                  onChange={(text) => edits.apply(() => text, 'json')}
                  onSave={kept.keep}
                  check={check}
                  step={step}
                  label={t.editor}
                  describedBy="scenario-editor-help"
                />
              ) : (
                <Drawn
                  source={draft.source}
                  graph={graph}
                  edits={edits}
                  complaints={complaints}
                  here={tab === 'try' ? step : null}
                  insight={insight}
                  focus={focus}
                  onFocus={setFocus}
                />
              )}
            </Suspense>
          </Box>
          <Stack gap={0} mt={4}>
            <CheckLine checked={checked} isJson={isJson} />
            <Text size="sm" c="dimmed" id="scenario-editor-help">
              {view === 'json' ? t.editorHelp : t.canvasHelp}
            </Text>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <SideTabs
            scenario={scenario}
            source={settled}
            name={name}
            isRight={isRight}
            groups={checked?.uses.promocode_groups ?? []}
            onStep={setStep}
            tab={tab}
            onTab={setTab}
            insight={insight}
            drawing={
              view === 'canvas' && graph ? { graph, edits, complaints, focus, onFocus: setFocus } : null
            }
          />
        </Grid.Col>
      </Grid>
      <LeaveGuard isUnsaved={kept.keeping === 'here only'} />
    </>
  );
}

type View = 'canvas' | 'json';

const tabs = ['step', 'try', 'tests', 'use'] as const;
type SideTab = (typeof tabs)[number];

/** A key that opens a card's form shows the form. The text has none. */
function shownTab(view: View, { aim }: Focus, chosen: SideTab): SideTab {
  if (view === 'json') return chosen === 'step' ? 'try' : chosen;
  return aim === null ? chosen : 'step';
}

/** The chosen card, and where the focus shall go: to a card, or into the form of the chosen one. */
type Focus = { chosen: string | null; wanted: string | null; aim: Aim | null };

const noFocus: Focus = { chosen: null, wanted: null, aim: null };

/** The complaints about each step, by its id. */
function byCard(graph: Graph | null, complaints: CheckedScenario['complaints']): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { pointer, message } of complaints) {
    const [, index, field = ''] = /^\/steps\/(\d+)\/?(.*)$/.exec(pointer) ?? [];
    const card = graph?.cards.find((one) => one.index === Number(index));
    if (!card) continue;
    const told = field === '' || field === 'id' ? message : `${field}: ${message}`;
    found.set(card.id, [...(found.get(card.id) ?? []), told]);
  }
  return found;
}

function ViewChoice({ view, onChange }: { view: View; onChange(view: View): void }) {
  const t = useTexts(canvasTexts);
  return (
    <SegmentedControl
      size="xs"
      mb={6}
      aria-label={t.canvas}
      data={[
        { value: 'canvas', label: t.drawing },
        { value: 'json', label: t.json },
      ]}
      value={view}
      onChange={(to) => onChange(to === 'json' ? 'json' : 'canvas')}
    />
  );
}

type DrawnProps = {
  source: string;
  graph: Graph | null;
  edits: Edits;
  complaints: ReadonlyMap<string, readonly string[]>;
  here: string | null;
  insight: Insight;
  focus: Focus;
  onFocus(change: (focus: Focus) => Focus): void;
};

function Drawn({ source, graph, edits, complaints, here, insight, focus, onFocus }: DrawnProps) {
  const t = useTexts(canvasTexts);
  const onWanted = useCallback(
    (id: string | null) => onFocus((last) => ({ ...last, wanted: id })),
    [onFocus],
  );
  if (!graph) return <Alert variant="light">{t.notDrawn}</Alert>;
  return (
    <Canvas
      source={source}
      graph={graph}
      edits={edits}
      complaints={complaints}
      here={here}
      numbers={insight.numbers}
      walked={insight.walked}
      wanted={focus.wanted}
      onWanted={onWanted}
      onChoose={(id) => onFocus((last) => ({ ...last, chosen: id }))}
      onOpen={(id, aim) => onFocus((last) => ({ ...last, chosen: id, aim }))}
    />
  );
}

type NoticesProps = {
  /** The name of what is saved, and the one that the text has now. */
  saved: string;
  name: string;
  isUnsaved: boolean;
  wasKept: boolean;
  /** The names of others who have the scenario open. */
  editors: readonly string[];
  problem: string | null;
  missing: CheckedScenario['missing'] | null;
  onDiscard(): Promise<void>;
};

/** What is to be known of the text before it is saved. */
function Notices({ saved, name, isUnsaved, wasKept, editors, problem, missing, onDiscard }: NoticesProps) {
  const t = useTexts(editTexts);
  return (
    <Stack mb="md" gap="sm">
      {editors.length > 0 && (
        <Alert variant="light" color="blue" role="status" icon={<IconUsers aria-hidden />}>
          {t.alsoOpen(editors.join(', '))}
        </Alert>
      )}
      {wasKept && isUnsaved && (
        <Alert variant="light">
          <Group justify="space-between">
            <Text>{t.kept}</Text>
            <ConfirmButton label={t.discard} title={t.discardTitle} onConfirm={onDiscard}>
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

type Drawing = Pick<DrawnProps, 'edits' | 'complaints' | 'focus' | 'onFocus'> & { graph: Graph };

type SideProps = {
  scenario: Scenario;
  source: string;
  name: string;
  isRight: boolean;
  groups: readonly string[];
  onStep(step: string | null): void;
  tab: SideTab;
  onTab(tab: SideTab): void;
  insight: Insight;
  /** Null beside the text. */
  drawing: Drawing | null;
};

function SideTabs({
  scenario,
  source,
  name,
  isRight,
  groups,
  onStep,
  tab,
  onTab,
  insight,
  drawing,
}: SideProps) {
  const t = useTexts(editTexts);
  const words = useTexts(panelTexts);
  return (
    <Tabs value={tab} onChange={(to) => onTab(tabs.find((one) => one === to) ?? 'try')}>
      <Tabs.List>
        {drawing && <Tabs.Tab value="step">{words.step}</Tabs.Tab>}
        <Tabs.Tab value="try">{t.tryIt}</Tabs.Tab>
        <Tabs.Tab value="tests">{t.tests}</Tabs.Tab>
        <Tabs.Tab value="use">{t.use}</Tabs.Tab>
      </Tabs.List>
      {drawing && (
        <Tabs.Panel value="step">
          <ChosenStep drawing={drawing} onAimed={() => onTab('step')} />
        </Tabs.Panel>
      )}
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
        {drawing && <InsightFields insight={insight} version={scenario.version} />}
        <UsedBy scenario={scenario} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ChosenStep({ drawing, onAimed }: { drawing: Drawing; onAimed(): void }) {
  const { graph, edits, complaints, focus, onFocus } = drawing;
  const aimed = useCallback(() => {
    onAimed();
    onFocus((last) => ({ ...last, aim: null }));
  }, [onAimed, onFocus]);
  return (
    <StepPanel
      graph={graph}
      card={graph.cards.find(({ id }) => id === focus.chosen)}
      edits={edits}
      complaints={complaints.get(focus.chosen ?? '') ?? []}
      aim={focus.aim}
      onAimed={aimed}
      onLeave={(id) => onFocus((last) => ({ ...last, chosen: id, wanted: id }))}
      onRenamed={(id) => onFocus((last) => ({ ...last, chosen: id }))}
    />
  );
}
