import type { Kind, Month } from '../access/projects/retention.ts';

/** The tables whose rows are removed by month. */
export const tables = ['messages', 'events', 'attempts', 'profile_audit'] as const;

export type Table = (typeof tables)[number];

export const kindOf = (table: Table): Kind => (table === 'profile_audit' ? 'audit' : table);

/** A month of a table. Usually it has a partition. `isRest`: its rows are in the default partition, beside others. */
export type Part = { table: Table; month: Month; isRest: boolean };

/** The rows of a project in one month of a table. */
export type Unit = Part & { projectId: string };

export const partOf = ({ table, month, isRest }: Part): string =>
  `${table}_${isRest ? 'default' : month.name}`;
