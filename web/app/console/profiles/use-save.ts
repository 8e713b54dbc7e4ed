import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import type { ClientUpdate, Conflict } from '../../../../src/people/console/profiles/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { profileKey } from './calls.ts';
import { changeOf, type FormValues, rebased, theirAttributes, theirsOf, valuesOf } from './form.ts';
import { profileTexts } from './texts.ts';

/**
 * Saves the fields of a client. Only changes are sent, with their previous values. Concurrent changes of another
 * person are shown beside the fields and become the base of the next attempt.
 */
export function useSave(
  form: UseFormReturnType<FormValues>,
  profile: Profile,
  attributes: readonly string[],
) {
  const t = useTexts(profileTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const [base, setBase] = useState(profile);
  const [conflict, setConflict] = useState<Profile | null>(null);

  async function send(values: FormValues): Promise<void> {
    const change = changeOf(base, values, new Date());
    try {
      const saved = await api.put<Profile>(`profiles/${profile.uuid}/`, change);
      settle(saved, valuesOf(saved, attributes), null);
    } catch (error) {
      const now = conflictIn(error);
      if (!now) throw error;
      settle(now, rebased(base, values, now), now);
      throw new ApiProblem(409, t.conflict, complaints(change, values, now), null);
    }
    await queries.invalidateQueries({ queryKey: [project, 'profile-changes', profile.uuid] });
  }

  function settle(current: Profile, values: FormValues, conflicting: Profile | null): void {
    setBase(current);
    setConflict(conflicting);
    form.setValues(values);
    queries.setQueryData(profileKey(project, profile.uuid), current);
  }

  /** The current values by field. The empty name means the whole form. */
  function complaints(change: ClientUpdate, values: FormValues, now: Profile): Record<string, string> {
    const placeOf = (name: string) => values.attrs.findIndex((attribute) => attribute.name === name);
    const differing = [
      ...theirsOf(change, now),
      ...theirAttributes(change, now).map(([name, value]) => [`attrs.${placeOf(name)}.value`, value]),
    ];
    return Object.fromEntries([
      ...differing.map(([field, value]) => [field, t.nowIs(value || t.nothing)]),
      ['', t.conflict],
    ]);
  }

  function takeTheirs(): void {
    form.setValues(valuesOf(base, attributes));
    form.clearErrors();
    setConflict(null);
  }

  return { base, conflict, takeTheirs, ...useSubmit(form, send) };
}

/** The current profile, if a save was refused because of a concurrent change. */
function conflictIn(error: unknown): Profile | null {
  if (!(error instanceof ApiProblem) || error.status !== 409) return null;
  const answer: Partial<Conflict> = Object(error.answer);
  return answer.profile ?? null;
}
