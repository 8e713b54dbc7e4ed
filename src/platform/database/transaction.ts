import { endsConnection } from './connection.ts';
import { type Answer, createSql, type Query, type Send, type Sql } from './sql.ts';

/** The connection reserved for a transaction. */
type Connection = {
  /** The statement that begins it. */
  begin: string;
  tell(text: string): Promise<unknown>;
  send: Send;
};

/** Runs the body between `begin` and `commit`, or `rollback` when it throws. */
export async function runTransaction<Result>(
  { begin, tell, send }: Connection,
  body: (transaction: Sql) => Promise<Result>,
): Promise<Result> {
  const transaction = openTransaction(send);
  await tell(begin);
  try {
    const result = await body(transaction.sql);
    await transaction.close();
    await tell('commit');
    return result;
  } catch (error) {
    await transaction.close().catch(() => {});
    if (!endsConnection(error)) await tell('rollback');
    throw error;
  }
}

/** The statements of a transaction, one at a time. A failed statement fails the transaction, caught or not. */
function openTransaction(send: Send): { sql: Sql; close(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let failure: { error: unknown } | null = null;
  let isOver = false;

  async function sendNext(before: Promise<unknown>, query: Query): Promise<Answer<object[]>> {
    await before;
    if (isOver) throw new Error('the transaction of this statement is over');
    if (failure) throw failure.error;
    try {
      return await send(query);
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  return {
    sql: createSql((query) => {
      const rows = sendNext(last, query);
      last = rows.catch(() => {});
      return rows;
    }),
    /**
     * Waits for the sent statements.
     * @throws their error.
     */
    async close() {
      await last;
      isOver = true;
      if (failure) throw failure.error;
    },
  };
}
