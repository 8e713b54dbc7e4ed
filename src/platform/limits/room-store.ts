import type { Pool, Sql } from '../database/database.ts';
import { Refused } from '../problem.ts';

type Bound = {
  /** The column that names the owner. */
  owner: 'project_id' | 'owner_id' | 'mailing_id';
  most: number;
  /** For people: who has at most so many of what. */
  who: string;
  what: string;
};

const ofProject = (most: number, what: string): Bound => ({
  owner: 'project_id',
  most,
  who: 'A project',
  what,
});

/** What people make by hand, by its table: many more than anybody keeps apart. Pages list all of some kinds. */
export const bounds = {
  applications: { ...ofProject(100, 'applications'), owner: 'owner_id' },
  attributes: ofProject(1_000, 'attributes'),
  audiences: ofProject(50, 'audiences'),
  bot_keys: ofProject(1_000, 'keys, revoked ones included'),
  channels: ofProject(500, 'channels'),
  colleagues: ofProject(100, 'colleagues who get tests'),
  mailing_overrides: { owner: 'mailing_id', most: 100, who: 'A mailing', what: 'exceptions' },
  operators: ofProject(1_000, 'people in its team, removed ones included'),
  project_secrets: ofProject(100, 'secrets'),
  promocode_groups: ofProject(1_000, 'groups of promo codes'),
  quick_answers: ofProject(1_000, 'quick answers'),
  scenario_starters: ofProject(1_000, 'starters'),
  scenario_tests: ofProject(1_000, 'tests of scenarios'),
  scenario_versions: ofProject(10_000, 'versions of scenarios'),
  scenarios: ofProject(1_000, 'scenarios'),
  suppressions: ofProject(1_000_000, 'addresses on its suppression list'),
  tags: ofProject(5_000, 'tags'),
  templates: ofProject(1_000, 'templates'),
  topics: ofProject(50, 'topics'),
} satisfies { [table: string]: Bound };

export type Kind = keyof typeof bounds;

/** The refusal of one more. */
export function full(kind: Kind): Refused {
  const { most, who, what } = bounds[kind];
  return new Refused(`${who} has at most ${most} ${what}.`);
}

/** Makes one more in a transaction. Throws `Refused` for an owner of as many as are allowed. */
export function withRoom<Result>(
  sql: Pool,
  kind: Kind,
  owner: string,
  make: (transaction: Sql) => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (transaction) => {
    await requireRoom(transaction, kind, owner);
    return make(transaction);
  });
}

/** The same check in a transaction that then makes one. */
export async function requireRoom(transaction: Sql, kind: Kind, owner: string): Promise<void> {
  await waitForOthers(transaction, kind, owner);
  const { owner: column, most } = bounds[kind];
  const [row] = await transaction<[{ count: number }]>`
    select count(*) as count from (select from ${transaction(kind)} where ${transaction(column)} = ${owner} limit ${most}) as counted`;
  if (row.count >= most) throw full(kind);
}

/** Until the transaction ends, nobody else makes one of this kind for this owner: what is counted stays true. */
export async function waitForOthers(transaction: Sql, kind: Kind, owner: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended(${`room for ${kind} of ${owner}`}, 0))`;
}
