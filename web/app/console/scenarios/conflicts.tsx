import type { Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { ConflictView } from './conflict.tsx';
import { conflictTexts } from './conflict-texts.ts';
import type { useDraft } from './draft.ts';
import { useCopy } from './use-copy.ts';
import type { useSave } from './use-save.ts';

type Props = {
  scenario: Scenario;
  kept: ReturnType<typeof useDraft>;
  saving: ReturnType<typeof useSave>;
};

/** The texts of two people. Without a version that was published meanwhile, the draft itself has changed. */
export function Conflicts({ scenario, kept, saving }: Props) {
  const { conflict, busy, problem } = saving;
  const t = useTexts(conflictTexts);
  const format = useFormat();
  const copy = useCopy(scenario);
  const { draft, clash, edit } = kept;
  const theirDraft = conflict?.draft ?? clash?.draft;
  const shared = {
    ...{ mine: draft.source, busy, problem, onEdit: edit },
    // This scenario goes on with the other text, also in this browser.
    onCopy: () => copy(draft.source, () => theirDraft && kept.follow(theirDraft, null)),
  };
  if (conflict) {
    const { current, began_from: began } = conflict;
    const who = current.saved_by ?? t.commandLine;
    return (
      <ConflictView
        {...shared}
        lead={t.lead(
          who,
          format.moment(current.saved_at),
          format.number(current.version),
          began ? format.number(began.version) : '–',
        )}
        theirs={{ title: t.theirs(format.number(current.version), who), source: current.source }}
        base={began?.source ?? null}
        saveLabel={t.saveMine(format.number(current.version + 1))}
        onSave={() =>
          saving.save({ source: draft.source, version: current.version, revision: conflict.draft.revision })
        }
        onTakeTheirs={async () => {
          await kept.discard();
          saving.leaveConflict();
        }}
        onBack={saving.leaveConflict}
      />
    );
  }
  if (!clash) return null;
  const who = clash.draft.saved_by ?? t.commandLine;
  return (
    <ConflictView
      {...shared}
      lead={t.draftLead(who, format.moment(clash.draft.saved_at))}
      theirs={{ title: t.theirDraft(who), source: clash.draft.source ?? scenario.source }}
      base={clash.base}
      saveLabel={t.saveDraft}
      onSave={() => kept.follow(clash.draft, draft.source)}
      onTakeTheirs={() => kept.follow(clash.draft, null)}
      onBack={null}
    />
  );
}
