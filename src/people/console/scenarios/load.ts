import type { Member } from '../../../access/auth/member.ts';
import type { Context } from '../../../platform/context.ts';
import { findScenario, type ScenarioRow } from './store.ts';

/** The scenario that a path names, for an action's `load`. */
export const loadScenario = (
  { sql }: Pick<Context, 'sql'>,
  { projectId }: Member,
  { id }: { id: string },
): Promise<ScenarioRow | undefined> => findScenario(sql, projectId, Number(id));
