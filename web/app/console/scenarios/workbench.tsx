import { Alert, Box, Grid, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { CheckedScenario, Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { type Graph, graphIn } from './canvas/graph.ts';
import { canvasTexts } from './canvas/texts.ts';
import type { Aim } from './canvas/use-desk.ts';
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
import { Running } from './running.tsx';
import { nameIn } from './source.ts';
import { Starts } from './starts/starts.tsx';
import { Tests } from './tests.tsx';
import { useCheck } from './use-check.ts';
import { useEditors } from './use-editors.ts';
import { useEdits } from './use-edits.ts';
import { useInsight } from './use-insight.ts';
import { useSave } from './use-save.ts';

const Canvas = lazy(() => import('./canvas/canvas.tsx'));
const CodeEditor = lazy(() => import('./code-editor.tsx'));

/** The text, its checks and its tools, as one page has them. */
function useBench(scenario: Scenario) {
  const kept = useDraft(scenario);
  const { draft } = kept;
  const checking = useCheck(draft.source);
  const saving = useSave(String(scenario.id), kept.settle, kept.clashWith);
  const edits = useEdits(draft.source, kept.edit);
  const [step, setStep] = useState<string | null>(null);
  const [view, setView] = useState<View>('canvas');
  const [focus, setFocus] = useState<Focus>(noFocus);
  const [chosenTab, setTab] = useState<SideTab>('step');
  const graph = useMemo(() => graphIn(draft.source), [draft.source]);
  const { checked } = checking;
  const complaints = useMemo(() => byCard(graph, checked?.complaints ?? []), [graph, checked]);
  return {
    ...{ scenario, kept, checking, saving, edits, step, setStep, view, setView, focus, setFocus, setTab },
    ...{ graph, complaints },
    tab: shownTab(view, focus, chosenTab),
    insight: useInsight(scenario.id, graph),
    isRight: checked?.complaints.length === 0,
    name: nameIn(checking.settled) ?? scenario.name,
    publish: async () => {
      if (await kept.keep()) await saving.save({ ...draft, revision: kept.revision() });
    },
  };
}

type Bench = ReturnType<typeof useBench>;

/** A scenario as a drawing or as its text, beside the tools that show its behaviour. */
export function Workbench({ scenario }: { scenario: Scenario }) {
  const t = useTexts(editTexts);
  const format = useFormat();
  const editors = useEditors(scenario);
  const bench = useBench(scenario);
  const { kept, saving, edits, isRight } = bench;
  const guard = <LeaveGuard isUnsaved={kept.keeping === 'here only'} />;
  if (saving.conflict || kept.clash) {
    return (
      <>
        <Conflicts scenario={scenario} kept={kept} saving={saving} />
        {guard}
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
          source={kept.draft.source}
          isUnsaved={kept.isUnsaved}
          isRight={isRight}
          keeping={kept.keeping}
          busy={saving.busy}
          onEdit={(text) => edits.apply(() => text)}
          onSave={bench.publish}
        />
      </PageHead>
      <Notices bench={bench} editors={editors} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Editor bench={bench} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <SideTabs bench={bench} />
        </Grid.Col>
      </Grid>
      {guard}
    </>
  );
}

/** The drawing or the text, and below it whether it is a valid scenario. */
function Editor({ bench }: { bench: Bench }) {
  const t = useTexts(editTexts);
  const { view, checking, kept, edits, step } = bench;
  return (
    <>
      <ViewChoice view={view} onChange={bench.setView} />
      <Box h={{ base: 480, lg: 'calc(100dvh - 300px)' }} mih={480}>
        <Suspense fallback={<Loading height={480} />}>
          {view === 'json' ? (
            <CodeEditor
              value={kept.draft.source}
              onChange={(text) => edits.apply(() => text, 'json')}
              onSave={kept.keep}
              check={checking.check}
              step={step}
              label={t.editor}
              describedBy="scenario-editor-help"
            />
          ) : (
            <Drawn bench={bench} />
          )}
        </Suspense>
      </Box>
      <Stack gap={0} mt={4}>
        <CheckLine checked={checking.checked} isJson={checking.isJson} />
        <Text size="sm" c="dimmed" id="scenario-editor-help">
          {view === 'json' ? t.editorHelp : t.canvasHelp}
        </Text>
      </Stack>
    </>
  );
}

type View = 'canvas' | 'json';

const tabs = ['step', 'try', 'tests', 'starts', 'use'] as const;
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

function Drawn({ bench }: { bench: Bench }) {
  const t = useTexts(canvasTexts);
  const { graph, edits, complaints, step, tab, insight, focus, setFocus } = bench;
  if (!graph) return <Alert variant="light">{t.notDrawn}</Alert>;
  return (
    <Canvas
      graph={graph}
      edits={edits}
      complaints={complaints}
      here={tab === 'try' ? step : null}
      numbers={insight.numbers}
      walked={insight.walked}
      wanted={focus.wanted}
      onWanted={(id) => setFocus((last) => ({ ...last, wanted: id }))}
      onChoose={(id) => setFocus((last) => ({ ...last, chosen: id }))}
      onOpen={(id, aim) => setFocus((last) => ({ ...last, chosen: id, aim }))}
    />
  );
}

/** What is to be known of the text before it is published. `editors` are others who have it open. */
function Notices({ bench, editors }: { bench: Bench; editors: readonly string[] }) {
  const t = useTexts(editTexts);
  const { scenario, kept, saving, checking, name } = bench;
  const missing = checking.checked?.missing;
  return (
    <Stack mb="md" gap="sm">
      {editors.length > 0 && (
        <Alert variant="light" color="blue" role="status" icon={<IconUsers aria-hidden />}>
          {t.alsoOpen(editors.join(', '))}
        </Alert>
      )}
      {kept.wasKept && kept.isUnsaved && (
        <Alert variant="light">
          <Group justify="space-between">
            <Text>{t.kept}</Text>
            <ConfirmButton label={t.discard} title={t.discardTitle} onConfirm={kept.discard}>
              {t.discardText}
            </ConfirmButton>
          </Group>
        </Alert>
      )}
      <FormProblem text={saving.problem} />
      {kept.isUnsaved && name !== '' && name !== scenario.name && (
        <Alert color="yellow" variant="light">
          {t.renamed(scenario.name, name)}
        </Alert>
      )}
      {missing && <Missing missing={missing} />}
    </Stack>
  );
}

function SideTabs({ bench }: { bench: Bench }) {
  const t = useTexts(editTexts);
  const words = useTexts(panelTexts);
  const { scenario, view, graph, tab, setTab, isRight } = bench;
  const { settled, checked } = bench.checking;
  const isDrawn = view === 'canvas' && graph !== null;
  return (
    <Tabs value={tab} onChange={(to) => setTab(tabs.find((one) => one === to) ?? 'try')}>
      <Tabs.List>
        {isDrawn && <Tabs.Tab value="step">{words.step}</Tabs.Tab>}
        <Tabs.Tab value="try">{t.tryIt}</Tabs.Tab>
        <Tabs.Tab value="tests">{t.tests}</Tabs.Tab>
        <Tabs.Tab value="starts">{t.starts}</Tabs.Tab>
        <Tabs.Tab value="use">{t.use}</Tabs.Tab>
      </Tabs.List>
      {isDrawn && (
        <Tabs.Panel value="step">
          <ChosenStep bench={bench} graph={graph} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="try">
        <Runner
          scenarioId={String(scenario.id)}
          source={settled}
          isRight={isRight}
          groups={checked?.uses.promocode_groups ?? []}
          name={bench.name}
          onStep={bench.setStep}
        />
      </Tabs.Panel>
      <Tabs.Panel value="tests">
        <Tests scenario={scenario} source={settled} isRight={isRight} />
      </Tabs.Panel>
      <Tabs.Panel value="starts">{tab === 'starts' && <Starts scenarioId={scenario.id} />}</Tabs.Panel>
      <Tabs.Panel value="use">
        {isDrawn && <InsightFields insight={bench.insight} version={scenario.version} />}
        <Running scenario={scenario} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ChosenStep({ bench, graph }: { bench: Bench; graph: Graph }) {
  const { edits, complaints, focus, setFocus, setTab } = bench;
  const aimed = useCallback(() => {
    setTab('step');
    setFocus((last) => ({ ...last, aim: null }));
  }, [setTab, setFocus]);
  return (
    <StepPanel
      graph={graph}
      card={graph.cards.find(({ id }) => id === focus.chosen)}
      edits={edits}
      complaints={complaints.get(focus.chosen ?? '') ?? []}
      aim={focus.aim}
      onAimed={aimed}
      onLeave={(id) => setFocus((last) => ({ ...last, chosen: id, wanted: id }))}
      onRenamed={(id) => setFocus((last) => ({ ...last, chosen: id }))}
    />
  );
}
