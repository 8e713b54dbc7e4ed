import pino from 'pino';
import { openDatabase } from '../src/platform/database/database.ts';

/**
 * A process to be killed. It inserts rows into the table `acknowledged` of a data folder, and prints each
 * acknowledged id.
 */
const [, , dataDir = '', first = '0'] = process.argv;
const { sql } = await openDatabase({ dataDir, log: pino({ level: 'silent' }), exclusive: true });
await sql`create table if not exists acknowledged (id int primary key, note text)`;

let next = Number(first);
const writer = async () => {
  for (;;) {
    const id = next;
    next += 1;
    // The database's work in between must lose nothing either.
    if (id % 1000 === 999) await sql`checkpoint`;
    if (id % 10 === 0)
      await sql.begin((transaction) => transaction`insert into acknowledged values (${id}, 'begun')`);
    else await sql`insert into acknowledged values (${id}, ${'x'.repeat(id % 3000)})`;
    process.stdout.write(`${id}\n`);
  }
};
await Promise.all(Array.from({ length: 20 }, writer));
