import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { stepsIn } from './json-tree.ts';

const colour = (light: string, dark: string): string =>
  `light-dark(var(--mantine-color-${light}), var(--mantine-color-${dark}))`;

const surface = 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-7))';
const raised = 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-6))';
const border = '1px solid var(--mantine-color-default-border)';

const frame = EditorView.theme({
  '&': { border, borderRadius: 'var(--mantine-radius-md)', backgroundColor: surface, height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '13px', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: surface,
    color: 'var(--mantine-color-dimmed)',
    borderRight: border,
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: colour('blue-2', 'blue-9'),
  },
  '.cm-here': {
    backgroundColor: colour('teal-0', 'dark-5'),
    boxShadow: 'inset 3px 0 0 var(--mantine-color-teal-6)',
  },
  '.cm-tooltip': { backgroundColor: raised, color: 'var(--mantine-color-text)', border, maxWidth: '420px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mantine-color-teal-9)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-help': { padding: '6px 10px' },
  '.cm-panels': { backgroundColor: raised, color: 'var(--mantine-color-text)' },
  '.cm-panel input, .cm-panel button': { color: 'var(--mantine-color-text)', background: surface },
});

const words = HighlightStyle.define([
  { tag: tags.propertyName, color: colour('blue-9', 'blue-2') },
  { tag: tags.string, color: colour('teal-9', 'teal-2') },
  { tag: [tags.number, tags.bool, tags.null], color: colour('grape-9', 'grape-2') },
]);

/** The editor uses the colours of the page. */
export const look: Extension = [frame, syntaxHighlighting(words)];

/** Marks only the step with that id; null clears the mark. */
export const markStep = StateEffect.define<string | null>();

type Marked = { id: string | null; lines: DecorationSet };

export const markedStep = StateField.define<Marked>({
  create: () => ({ id: null, lines: Decoration.none }),
  update(marked, transaction) {
    const id = transaction.effects.reduce<string | null>(
      (last, effect) => (effect.is(markStep) ? effect.value : last),
      marked.id,
    );
    if (id === marked.id && !transaction.docChanged) return marked;
    const { doc } = transaction.state;
    const step = id === null ? undefined : stepsIn(doc.toString()).find((one) => one.id === id);
    if (!step) return { id, lines: Decoration.none };
    const [first, last] = [doc.lineAt(step.from).number, doc.lineAt(step.to).number];
    const starts = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index).from);
    return { id, lines: Decoration.set(starts.map((at) => hereLine.range(at))) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
});

const hereLine = Decoration.line({ class: 'cm-here' });
