import { ActionIcon, Fieldset, Group, Select, Stack } from '@mantine/core';
import { IconFocus2 } from '@tabler/icons-react';
import { useTexts } from '../../../shared/language.tsx';
import { type Card, type Graph, kinds, targetOf, type Way } from '../canvas/graph.ts';
import { freePlace, placesOf } from '../canvas/layout.ts';
import { addStep, connect, disconnect, moveTo } from '../canvas/operations.ts';
import { canvasTexts } from '../canvas/texts.ts';
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
  function lead(way: Way, value: string | null) {
    const kind = kinds.find((one) => value === fresh + one);
    if (kind) {
      const places = placesOf(graph, (one) => wordsOf(one, words));
      edits.apply((text) => {
        const pinned = graph.cards.every(({ place }) => place !== null) ? text : moveTo(text, places);
        return addStep(pinned, kind, freePlace(places.get(card.id), places), {
          card: card.id,
          handle: way.handle,
        }).source;
      });
    } else if (value === null) {
      edits.apply((text) => disconnect(text, card.id, way.handle));
    } else {
      edits.apply((text) => connect(text, card.id, way.handle, value));
    }
  }
  return (
    <Fieldset legend={t.ways}>
      <Stack gap="xs">
        {card.ways.map((way) => {
          const to = targetOf(way);
          return (
            <Group key={way.handle} gap={4} align="flex-end" wrap="nowrap">
              <Select
                label={t.wayTo(wayWords(way, card.step, words))}
                placeholder={
                  way.kind === 'next'
                    ? t.ends
                    : way.kind === 'case' || way.kind === 'step'
                      ? t.nowhere
                      : t.asNext
                }
                data={data}
                value={to !== null && graph.cards.some(({ id }) => id === to) ? to : null}
                searchable
                clearable
                clearButtonProps={{ 'aria-hidden': true, tabIndex: -1 }}
                flex={1}
                onChange={(value) => lead(way, value)}
              />
              {to !== null && (
                <ActionIcon
                  variant="subtle"
                  size="lg"
                  aria-label={`${t.goTo} ${to}`}
                  onClick={() => onGoTo(to)}
                >
                  <IconFocus2 size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          );
        })}
      </Stack>
    </Fieldset>
  );
}
