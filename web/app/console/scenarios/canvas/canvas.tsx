import { useComputedColorScheme } from '@mantine/core';
import { type Edge, MiniMap, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useRef } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import classes from './canvas.module.css';
import { CanvasBar } from './canvas-bar.tsx';
import { CardView } from './card-node.tsx';
import { clipboardOf } from './clipboard.ts';
import { addKind, lead } from './desk-actions.ts';
import type { FlowNode } from './flow.ts';
import { connectionEnded, edgesChanged, nodesChanged } from './flow-events.ts';
import { pressed } from './keys.ts';
import { NoteView } from './note-node.tsx';
import { StepMenu } from './step-menu.tsx';
import { canvasTexts } from './texts.ts';
import { type CanvasProps, type Desk, useDesk } from './use-desk.ts';

const nodeTypes = { card: CardView, note: NoteView };

/** The scenario as cards. Whatever is done to them changes the text. */
export default function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing(props: CanvasProps) {
  const t = useTexts(canvasTexts);
  const desk = useDesk(props);
  const search = useRef<HTMLInputElement>(null);
  const { graph, selection, select, setCurrent, onWanted } = desk;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the cards inside.
    <div
      ref={desk.frame}
      className={classes.frame}
      onKeyDown={(event) => pressed(desk, search, event)}
      onFocus={({ target }) => {
        const id = target instanceof HTMLElement ? target.dataset.card : undefined;
        if (id === undefined) return;
        setCurrent(id);
        onWanted(null);
        if (!selection.has(id)) select([id]);
      }}
      {...clipboardOf(desk)}
    >
      <CanvasBar desk={desk} search={search} />
      {graph.cards.length === 0 && <p className={classes.hint}>{t.empty}</p>}
      <section aria-label={t.canvas} aria-describedby="canvas-keys" style={{ height: '100%' }}>
        <Cards desk={desk} />
      </section>
      <span id="canvas-keys" hidden>
        {t.keysHelp}
      </span>
      <StepMenu
        at={desk.opening}
        onChoose={(kind) => addKind(desk, kind)}
        onClose={() => desk.setOpening(null)}
      />
    </div>
  );
}

function Cards({ desk }: { desk: Desk }) {
  const t = useTexts(canvasTexts);
  const colorMode = useComputedColorScheme('light');
  return (
    <ReactFlow<FlowNode, Edge>
      nodes={desk.nodes}
      edges={desk.edges}
      nodeTypes={nodeTypes}
      colorMode={colorMode}
      onInit={desk.view.showFirst}
      onNodesChange={(changes) => nodesChanged(desk, changes)}
      onEdgesChange={(changes) => edgesChanged(desk, changes)}
      onConnect={({ source, sourceHandle, target }) =>
        sourceHandle && lead(desk, source, sourceHandle, target)
      }
      onConnectEnd={connectionEnded(desk)}
      onReconnect={({ source, sourceHandle }, { target }) =>
        sourceHandle && lead(desk, source, sourceHandle, target)
      }
      onNodeDoubleClick={(_, { id, type }) => type === 'card' && desk.onOpen(id, 'fields')}
      onPaneClick={() => desk.select([])}
      minZoom={0.1}
      maxZoom={2}
      onlyRenderVisibleElements
      nodesFocusable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      zoomOnDoubleClick={false}
      connectionRadius={30}
      autoPanOnNodeFocus={false}
    >
      <MiniMap<FlowNode> pannable zoomable ariaLabel={t.map} nodeBorderRadius={8} />
    </ReactFlow>
  );
}
