import { ActionIcon, Button, Group, Modal, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconFlag2,
  IconHierarchy2,
  IconKeyboard,
  IconMaximize,
  IconNote,
  IconPlus,
  IconTrash,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import { common } from '../../../shared/texts.ts';
import type { Edits } from '../use-edits.ts';
import classes from './canvas.module.css';
import type { Card, Graph } from './graph.ts';
import { canvasTexts } from './texts.ts';

type Props = {
  search: RefObject<HTMLInputElement | null>;
  graph: Graph;
  wordsOf(card: Card): string;
  edits: Edits;
  /** The number of selected cards. */
  selected: number;
  onAdd(): void;
  onNote(): void;
  onTidy(): void;
  onZoom(by: 1 | -1): void;
  onFit(): void;
  onFind(id: string): void;
  /** The search is over, at this card. */
  onEnter(id: string): void;
  onDuplicate(): void;
  onDelete(): void;
  onStart(): void;
};

/** The tools above the cards. */
export function CanvasBar(props: Props) {
  const t = useTexts(canvasTexts);
  const { edits, selected } = props;
  return (
    <div className={classes.bar}>
      <Button size="compact-md" leftSection={<IconPlus size={16} aria-hidden />} onClick={props.onAdd}>
        {t.add}
      </Button>
      <ActionIcon.Group>
        <Tool label={t.undo} icon={IconArrowBackUp} onClick={edits.undo} disabled={!edits.canUndo} />
        <Tool label={t.redo} icon={IconArrowForwardUp} onClick={edits.redo} disabled={!edits.canRedo} />
      </ActionIcon.Group>
      <ActionIcon.Group>
        <Tool label={t.tidy} icon={IconHierarchy2} onClick={props.onTidy} />
        <Tool label={t.addNote} icon={IconNote} onClick={props.onNote} />
      </ActionIcon.Group>
      <ActionIcon.Group>
        <Tool label={t.zoomOut} icon={IconZoomOut} onClick={() => props.onZoom(-1)} />
        <Tool label={t.fit} icon={IconMaximize} onClick={props.onFit} />
        <Tool label={t.zoomIn} icon={IconZoomIn} onClick={() => props.onZoom(1)} />
      </ActionIcon.Group>
      {selected > 0 && (
        <ActionIcon.Group aria-label={t.selected(selected)}>
          <Tool label={t.duplicate} icon={IconCopy} onClick={props.onDuplicate} />
          <Tool label={t.makeStart} icon={IconFlag2} onClick={props.onStart} disabled={selected > 1} />
          <Tool label={t.delete} icon={IconTrash} onClick={props.onDelete} />
        </ActionIcon.Group>
      )}
      <Search {...props} />
      <KeyList />
    </div>
  );
}

type ToolProps = { label: string; icon: typeof IconPlus; onClick(): void; disabled?: boolean };

const Tool = ({ label, icon: Icon, onClick, disabled }: ToolProps) => (
  <ActionIcon
    variant="default"
    size={28}
    aria-label={label}
    title={label}
    onClick={onClick}
    disabled={disabled}
  >
    <Icon size={16} aria-hidden />
  </ActionIcon>
);

/** Finds cards by their words or ids. Enter goes from one to the next, Escape to the card. */
function Search({ search, graph, wordsOf, onFind, onEnter }: Props) {
  const t = useTexts(canvasTexts);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = text.trim().toLowerCase();
  const found =
    wanted === ''
      ? []
      : graph.cards.filter((card) =>
          [card.id, wordsOf(card), ...card.ways.map(({ words }) => words)].some((one) =>
            one.toLowerCase().includes(wanted),
          ),
        );
  function go(to: number) {
    const place = found.length === 0 ? 0 : (to + found.length) % found.length;
    setAt(place);
    const card = found[place];
    if (card) onFind(card.id);
  }
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput
        ref={search}
        size="xs"
        w={150}
        type="search"
        aria-label={t.find}
        placeholder={t.find}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(-1);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? at - 1 : at + 1);
          const card = found[Math.max(0, at)];
          if (event.key === 'Escape' && card) onEnter(card.id);
        }}
      />
      <Text size="xs" role="status">
        {wanted !== '' && (found.length > 0 ? t.found(Math.max(0, at) + 1, found.length) : t.foundNone)}
      </Text>
    </Group>
  );
}

function KeyList() {
  const t = useTexts(canvasTexts);
  const words = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Tool label={t.keys} icon={IconKeyboard} onClick={open} />
      <Modal opened={opened} onClose={close} title={t.keys} closeButtonProps={{ 'aria-label': words.close }}>
        <Table>
          <Table.Tbody>
            {t.keyList.map(([keys, does]) => (
              <Table.Tr key={keys}>
                <Table.Th scope="row">{keys}</Table.Th>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
