import { type Framer, messagesOf, query, sync, type Touch, valuesOf } from './wire.ts';

/** The part of a client that the shared session needs. */
export type Guest = {
  framer: Framer;
  /**
   * SQL that sets the session as the client left it, or as its startup message asks. Empty for the program's own
   * clients.
   */
  settings: string;
};

/** Runs messages of our own and returns their whole answer. */
type Run = (messages: Buffer) => Promise<Buffer>;

/** Begins the names of the program's own prepared statements, which stay when other clients leave. */
export const ownPrefix = 'patchbay ';

/**
 * PGlite's one session, which clients use in turn. The program's own connections change nothing in it, so switching
 * between them costs nothing. Any other client gets its settings back at every turn. Its other session state is gone
 * at another client's turn: temporary tables, LISTEN, session locks, cursors.
 */
export function createSession(run: Run, isDiskLow: () => boolean) {
  const prepared = new Set<string>();
  let unnamedOf: Guest | undefined;
  let current: Guest | undefined;
  let isReadOnly = false;

  /** Begins a client's turn, outside of a transaction. Returns the messages for the client. */
  async function enter(guest: Guest): Promise<Buffer> {
    const told = current === guest ? Buffer.alloc(0) : await change(guest);
    if (isDiskLow() !== isReadOnly) await setReadOnly(!isReadOnly);
    return told;
  }

  async function change(guest: Guest): Promise<Buffer> {
    if (current) await leave(current);
    if (guest.settings === '') return Buffer.alloc(0);
    current = guest;
    const answer = await ask(query(guest.settings));
    return Buffer.concat(
      messagesOf(answer).flatMap(({ type, bytes }) => (type === 'S' || type === 'E' ? [bytes] : [])),
    );
  }

  /** Ends a client's effects on the session. The client may come back. */
  async function leave(guest: Guest): Promise<void> {
    if (guest !== current) return;
    const row = messagesOf(await ask(query(look))).find(({ type }) => type === 'D');
    const [settings = guest.settings, deallocations = '', kept = ''] = row ? valuesOf(row.bytes) : [];
    guest.settings = settings || nothing;
    await ask(Buffer.concat([...resets, deallocations].filter(Boolean).map(query)));
    isReadOnly = false;
    current = undefined;
    for (const name of prepared) if (!name.startsWith(ownPrefix)) prepared.delete(name);
    // A client has deallocated statements of other clients.
    if (Number(kept) < prepared.size) prepared.clear();
  }

  async function setReadOnly(wanted: boolean): Promise<void> {
    await ask(query(`set default_transaction_read_only = ${wanted ? 'on' : 'off'}`));
    isReadOnly = wanted;
  }

  /**
   * Prepares a client's statements again that the session has lost. A statement that fails here fails when it is
   * used.
   */
  async function prepare(guest: Guest, touches: Touch[]): Promise<void> {
    const missing = new Set<string>();
    const made = new Set<string>();
    for (const { how, name } of touches) {
      const isThere = name === '' ? unnamedOf === guest : prepared.has(name);
      if (how === 'uses' && !made.has(name) && !isThere) missing.add(name);
      else if (how === 'makes') made.add(name);
    }
    for (const name of missing) {
      const making = guest.framer.statements.get(name);
      if (!making) continue;
      await run(Buffer.concat([making, sync]));
      note(guest, [{ how: 'makes', name }]);
    }
  }

  /** Notes the effects of a client's messages. */
  function note(guest: Guest, touches: Touch[]): void {
    for (const { how, name } of touches) {
      if (name === '') unnamedOf = how === 'closes' ? undefined : guest;
      else if (how === 'closes') prepared.delete(name);
      else if (how === 'makes') prepared.add(name);
    }
  }

  function ask(messages: Buffer): Promise<Buffer> {
    unnamedOf = undefined;
    return run(messages);
  }

  return { enter, leave, prepare, note };
}

/** Settings of a client that has none. Unlike the program's own clients it must be watched. */
const nothing = 'select';

const look = `
  select
    (
      select coalesce(string_agg(format('select pg_catalog.set_config(%L, %L, false)', name, value), ';'), '')
      from (
        select name, current_setting(name) as value from pg_catalog.pg_settings
        where source = 'session' and name <> 'default_transaction_read_only' and name not like 'transaction%'
        union all
        select 'role', current_setting('role') where current_setting('role') <> 'none'
      ) as changed
    ),
    (
      select coalesce(string_agg(format('deallocate %I', name), ';'), '') from pg_catalog.pg_prepared_statements
      where name not like '${ownPrefix}%'
    ),
    (select count(*) from pg_catalog.pg_prepared_statements where name like '${ownPrefix}%')`;

/** The parts of DISCARD ALL, which itself would drop the program's prepared statements. */
const resets = [
  'close all',
  'set session authorization default',
  'reset all',
  'unlisten *',
  'select pg_catalog.pg_advisory_unlock_all()',
  'discard temp',
  'discard sequences',
];

const handledHere = new Set(['user', 'database', 'replication', '_pq_']);
const ofOurOwn = new Set(['application_name', 'statement_timeout', 'idle_in_transaction_session_timeout']);

/** The SQL for the settings in a client's startup message. */
export function settingsOf(parameters: Map<string, string>): string {
  const asked = [...parameters].filter(([name]) => !handledHere.has(name) && !name.startsWith('_pq_.'));
  const isOwn =
    parameters.get('application_name') === 'patchbay' &&
    asked.every(([name, value]) => ofOurOwn.has(name) || isUtf8(name, value));
  if (isOwn) return '';
  return (
    asked
      .map(([name, value]) => `select pg_catalog.set_config(${literal(name)}, ${literal(value)}, false)`)
      .join(';') || nothing
  );
}

const isUtf8 = (name: string, value: string): boolean =>
  name === 'client_encoding' && /^'?utf-?8'?$/i.test(value);

const literal = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
