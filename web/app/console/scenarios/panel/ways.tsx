import { ActionIcon, Fieldset, Group, Select, type SelectProps, Stack } from '@mantine/core';
import { IconFocus2 } from '@tabler/icons-react';
import { useTexts } from '../../../shared/language.tsx';
import { type Card, type Graph, kinds, targetOf, type Way } from '../canvas/graph.ts';
import { freePlace, placesOf } from '../canvas/layout.ts';
import { addStep, connect, disconnect, moveTo } from '../canvas/operations.ts';
import { type CanvasTexts, canvasTexts } from '../canvas/texts.ts';
import { wayWords, wordsOf } from '../canvas/words.ts';
import type { Edits } from '../use-edits.ts';
import { panelTexts } from './texts.ts';

type Props = { graph: Graph; card: Card; edits: Edits; onGoTo(id: string): void };

const fresh = 'new:';

/** Where each way out leads: to a step, to a new one, or nowhere. */
export function WaysFields({ graph, card, edits, onGoTo }: Props) {
  const t = useTexts(panelTexts);
  const words = useTexts(canvasTexts);
  if (card.ways.length === 0) return null;
  const data = [
    {
      group: t.steps,
      items: graph.cards.map((one) => ({
        value: one.id,
        label: `${one.id} · ${one.kind === null ? words.unknown : words.kinds[one.kind]}`,
      })),
    },
    {
      group: t.newStep,
      items: kinds.map((kind) => ({ value: fresh + kind, label: `+ ${words.kinds[kind]}` })),
    },
  ];
  return (
    <Fieldset legend={t.ways}>
      <Stack gap="xs">
        {card.ways.map((way) => (
          <WayField
            key={way.handle}
            label={t.wayTo(wayWords(way, card.step, words))}
            kind={way.kind}
            data={data}
            to={targetOf(way)}
            isLost={!graph.cards.some(({ id }) => id === targetOf(way))}
            onChange={(value) => edits.apply(leading({ graph, card, way, words }, value))}
            onGoTo={onGoTo}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

type WayFieldProps = {
  label: string;
  kind: Way['kind'];
  data: SelectProps['data'];
  to: string | null;
  /** It leads to a step that is not there. */
  isLost: boolean;
  onChange(value: string | null): void;
  onGoTo(id: string): void;
};

function WayField({ label, kind, data, to, isLost, onChange, onGoTo }: WayFieldProps) {
  const t = useTexts(panelTexts);
  const isEnd = kind === 'case' || kind === 'step';
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <Select
        label={label}
        placeholder={kind === 'next' ? t.ends : isEnd ? t.nowhere : t.asNext}
        data={data}
        value={isLost ? null : to}
        searchable
        clearable
        clearButtonProps={{ 'aria-hidden': true, tabIndex: -1 }}
        flex={1}
        onChange={onChange}
      />
      {to !== null && (
        <ActionIcon variant="subtle" size="lg" aria-label={`${t.goTo} ${to}`} onClick={() => onGoTo(to)}>
          <IconFocus2 size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

type Place = { graph: Graph; card: Card; way: Way; words: CanvasTexts };

/** The change of the text that leads a way to this choice. */
function leading({ graph, card, way, words }: Place, value: string | null): (text: string) => string {
  const kind = kinds.find((one) => value === fresh + one);
  if (kind) {
    const places = placesOf(graph, (one) => wordsOf(one, words));
    return (text) => {
      const pinned = graph.cards.every(({ place }) => place !== null) ? text : moveTo(text, places);
      return addStep(pinned, kind, freePlace(places.get(card.id), places), {
        card: card.id,
        handle: way.handle,
      }).source;
    };
  }
  return (text) =>
    value === null ? disconnect(text, card.id, way.handle) : connect(text, card.id, way.handle, value);
}
