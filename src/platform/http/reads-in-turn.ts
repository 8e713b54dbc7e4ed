import { isRecord } from './json.ts';

/** Whose reads wait for each other: the people of a project, or its programs. Null for anybody else. */
export function readerOf(principal: unknown): string | null {
  if (!isRecord(principal) || typeof principal.projectId !== 'string') return null;
  switch (principal.kind) {
    case 'person':
      return `people of ${principal.projectId}`;
    case 'bot_key':
    case 'oauth':
      return `programs of ${principal.projectId}`;
    default:
      return null;
  }
}

/** Resolves when the reader has a place, with the function that ends the read. */
export type ReadsInTurn = (reader: string) => Promise<(bytes: number) => void>;

/** A page of the console asks for about as many things at once. */
const atFirst = 4;
/** More make ordinary reads no faster. */
const most = 16;
/** To make an answer of megabytes keeps the event loop busy. */
const large = 1024 * 1024;

/** The reads of one reader: those under way, how many they may be, and what begins those that wait. */
type Line = { reading: number; places: number; waiting: (() => void)[] };

/**
 * Each project reads a few things at a time in a process: one more with each small answer, and after a large one a
 * single thing. Its further reads wait in line. Without it, one project that reads large pages many times at once would
 * keep the connections to the database and the event loop for itself.
 */
export function createReadsInTurn(): ReadsInTurn {
  const lines = new Map<string, Line>();

  /** Takes the place of one who begins before anybody else looks. */
  function beginNext(line: Line): void {
    while (line.reading < line.places) {
      const begin = line.waiting.shift();
      if (!begin) return;
      line.reading += 1;
      begin();
    }
  }

  return async (reader) => {
    const line = lines.get(reader) ?? { reading: 0, places: atFirst, waiting: [] };
    lines.set(reader, line);
    const begun = new Promise<void>((begin) => line.waiting.push(begin));
    beginNext(line);
    await begun;
    return (bytes) => {
      line.places = bytes > large ? 1 : Math.min(line.places + 1, most);
      line.reading -= 1;
      beginNext(line);
      if (line.reading === 0) lines.delete(reader);
    };
  };
}
