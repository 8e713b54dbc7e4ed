import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, useEffect, useRef } from 'react';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import classes from './canvas.module.css';
import type { Card, Way } from './graph.ts';
import { kindIcons } from './kind-icons.ts';
import type { CardNumbers } from './numbers.ts';
import { shapeOf } from './shape.ts';
import { type CanvasTexts, canvasTexts } from './texts.ts';
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
    const { card, words, isHere, isCurrent, takesFocus, complaints, mark, numbers } = data;
    const { lines } = shapeOf(card, words);
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (takesFocus) place.current?.focus({ preventScroll: true });
    }, [takesFocus]);
    const label = t.card(kindName(card, t), card.id, words);
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
        <Head data={data} />
        {lines > 0 && (
          <div className={classes.body}>
            <div className={classes.words} style={{ WebkitLineClamp: lines }}>
              <Filled text={words} />
            </div>
          </div>
        )}
        {card.ways.map((way) => (
          <WayOut
            key={way.handle}
            way={way}
            name={wayWords(way, card.step, t)}
            left={numbers && (numbers.left.get(way.handle) ?? 0)}
            isLost={data.lost.includes(way.handle)}
          />
        ))}
      </div>
    );
  },
  (one, other) => one.selected === other.selected && one.data.signature === other.data.signature,
);

const kindName = ({ kind }: Card, t: CanvasTexts): string => (kind === null ? t.unknown : t.kinds[kind]);

/** What the step is, and what one has to know of it. */
function Head({ data: { card, isStart, mark, complaints } }: { data: CardData }) {
  const t = useTexts(canvasTexts);
  const Icon = kindIcons[card.kind ?? 'end'];
  return (
    <div className={classes.head}>
      <Icon size={16} aria-hidden />
      <span className={classes.kind}>{kindName(card, t)}</span>
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
  );
}

type WayOutProps = { way: Way; name: string; left: number | null; isLost: boolean };

/** A way out, the number of clients who took it, and the handle that leads to its step. */
function WayOut({ way, name, left, isLost }: WayOutProps) {
  const { number } = useFormat();
  return (
    <div className={classes.way} data-way={way.kind} title={name}>
      {left !== null && <span className={classes.count}>{number(left)}</span>}
      <span className={classes.wayName}>{name}</span>
      {isLost && <span className={classes.wrong}>!</span>}
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
}

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
