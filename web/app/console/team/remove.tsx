import { useQueryClient } from '@tanstack/react-query';
import type { TeamMember } from '../../../../src/people/console/team/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useApi, useProjectId } from '../api.ts';
import { teamTexts } from './texts.ts';

export function RemoveButton({ member: { uuid, name, open_chats, is_you } }: { member: TeamMember }) {
  const t = useTexts(teamTexts);
  const { number } = useFormat();
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  async function remove() {
    await api.delete(`team/${uuid}/`);
    if (is_you) await queries.invalidateQueries({ queryKey: ['account'] });
    await queries.invalidateQueries({ queryKey: [project, 'team'] });
  }
  return (
    <ConfirmButton label={t.remove} title={t.removeTitle(name)} onConfirm={remove} size="xs">
      {t.removeText} {open_chats > 0 && t.removeChats(number(open_chats))}
    </ConfirmButton>
  );
}
