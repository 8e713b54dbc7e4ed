import { Alert, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { type Card, cardOf, type Graph } from '../canvas/graph.ts';
import { kindIcons } from '../canvas/kind-icons.ts';
import { renameStep, setField } from '../canvas/operations.ts';
import { canvasTexts } from '../canvas/texts.ts';
import type { Aim } from '../canvas/use-desk.ts';
import type { Edits } from '../use-edits.ts';
import { BranchForm, GotoForm, PromocodeForm, SetForm, WaitForm } from './acting-forms.tsx';
import type { FormProps } from './fields.tsx';
import { RequestForm } from './request-form.tsx';
import { AskForm, MessageForm, OperatorForm } from './talking-forms.tsx';
import { panelTexts } from './texts.ts';
import { variablesIn } from './variables.ts';
import { WaysFields } from './ways.tsx';

type Props = {
  graph: Graph;
  card: Card | undefined;
  edits: Edits;
  complaints: readonly string[];
  aim: Aim | null;
  onAimed(): void;
  /** Back to the card, from anywhere in the form. */
  onLeave(id: string): void;
  onRenamed(id: string): void;
};

/** The form of the chosen step. */
export function StepPanel({ graph, card, edits, complaints, aim, onAimed, onLeave, onRenamed }: Props) {
  const t = useTexts(panelTexts);
  const fields = useRef<HTMLDivElement>(null);
  const ways = useRef<HTMLDivElement>(null);
  const id = card?.id;
  useEffect(() => {
    if (aim === null || id === undefined) return;
    const place = (aim === 'fields' ? fields : ways).current;
    const first =
      place?.querySelector<HTMLElement>('textarea, input, button') ?? ways.current?.querySelector('input');
    first?.focus();
    onAimed();
  }, [aim, id, onAimed]);
  if (!card) {
    return (
      <Text pt="md" size="sm">
        {t.choose}
      </Text>
    );
  }
  return (
    <Stack
      pt="md"
      gap="sm"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onLeave(card.id);
      }}
    >
      <Head card={card} graph={graph} edits={edits} onRenamed={onRenamed} />
      {complaints.length > 0 && (
        <Alert color="red" variant="light" p="xs">
          <List size="sm">
            {complaints.map((complaint) => (
              <List.Item key={complaint}>{complaint}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <div ref={fields}>
        <StepForm key={card.id} graph={graph} card={card} edits={edits} />
      </div>
      <div ref={ways}>
        <WaysFields graph={graph} card={card} edits={edits} onGoTo={onLeave} />
      </div>
    </Stack>
  );
}

function Head({
  card,
  graph,
  edits,
  onRenamed,
}: {
  card: Card;
  graph: Graph;
  edits: Edits;
  onRenamed(id: string): void;
}) {
  const t = useTexts(panelTexts);
  const words = useTexts(canvasTexts);
  const Icon = kindIcons[card.kind ?? 'end'];
  function rename(field: HTMLInputElement) {
    const name = field.value.trim();
    const isRight = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) && !cardOf(graph, name);
    if (isRight) {
      edits.apply((text) => renameStep(text, card.id, name));
      onRenamed(name);
    } else {
      field.value = card.id;
    }
  }
  return (
    <>
      <Group gap="xs">
        <Icon size={20} aria-hidden />
        <Title order={2} size="h4">
          {card.kind === null ? words.unknown : words.kinds[card.kind]}
        </Title>
      </Group>
      <TextInput
        key={card.id}
        label={t.name}
        description={t.nameHint}
        defaultValue={card.id}
        onBlur={(event) => rename(event.currentTarget)}
        onKeyDown={(event) => event.key === 'Enter' && rename(event.currentTarget)}
      />
    </>
  );
}

/** What a step can be made of, in this project. */
export function useChoices(): Choices | undefined {
  const api = useApi();
  const project = useProjectId();
  const { data } = useQuery({
    queryKey: [project, 'mailings', 'choices'],
    queryFn: ({ signal }) => api.get<Choices>('mailings/choices/', undefined, signal),
    staleTime: 60_000,
  });
  return data;
}

function StepForm({ graph, card, edits }: { graph: Graph; card: Card; edits: Edits }) {
  const t = useTexts(panelTexts);
  const choices = useChoices();
  const props: FormProps = {
    step: card.step,
    set: (path, value) =>
      edits.apply((text) => setField(text, card.id, path, value), `${card.id} ${path.join('.')}`),
    variables: variablesIn(graph, choices, t),
  };
  switch (card.kind) {
    case 'message':
      return <MessageForm {...props} />;
    case 'ask':
      return <AskForm {...props} attributes={choices?.attributes ?? []} />;
    case 'branch':
      return <BranchForm {...props} choices={choices} />;
    case 'set':
      return <SetForm {...props} choices={choices} />;
    case 'wait':
      return <WaitForm {...props} />;
    case 'request':
      return <RequestForm {...props} />;
    case 'promocode':
      return <PromocodeForm {...props} choices={choices} />;
    case 'operator':
      return <OperatorForm {...props} />;
    case 'goto':
      return <GotoForm {...props} choices={choices} />;
    case 'end':
      return <Text size="sm">{t.endHint}</Text>;
    case null:
      return <Text size="sm">{t.unknown}</Text>;
  }
}
