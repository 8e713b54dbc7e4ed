import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Conflict } from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { texts, useFormat, useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { DiffView } from './diff-view.tsx';

const conflictTexts = texts(
  {
    title: 'Another person saved this scenario',
    lead: (who: string, when: string, version: string, began: string) =>
      `${who} saved version ${version} ${when}; you started from version ${began}. Your text is not lost. Compare both and decide.`,
    commandLine: 'The command line',
    theirs: (version: string, who: string) => `Saved: version ${version}, by ${who}`,
    mine: 'Your text, not saved yet',
    hint: '“Use the left side” copies a part of the saved version into your text. Save your text when it is complete.',
    saveMine: (version: string) => `Save my text as version ${version}`,
    takeTheirs: 'Use the saved version, discard my text',
    takeTitle: 'Discard your changes?',
    takeText: 'The editor will contain the saved version; your text will be lost.',
    back: 'Back to my text',
  },
  {
    ru: {
      title: 'Этот сценарий сохранил кто-то другой',
      lead: (who, when, version, began) =>
        `${who}: версия ${version} сохранена ${when}; вы начали с версии ${began}. Ваш текст не потерян. Сравните обе версии и решите.`,
      commandLine: 'Командная строка',
      theirs: (version, who) => `Сохранено: версия ${version}, ${who}`,
      mine: 'Ваш текст, ещё не сохранён',
      hint: '«Взять левое» копирует часть сохранённой версии в ваш текст. Сохраните свой текст, когда он будет готов.',
      saveMine: (version) => `Сохранить мой текст как версию ${version}`,
      takeTheirs: 'Взять сохранённую версию, отменить мои изменения',
      takeTitle: 'Отменить ваши изменения?',
      takeText: 'В редакторе будет сохранённая версия, ваш текст пропадёт.',
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

/** The saved text beside the person's own: merge them, save over it, or discard the own text. */
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
