import { useNavigate } from '@tanstack/react-router';
import type { StockedGroup } from '../../../../src/people/console/promocodes/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { useRefresh } from './calls.ts';
import { Dialog } from './dialog.tsx';
import { OneField } from './one-field.tsx';
import { promocodeTexts } from './texts.ts';

export function RenameGroup({ group }: { group: StockedGroup }) {
  const t = useTexts(promocodeTexts);
  const words = useTexts(common);
  const api = useApi();
  const refresh = useRefresh();
  return (
    <Dialog label={t.rename} title={t.rename}>
      {(close) => (
        <OneField
          name="name"
          label={t.groupName}
          hint={t.renameHint}
          initial={group.name}
          button={words.save}
          send={async (name) => {
            await api.patch(`promocode-groups/${group.uuid}/`, { name });
            await refresh();
            close();
          }}
        />
      )}
    </Dialog>
  );
}

export function DeleteGroup({ group }: { group: StockedGroup }) {
  const t = useTexts(promocodeTexts);
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const refresh = useRefresh();
  async function remove() {
    await api.delete(`promocode-groups/${group.uuid}/`);
    await navigate({ to: '/$project/promocodes/', params: { project } });
    await refresh();
  }
  return (
    <ConfirmButton label={t.deleteGroup} title={t.deleteGroupTitle(group.name)} onConfirm={remove}>
      {t.deleteGroupText(group.available + group.issued + group.lapsed)}
    </ConfirmButton>
  );
}
