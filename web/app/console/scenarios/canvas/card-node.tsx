import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, useEffect, useRef } from 'react';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import classes from './canvas.module.css';
import type { Card } from './graph.ts';
import { kindIcons } from './kind-icons.ts';
import type { CardNumbers } from './numbers.ts';
import { shapeOf } from './shape.ts';
import { canvasTexts } from './texts.ts';
import { wayWords } from './words.ts';

export type Mark = 'added' | 'changed' | 'removed';

export type CardData = {
  card: Card;
  words: string;
  /** Everything that the drawing of the card depends on. */
  signature: string;
  isStart: boolean;
  /** The player is at this step. */
  isHere: boolean;
  /** The one card that Tab reaches. */
  isCurrent: boolean;
  takesFocus: boolean;
  complaints: readonly string[];
  /** Handles that lead to a step that is not there. */
  lost: readonly string[];
  mark: Mark | null;
  numbers: CardNumbers | null;
  /** A chat whose way is shown has come here. */
  isWalked: boolean;
};

export type CardNode = Node<CardData, 'card'>;

/** A step: its words as the client will see them, and its ways out, each with a handle of its own. */
export const CardView = memo(
  function CardView({ data, selected }: NodeProps<CardNode>) {
    const t = useTexts(canvasTexts);
    const { number } = useFormat();
    const { card, words, isStart, isHere, isCurrent, takesFocus, complaints, mark, numbers } = data;
    const { lines } = shapeOf(card, words);
    const kind = card.kind === null ? t.unknown : t.kinds[card.kind];
    const Icon = kindIcons[card.kind ?? 'end'];
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (takesFocus) place.current?.focus({ preventScroll: true });
    }, [takesFocus]);
    const label = t.card(kind, card.id, words);
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form, and this is a card.
      <div
        ref={place}
        className={classes.card}
        data-card={card.id}
        data-kind={card.kind}
        data-selected={selected || undefined}
        data-here={isHere || undefined}
        data-wrong={complaints.length > 0 || undefined}
        data-mark={mark ?? undefined}
        data-walked={data.isWalked || undefined}
        tabIndex={isCurrent ? 0 : -1}
        role="group"
        aria-label={complaints.length > 0 ? `${label}. ${t.complaints(complaints.join(' '))}` : label}
      >
        <Handle
          type="target"
          position={Position.Left}
          id="in"
          className={classes.entry}
          isConnectableStart={false}
        />
        {numbers && <Numbers numbers={numbers} />}
        <div className={classes.head}>
          <Icon size={16} aria-hidden />
          <span className={classes.kind}>{kind}</span>
          <span className={classes.name}>{card.id}</span>
          {isStart && <span className={classes.start}>{t.start}</span>}
          {mark && (
            <span className={classes.mark} data-mark={mark}>
              {t.marks[mark]}
            </span>
          )}
          {complaints.length > 0 && (
            <span className={classes.wrong} title={complaints.join('\n')}>
              !
            </span>
          )}
        </div>
        {lines > 0 && (
          <div className={classes.body}>
            <div className={classes.words} style={{ WebkitLineClamp: lines }}>
              <Filled text={words} />
            </div>
          </div>
        )}
        {card.ways.map((way) => {
          const name = wayWords(way, card.step, t);
          return (
            <div key={way.handle} className={classes.way} data-way={way.kind} title={name}>
              {numbers && <span className={classes.count}>{number(numbers.left.get(way.handle) ?? 0)}</span>}
              <span className={classes.wayName}>{name}</span>
              {data.lost.includes(way.handle) && <span className={classes.wrong}>!</span>}
              <Handle
                type="source"
                position={Position.Right}
                id={way.handle}
                className={classes.exit}
                isConnectableEnd={false}
                data-way={way.kind}
              />
            </div>
          );
        })}
      </div>
    );
  },
  (one, other) => one.selected === other.selected && one.data.signature === other.data.signature,
);

/** How many came, wait here, and gave up. */
function Numbers({ numbers: { came, waiting, gone } }: { numbers: CardNumbers }) {
  const t = useTexts(canvasTexts);
  const { number } = useFormat();
  return (
    <div className={classes.numbers}>
      <span>{t.came(number(came))}</span>
      {waiting > 0 && <span>{t.waiting(number(waiting))}</span>}
      {gone !== null && gone > 0 && <span className={classes.gone}>{t.gone(number(gone))}</span>}
    </div>
  );
}

const placeholders = /\{\{([^{}]+)\}\}/;

/** The text with its placeholders set off. */
function Filled({ text }: { text: string }) {
  return text.split(placeholders).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
  );
}
