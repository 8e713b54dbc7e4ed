import type { Sql } from '../../platform/database/database.ts';
import { Invalid } from '../../platform/problem.ts';
import { parseScenario } from '../parse.ts';
import type { Scenario } from '../schema.ts';
import { findVersion, type VersionRow } from '../store.ts';

/** A version for the engine. `scenario` is null if this release does not understand it. */
export type Definition = { id: number; version: number; name: string; scenario: Scenario | null };

export type Definitions = {
  /** Null when the version does not exist. */
  at(projectId: string, id: number, version: number): Promise<Definition | null>;
  /** The current version. Null when no scenario has that name. */
  named(projectId: string, name: string): Promise<Definition | null>;
};

const mostKept = 200;

/** Versions never change, so the recently used ones are cached. */
export function definitionsOf(sql: Sql): Definitions {
  const kept = new Map<string, Definition>();

  function keep(projectId: string, row: VersionRow): Definition {
    const definition = {
      id: row.id,
      version: row.version,
      name: row.name,
      scenario: understood(row.definition),
    };
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(keyOf(projectId, row.id, row.version), definition);
    return definition;
  }

  return {
    async at(projectId, id, version) {
      const known = kept.get(keyOf(projectId, id, version));
      if (known) return known;
      const row = await findVersion(sql, projectId, { id }, version);
      return row && keep(projectId, row);
    },
    async named(projectId, name) {
      const row = await findVersion(sql, projectId, { name }, null);
      return row && keep(projectId, row);
    },
  };
}

const keyOf = (projectId: string, id: number, version: number): string => `${projectId} ${id} ${version}`;

function understood(definition: unknown): Scenario | null {
  try {
    return parseScenario(definition);
  } catch (error) {
    if (error instanceof Invalid) return null;
    throw error;
  }
}
