import type { Pool, Sql } from '../../platform/database/database.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import type { Email } from './email.ts';

export type Role = 'admin' | 'operator';

export type NewUser = {
  id: string;
  projectId: string;
  email: Email;
  name: string;
  role: Role;
  /** Null for an invited person, who will choose one. */
  passwordHash: string | null;
  createdAt: Date;
  /** False when only a project's administrator says that the address is theirs. */
  isProved: boolean;
  /** Whether they belong to the project only after they accept. */
  isAsked: boolean;
};

/** `isNew` is false for a user of another project. */
export type InsertedOperator = {
  id: string;
  userId: string;
  isNew: boolean;
  hasPassword: boolean;
  /** They enter this project only after they have proved their address. */
  awaitsProof: boolean;
};

/**
 * Makes the user, or uses the existing one with that address, and makes them an operator of the project. The first
 * user becomes an owner. A person with only temporary links to the project keeps that operator's id and may sign in
 * from now on. An account that another project's administrators may control, or make at this moment, must prove its
 * address first. The operator's id is a new one, so that it reveals no account. Null when the user is already in the
 * project.
 */
export async function insertOperator(sql: Sql, user: NewUser): Promise<InsertedOperator | null> {
  const [row] = await sql<{ id: string; user_id: string; has_password: boolean; awaits_proof: boolean }[]>`
    with known as (
      select id, password_hash, address_proved from users where email = ${user.email}
    ),
    made as (
      insert into users (id, email, password_hash, created_at, address_proved, is_owner)
      select ${user.id}, ${user.email}, ${user.passwordHash}, ${user.createdAt}, ${user.isProved},
        not exists (select from users)
      where not exists (select from known)
      on conflict (email) do update set email = users.email
      returning id, password_hash, address_proved
    ),
    person as (
      select id, password_hash is not null as has_password, address_proved
      from (select * from known union all select * from made) as either
    )
    insert into operators (project_id, id, user_id, role, email, name, created_at, awaits_consent, awaits_proof)
    select ${user.projectId}, ${user.id}, id, ${user.role}, ${user.email}, ${user.name}, ${user.createdAt}, ${user.isAsked},
      id <> ${user.id} and not address_proved
        and (has_password or exists (select from operators where user_id = person.id) or not exists (select from known))
    from person
    where not exists (
      select from operators where operators.project_id = ${user.projectId} and operators.user_id = person.id
    )
    on conflict (project_id, email) do update set
      user_id = excluded.user_id, role = excluded.role, awaits_proof = excluded.awaits_proof,
      awaits_consent = excluded.awaits_consent
      where operators.user_id is null
    returning id, user_id, (select has_password from person), awaits_proof`;
  if (!row) return null;
  const { id, user_id: userId, has_password: hasPassword, awaits_proof: awaitsProof } = row;
  return { id, userId, hasPassword, awaitsProof, isNew: userId === user.id };
}

type FirstAdmin = { projectId: string; userId: string; email: string; name: string; createdAt: Date };

/** Makes an existing user the administrator of a project without members. */
export async function insertFirstAdmin(sql: Sql, admin: FirstAdmin): Promise<void> {
  await sql`
    insert into operators (project_id, id, user_id, role, email, name, created_at)
    values (${admin.projectId}, ${admin.userId}, ${admin.userId}, 'admin', ${admin.email}, ${admin.name},
      ${admin.createdAt})`;
}

/** `email` is the stored address, and the only one used for mail. */
export type User = { id: string; email: string };

export type UserPassword = User & { password_hash: string | null };

export async function findUserByEmail(sql: Sql, email: Email): Promise<UserPassword | undefined> {
  const [row] = await sql<UserPassword[]>`
    select id, email, password_hash from users where email = ${email}`;
  return row;
}

/** Returns whether it was done. An account without a proved address becomes no owner. */
export async function setOwner(sql: Sql, userId: string, isOwner: boolean): Promise<boolean> {
  const rows = await sql`
    update users set is_owner = ${isOwner} where id = ${userId} and (address_proved or not ${isOwner}) returning 1`;
  return rows.length === 1;
}

export type OperatorRow = { id: string; name: string; avatar: string | null };

export async function findOperator(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<OperatorRow | undefined> {
  const [row] = await sql<OperatorRow[]>`
    select id, name, avatar from operators where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** Whether the project has this operator. */
export async function isOperator(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const [row] = await sql`select from operators where project_id = ${projectId} and id = ${id}`;
  return row !== undefined;
}

export type Visitor = { id: string; projectId: string; email: Email; name: string; createdAt: Date };

/**
 * The id of the operator with that address. A missing one is made, with access by temporary links only. Throws `Refused`
 * for a full team.
 */
export async function ensureOperator(sql: Pool, visitor: Visitor): Promise<string> {
  const { projectId, email } = visitor;
  const [known] = await sql<{ id: string }[]>`
    select id from operators where project_id = ${projectId} and email = ${email}`;
  if (known) return known.id;
  return await withRoom(sql, 'operators', projectId, async (transaction) => {
    const [made] = await transaction<[{ id: string }]>`
      insert into operators (project_id, id, role, email, name, created_at)
      values (${projectId}, ${visitor.id}, 'operator', ${email}, ${visitor.name}, ${visitor.createdAt})
      on conflict (project_id, email) do update set email = operators.email
      returning id`;
    return made.id;
  });
}
