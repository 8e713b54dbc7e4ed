import { randomInt, randomUUID } from 'node:crypto';

/** It sorts before every id. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** It sorts after every id. */
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Ids are UUIDv7 (RFC 9562, section 5.7), laid out as `tttttttt-tttt-7ccc-Vccc-rrrrrrrrrrrr`. They hold 48 bits of
 * milliseconds, a 26-bit counter and 48 random bits. The low 14 bits of the counter share a group with the variant V.
 * The counter starts anywhere in its lower half. Two processes in the same millisecond therefore differ by 73 random
 * bits, and the counter cannot overflow.
 */
const COUNTER_SEED = 2 ** 25;

let currentMs = -1;
let timeGroups = '';
let counter = 0;

/**
 * A new id for the given time. Within one process and one millisecond each id sorts after the one before. A clock
 * that goes back gives ids of the earlier time, because the id partitions a table by time.
 */
export function uuidv7(now: Date): string {
  const ms = now.getTime();
  if (ms === currentMs) counter += 1;
  else startMillisecond(ms);
  const high = (0x7000 | (counter >>> 14)).toString(16);
  const low = (0x8000 | (counter & 0x3fff)).toString(16);
  // The last group of a version 4 UUID is 48 random bits, which Node generates in large batches.
  return `${timeGroups}-${high}-${low}-${randomUUID().slice(24)}`;
}

function startMillisecond(ms: number): void {
  const hex = ms.toString(16).padStart(12, '0');
  timeGroups = `${hex.slice(0, 8)}-${hex.slice(8)}`;
  currentMs = ms;
  counter = randomInt(COUNTER_SEED);
}

/** The millisecond of an id. */
export const momentOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID of any version, in either case. Callers store and compare it in lower case. */
export const isUuid = (text: string): boolean => UUID.test(text);
