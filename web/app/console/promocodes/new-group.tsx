import { useNavigate } from '@tanstack/react-router';
import type { PromocodeGroup } from '../../../../src/clients/promocodes/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { useRefresh } from './calls.ts';
import { Dialog } from './dialog.tsx';
import { OneField } from './one-field.tsx';
import { promocodeTexts } from './texts.ts';

export function NewGroup() {
  const t = useTexts(promocodeTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const refresh = useRefresh();
  async function create(name: string) {
    const group = await api.post<PromocodeGroup>('promocode-groups/', { name });
    await refresh();
    await navigate({ to: '/$project/promocodes/$group/', params: { project, group: group.uuid } });
  }
  return (
    <Dialog label={t.newGroup} title={t.newGroup} variant="filled">
      {() => (
        <OneField
          name="name"
          label={t.groupName}
          hint={t.groupNameHint}
          button={words.create}
          send={create}
        />
      )}
    </Dialog>
  );
}
