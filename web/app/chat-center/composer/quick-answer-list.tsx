import { Text } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { QuickAnswer } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useQuickAnswers } from '../chats.ts';
import classes from './composer.module.css';
import { composerTexts } from './texts.ts';

export type QuickAnswerChoice = ReturnType<typeof useQuickAnswerChoice>;

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Opens with a slash at the start of a message, or with its button. The text after the slash filters the answers. */
export function useQuickAnswerChoice(text: string, onChoose: (text: string) => void) {
  const id = useId();
  const [byButton, setByButton] = useState(false);
  const [dismissed, setDismissed] = useState('');
  const [position, setPosition] = useState(0);
  const bySlash = text.startsWith('/') && !text.includes('\n') && text !== dismissed;
  const isOpen = bySlash || byButton;
  const answers = useQuickAnswers(isOpen);
  const wanted = bySlash ? text.slice(1) : '';
  const found = (answers.data?.results ?? []).filter(
    (one) => has(one.title, wanted) || has(one.text, wanted),
  );
  const active = found[Math.min(position, found.length - 1)];

  function close() {
    if (!isOpen) return;
    setByButton(false);
    setDismissed(text);
    setPosition(0);
  }
  function choose(chosen: QuickAnswer) {
    close();
    onChoose(bySlash ? chosen.text : [text, chosen.text].filter(Boolean).join(' '));
  }
  const move = (step: number) =>
    setPosition((Math.min(position, found.length - 1) + step + found.length) % Math.max(1, found.length));
  const keys: Record<string, () => void> = {
    Escape: close,
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => active && choose(active),
  };
  return {
    id,
    isOpen,
    found,
    active,
    choose,
    close,
    isEmpty: answers.data?.results.length === 0,
    toggle: () => (isOpen ? close() : setByButton(true)),
    /** Whether the list handled the key. */
    takesKey(event: KeyboardEvent): boolean {
      const act = isOpen ? keys[event.key] : undefined;
      if (!act || (event.key === 'Enter' && !active)) return false;
      event.preventDefault();
      act();
      return true;
    },
  };
}

/** Shown above the message field, which keeps the keyboard focus. */
export function QuickAnswerList({ choice }: { choice: QuickAnswerChoice }) {
  const t = useTexts(composerTexts);
  const { id, isOpen, found, active, isEmpty, choose } = choice;
  useEffect(() => {
    if (active) document.getElementById(`${id}-${active.uuid}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  if (!isOpen) return null;
  return (
    <div className={classes.answers}>
      {found.length === 0 && <Text size="sm">{isEmpty ? t.noneYet : t.noQuick}</Text>}
      <div role="listbox" id={id} aria-label={t.quick}>
        {found.map((answer) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are the field’s.
          <div
            key={answer.uuid}
            id={`${id}-${answer.uuid}`}
            role="option"
            aria-selected={answer === active}
            className={classes.answer}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(answer)}
          >
            <Text size="sm" fw={600}>
              {answer.title}
            </Text>
            <Text size="sm" lineClamp={2}>
              {answer.text}
            </Text>
          </div>
        ))}
      </div>
    </div>
  );
}
