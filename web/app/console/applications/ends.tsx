import { useQueryClient } from '@tanstack/react-query';
import type { Application } from '../../../../src/people/console/applications/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { applicationTexts } from './texts.ts';

function useReload(): () => Promise<void> {
  const project = useProjectId();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [project, 'applications'] });
}

export function RevokeButton({ application: { uuid, name } }: { application: Application }) {
  const t = useTexts(applicationTexts);
  const api = useApi();
  const reload = useReload();
  async function revoke() {
    await api.post(`applications/${uuid}/revoke/`);
    await reload();
  }
  return (
    <ConfirmButton label={t.revoke} title={t.revokeTitle(name)} onConfirm={revoke} size="compact-sm">
      {t.revokeText}
    </ConfirmButton>
  );
}

export function DeleteButton({ application: { uuid, name, projects } }: { application: Application }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const { number } = useFormat();
  const api = useApi();
  const reload = useReload();
  async function remove() {
    await api.delete(`applications/${uuid}/`);
    await reload();
  }
  return (
    <ConfirmButton label={words.delete} title={t.deleteTitle(name)} onConfirm={remove} size="compact-sm">
      {t.deleteText} {t.deleteProjects(number(projects))}
    </ConfirmButton>
  );
}
