import { createPrepared, type Guest, ownPrefix, type Run } from './session-statements.ts';
import { messagesOf, query, valuesOf } from './wire.ts';

/**
 * PGlite's one session, which clients use in turn. The program's own connections change nothing in it, so switching
 * between them costs nothing. Any other client gets its settings back at every turn. Its other session state is gone
 * at another client's turn: temporary tables, LISTEN, session locks, cursors.
 */
export function createSession(run: Run, isDiskLow: () => boolean) {
  const prepared = createPrepared(run);
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
    prepared.keepOwn(Number(kept));
  }

  async function setReadOnly(wanted: boolean): Promise<void> {
    await ask(query(`set default_transaction_read_only = ${wanted ? 'on' : 'off'}`));
    isReadOnly = wanted;
  }

  function ask(messages: Buffer): Promise<Buffer> {
    prepared.forgetUnnamed();
    return run(messages);
  }

  return { enter, leave, prepare: prepared.prepare, note: prepared.note };
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
