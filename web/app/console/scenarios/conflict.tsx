import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../shared/action.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { merged } from './canvas/merge.ts';
import { conflictTexts } from './conflict-texts.ts';
import { DiffView } from './diff-view.tsx';

type Props = {
  lead: string;
  theirs: { title: string; source: string };
  mine: string;
  /** The text from which both began. Without it there is no merge. */
  base: string | null;
  saveLabel: string;
  busy: boolean;
  problem: string | null;
  onEdit(source: string): void;
  onSave(): void;
  onTakeTheirs(): void;
  onCopy(): Promise<unknown>;
  onBack: (() => void) | null;
};

/** The other person's text beside the own one: merge them, save over it, keep a copy, or discard the own text. */
export function ConflictView(props: Props) {
  const t = useTexts(conflictTexts);
  const { theirs, mine, base, problem } = props;
  const copying = useAction(props.onCopy);
  const [clashes, setClashes] = useState<string[] | null>(null);
  const both = base === null ? null : merged(base, mine, theirs.source);
  return (
    <Stack>
      <PageHead title={t.title} />
      <Alert color="yellow" variant="light" role="alert">
        {props.lead}
      </Alert>
      <Group>
        {both && clashes === null && (
          <Button
            onClick={() => {
              props.onEdit(both.source);
              setClashes(both.clashes);
            }}
          >
            {t.merge}
          </Button>
        )}
        <Button
          variant={both && clashes === null ? 'default' : 'filled'}
          loading={props.busy}
          onClick={props.onSave}
        >
          {props.saveLabel}
        </Button>
        <Button variant="default" loading={copying.busy} onClick={copying.run}>
          {t.copy}
        </Button>
        <ConfirmButton
          label={t.takeTheirs}
          title={t.takeTitle}
          onConfirm={async () => {
            props.onTakeTheirs();
          }}
        >
          {t.takeText}
        </ConfirmButton>
        {props.onBack && (
          <Button variant="default" onClick={props.onBack}>
            {t.back}
          </Button>
        )}
      </Group>
      {clashes && (
        <Alert variant="light" role="status">
          {clashes.length === 0 ? t.mergedAll : t.mergedBut(clashes.join(', '))}
        </Alert>
      )}
      <FormProblem text={problem} />
      <Text>{t.hint}</Text>
      <DiffView left={theirs} right={{ title: t.mine, source: mine }} onTake={props.onEdit} />
    </Stack>
  );
}
