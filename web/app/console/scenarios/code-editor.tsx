import { autocompletion } from '@codemirror/autocomplete';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import { styleNonce } from '../../shared/page.ts';
import { complete } from './completion.ts';
import { fieldHelp } from './help.ts';
import { rangeAt, stepsIn } from './json-tree.ts';
import { look, markedStep, markStep } from './look.ts';

export type Complaint = { pointer: string; message: string };

type Props = {
  value: string;
  onChange(value: string): void;
  onSave(): void;
  /** The server's validation of a text that is JSON. */
  check(source: string): Promise<readonly Complaint[]>;
  /** The step to mark. */
  step: string | null;
  label: string;
  describedBy: string;
};

/** The editor for a scenario, with completion from its schema. Tab moves the focus, as in any field. */
export default function CodeEditor(props: Props) {
  const { value, step, label, describedBy } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once, and later texts are set below.
  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(styleNonce),
          keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => save(latest.current) }]),
          basicSetup,
          json(),
          autocompletion({ override: [complete], icons: false }),
          fieldHelp,
          lintGutter(),
          linter((at) => complaintsIn(at, latest.current), { delay: 400 }),
          look,
          markedStep,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': describedBy,
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, describedBy]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => show(view.current, step), [step]);

  return <div ref={place} style={{ height: '100%', minHeight: 0 }} />;
}

/** Marks the step and scrolls the editor to it, unless the person is typing elsewhere. The page does not scroll. */
function show(editor: EditorView | null, step: string | null): void {
  editor?.dispatch({ effects: markStep.of(step) });
  const place = editor && stepsIn(editor.state.doc.toString()).find(({ id }) => id === step);
  if (!place || editor.hasFocus) return;
  const { top, bottom } = editor.lineBlockAt(place.from);
  const { scrollTop, clientHeight } = editor.scrollDOM;
  const isVisible = top >= scrollTop && bottom <= scrollTop + clientHeight;
  if (!isVisible) editor.scrollDOM.scrollTop = Math.max(0, top - lead);
}

/** Space above a step that is scrolled into view, in pixels. */
const lead = 60;

function save({ onSave }: Props): boolean {
  onSave();
  return true;
}

const syntax = jsonParseLinter();

async function complaintsIn(view: EditorView, { check }: Props): Promise<readonly Diagnostic[]> {
  const broken = syntax(view);
  if (broken.length > 0) return broken;
  const source = view.state.doc.toString();
  const complaints = await check(source);
  return complaints.map(({ pointer, message }) => ({
    ...rangeAt(source, pointer),
    severity: 'error',
    message,
  }));
}
