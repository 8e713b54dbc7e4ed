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
import classes from './canvas.module.css';
import { addNote, beginAtSelected, duplicate, openAfter, remove, tidyUp } from './desk-actions.ts';
import type { Card } from './graph.ts';
import { canvasTexts } from './texts.ts';
import type { Desk } from './use-desk.ts';

type Props = { desk: Desk; search: RefObject<HTMLInputElement | null> };

/** The tools above the cards. */
export function CanvasBar({ desk, search }: Props) {
  const t = useTexts(canvasTexts);
  const { edits, view, graph, selectedCards } = desk;
  const add = () => openAfter(desk, selectedCards[0] ?? graph.cards.at(-1)?.id ?? null);
  return (
    <div className={classes.bar}>
      <Button size="compact-md" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
        {t.add}
      </Button>
      <ActionIcon.Group>
        <Tool label={t.undo} icon={IconArrowBackUp} onClick={edits.undo} disabled={!edits.canUndo} />
        <Tool label={t.redo} icon={IconArrowForwardUp} onClick={edits.redo} disabled={!edits.canRedo} />
      </ActionIcon.Group>
      <ActionIcon.Group>
        <Tool label={t.tidy} icon={IconHierarchy2} onClick={() => tidyUp(desk)} />
        <Tool label={t.addNote} icon={IconNote} onClick={() => addNote(desk)} />
      </ActionIcon.Group>
      <ActionIcon.Group>
        <Tool label={t.zoomOut} icon={IconZoomOut} onClick={() => view.zoom(-1)} />
        <Tool label={t.fit} icon={IconMaximize} onClick={() => view.fit()} />
        <Tool label={t.zoomIn} icon={IconZoomIn} onClick={() => view.zoom(1)} />
      </ActionIcon.Group>
      {selectedCards.length > 0 && <SelectionTools desk={desk} />}
      <Search desk={desk} search={search} />
      <KeyList />
    </div>
  );
}

function SelectionTools({ desk }: { desk: Desk }) {
  const t = useTexts(canvasTexts);
  const count = desk.selectedCards.length;
  return (
    <ActionIcon.Group aria-label={t.selected(count)}>
      <Tool label={t.duplicate} icon={IconCopy} onClick={() => duplicate(desk)} />
      <Tool label={t.makeStart} icon={IconFlag2} onClick={() => beginAtSelected(desk)} disabled={count > 1} />
      <Tool label={t.delete} icon={IconTrash} onClick={() => remove(desk)} />
    </ActionIcon.Group>
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
function Search({ desk, search }: Props) {
  const t = useTexts(canvasTexts);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = text.trim().toLowerCase();
  const found = wanted === '' ? [] : desk.graph.cards.filter((card) => has(desk, card, wanted));
  function go(to: number) {
    const place = found.length === 0 ? 0 : (to + found.length) % found.length;
    setAt(place);
    const card = found[place];
    const stands = card && desk.places.get(card.id);
    if (!card || !stands) return;
    desk.select([card.id]);
    desk.setCurrent(card.id);
    desk.view.centre(stands);
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
          if (event.key === 'Escape' && card) desk.goTo(card.id);
        }}
      />
      <Text size="xs" role="status">
        {wanted !== '' && (found.length > 0 ? t.found(Math.max(0, at) + 1, found.length) : t.foundNone)}
      </Text>
    </Group>
  );
}

const has = ({ words }: Desk, card: Card, wanted: string): boolean =>
  [card.id, words(card), ...card.ways.map((way) => way.words)].some((one) =>
    one.toLowerCase().includes(wanted),
  );

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
