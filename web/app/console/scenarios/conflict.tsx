import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Conflict } from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { texts, useFormat, useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { DiffView } from './diff-view.tsx';

const conflictTexts = texts(
  {
    title: 'Somebody else has saved this scenario',
    lead: (who: string, when: string, version: string, began: string) =>
      `${who} saved version ${version} ${when}; you began from version ${began}. Nothing of yours is lost: look at both, and decide.`,
    commandLine: 'The command line',
    theirs: (version: string, who: string) => `Saved: version ${version}, by ${who}`,
    mine: 'Yours, not saved yet',
    hint: '“Take the left here” brings a piece of the saved version into yours. Save yours when it has all that it should.',
    saveMine: (version: string) => `Save mine on top, as version ${version}`,
    takeTheirs: 'Take theirs, drop mine',
    takeTitle: 'Drop your changes?',
    takeText: 'The editor then has the saved version, and yours is gone.',
    back: 'Back to my text',
  },
  {
    ru: {
      title: 'Этот сценарий сохранил кто-то ещё',
      lead: (who, when, version, began) =>
        `${who}: версия ${version} сохранена ${when}; вы начали с версии ${began}. Ваше не потеряно: сравните и решите.`,
      commandLine: 'Командная строка',
      theirs: (version, who) => `Сохранено: версия ${version}, ${who}`,
      mine: 'Ваше, ещё не сохранено',
      hint: '«Взять левое» переносит кусок сохранённой версии в вашу. Сохраните свою, когда в ней будет всё нужное.',
      saveMine: (version) => `Сохранить моё поверх, версией ${version}`,
      takeTheirs: 'Взять чужое, отбросить моё',
      takeTitle: 'Отбросить ваши изменения?',
      takeText: 'В редакторе останется сохранённая версия, ваша пропадёт.',
      back: 'Назад к моему тексту',
    },
  },
);

type Props = {
  conflict: Conflict;
  mine: string;
  busy: boolean;
  problem: string | null;
  onEdit(source: string): void;
  onSave(): void;
  onTakeTheirs(): void;
  onBack(): void;
};

/** What somebody else has saved beside what is about to be saved: merge, put one's own on top, or take theirs. */
export function ConflictView({ conflict, mine, busy, problem, onEdit, onSave, onTakeTheirs, onBack }: Props) {
  const t = useTexts(conflictTexts);
  const format = useFormat();
  const { current, began_from: began } = conflict;
  const who = current.saved_by ?? t.commandLine;
  return (
    <Stack>
      <PageHead title={t.title} />
      <Alert color="yellow" variant="light" role="alert">
        {t.lead(
          who,
          format.moment(current.saved_at),
          format.number(current.version),
          began ? format.number(began.version) : '–',
        )}
      </Alert>
      <Group>
        <Button loading={busy} onClick={onSave}>
          {t.saveMine(format.number(current.version + 1))}
        </Button>
        <ConfirmButton
          label={t.takeTheirs}
          title={t.takeTitle}
          onConfirm={async () => {
            onTakeTheirs();
          }}
        >
          {t.takeText}
        </ConfirmButton>
        <Button variant="default" onClick={onBack}>
          {t.back}
        </Button>
      </Group>
      {problem && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      <Text>{t.hint}</Text>
      <DiffView
        left={{ title: t.theirs(format.number(current.version), who), source: current.source }}
        right={{ title: t.mine, source: mine }}
        onTake={onEdit}
      />
    </Stack>
  );
}
