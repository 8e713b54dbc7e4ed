import pg from 'pg';
import { momentOf } from '../moment.ts';

/** A received value does not fit into this program's numbers. */
export class Unreadable extends RangeError {}

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

/** How values are read: `bigint` as a number, `timestamptz` as a Date, all others as node-postgres does. */
export const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    switch (oid) {
      case INT8:
        return readBigint;
      case TIMESTAMPTZ:
        return readDate;
      default:
        return pg.types.getTypeParser(oid, format);
    }
  },
};

function readBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Unreadable(`the bigint ${text} is beyond what a number holds`);
  return value;
}

/** `Date` takes the years 1 to 99 for those of 1950 to 2049, unless the text is ISO 8601. That is slower to make. */
const readDate = (text: string): Date =>
  text.startsWith('00') ? momentOf(text.replace(' ', 'T')) : new Date(text);
