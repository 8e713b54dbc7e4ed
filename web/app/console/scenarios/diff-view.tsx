import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts, useTexts } from '../../shared/language.tsx';
import classes from './diff.module.css';
import { type Lines, type Piece, piecesOf } from './diff.ts';

const diffTexts = texts(
  {
    label: 'Line-by-line comparison',
    same: 'No differences.',
    skipped: (count: number) => `Unchanged lines: ${count}`,
    removed: 'Only on the left',
    added: 'Only on the right',
    take: 'Use the left side',
  },
  {
    ru: {
      label: 'Построчное сравнение',
      same: 'Различий нет.',
      skipped: (count) => `Без изменений строк: ${count}`,
      removed: 'Только слева',
      added: 'Только справа',
      take: 'Взять левое',
    },
  },
);

type Side = { title: ReactNode; source: string };

/** A side-by-side comparison by lines. Lines far from a difference are left out. */
export function DiffView({
  left,
  right,
  onTake,
}: {
  left: Side;
  right: Side;
  /** Lets the reader copy a difference from the left to the right text, and receives the new right text. */
  onTake?: (source: string) => void;
}) {
  const t = useTexts(diffTexts);
  const pieces = piecesOf(left.source, right.source);
  function take(chosen: Piece) {
    onTake?.(pieces.flatMap((piece) => (piece === chosen ? piece.left : piece.right).lines).join('\n'));
  }
  if (pieces.every(({ kind }) => kind === 'same')) return <Text>{t.same}</Text>;
  return (
    <Table.ScrollContainer
      minWidth={800}
      type="native"
      pos="relative"
      tabIndex={0}
      role="region"
      aria-label={t.label}
    >
      <Table withTableBorder withColumnBorders className={classes.table}>
        <colgroup>
          <col className={classes.numbers} />
          <col />
          <col className={classes.numbers} />
          <col />
        </colgroup>
        <Table.Thead>
          <Table.Tr>
            <Table.Th colSpan={2}>{left.title}</Table.Th>
            <Table.Th colSpan={2}>{right.title}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {pieces.map((piece, index) => (
          <Table.Tbody key={`${piece.left.from}-${piece.right.from}`}>
            {piece.kind === 'same' ? (
              <Same piece={piece} isFirst={index === 0} isLast={index === pieces.length - 1} />
            ) : (
              <Different piece={piece} onTake={onTake && (() => take(piece))} />
            )}
          </Table.Tbody>
        ))}
      </Table>
    </Table.ScrollContainer>
  );
}

function Different({ piece, onTake }: { piece: Piece; onTake: (() => void) | undefined }) {
  const t = useTexts(diffTexts);
  return (
    <>
      {onTake && (
        <Table.Tr>
          <Table.Td colSpan={4}>
            <Button size="compact-sm" variant="default" onClick={onTake}>
              {t.take}
            </Button>
          </Table.Td>
        </Table.Tr>
      )}
      <Rows left={piece.left} right={piece.right} isDifferent />
    </>
  );
}

/** Lines around a difference that are shown for orientation. */
const around = 3;

function Same({ piece, isFirst, isLast }: { piece: Piece; isFirst: boolean; isLast: boolean }) {
  const t = useTexts(diffTexts);
  const [before, behind] = [isFirst ? 0 : around, isLast ? 0 : around];
  const count = piece.left.lines.length;
  if (count <= before + behind + 1) return <Rows left={piece.left} right={piece.right} />;
  const part = ({ from, lines }: Lines, start: number, end: number): Lines => ({
    from: from + start,
    lines: lines.slice(start, end),
  });
  return (
    <>
      <Rows left={part(piece.left, 0, before)} right={part(piece.right, 0, before)} />
      <Table.Tr>
        <Table.Td colSpan={4}>
          <Text size="sm" ta="center" ff="text">
            {t.skipped(count - before - behind)}
          </Text>
        </Table.Td>
      </Table.Tr>
      <Rows left={part(piece.left, count - behind, count)} right={part(piece.right, count - behind, count)} />
    </>
  );
}

function Rows({ left, right, isDifferent = false }: { left: Lines; right: Lines; isDifferent?: boolean }) {
  const count = Math.max(left.lines.length, right.lines.length);
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number and nothing else.
    <Table.Tr key={index}>
      <Cells side={left} index={index} mark={isDifferent ? 'removed' : null} />
      <Cells side={right} index={index} mark={isDifferent ? 'added' : null} />
    </Table.Tr>
  ));
}

const signs = { removed: '− ', added: '+ ' } as const;

function Cells({ side, index, mark }: { side: Lines; index: number; mark: 'removed' | 'added' | null }) {
  const t = useTexts(diffTexts);
  const line = side.lines[index];
  if (line === undefined) return <Table.Td colSpan={2} className={classes.none} />;
  return (
    <>
      <Table.Td className={classes.number}>{side.from + index + 1}</Table.Td>
      <Table.Td className={mark ? classes[mark] : undefined}>
        <span aria-hidden>{mark ? signs[mark] : '  '}</span>
        {mark && <VisuallyHidden>{t[mark]} </VisuallyHidden>}
        {line}
      </Table.Td>
    </>
  );
}
