import { isRecord } from './json.ts';

/** Whose requests wait for each other: the people of a project, or its programs. Null for anybody else. */
export function callersOf(principal: unknown): string | null {
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

/** Who takes turns for connections to the database: the same, and the visitors of a project. Null for a stranger. */
export function ownerOf(principal: unknown): string | null {
  if (!isRecord(principal) || typeof principal.projectId !== 'string') return null;
  return callersOf(principal) ?? `visitors of ${principal.projectId}`;
}

/** Resolves when the callers have a place, with the function that ends the request. */
export type InTurn = (callers: string) => Promise<(bytes: number) => void>;

/** A page of the console asks for about as many things at once. */
const readsAtFirst = 4;
/** More make ordinary reads no faster. */
const mostReads = 16;
/** To make an answer of megabytes keeps the event loop busy. */
const large = 1024 * 1024;

/** Half the connections of a process with both roles. The others are left to others. */
const mostWrites = 8;
/** With half as many, a program that sends many push messages at once is a tenth slower. */
const mostGathered = 64;
const mostForeign = 4;

/**
 * Each project reads a few things at a time in a process: one more with each small answer, and after a large one a
 * single thing. Its further reads wait in line. Without it, one project that reads large pages many times at once would
 * keep the connections to the database and the event loop for itself.
 */
export const readsInTurn = (): InTurn =>
  createLines(readsAtFirst, (places, bytes) => (bytes > large ? 1 : Math.min(places + 1, mostReads)));

/**
 * Each project makes a few writes at a time in a process. Its further writes wait in line. Without it, hundreds of one
 * project would wait for a connection to the database before everybody else's requests.
 */
export const writesInTurn = (): InTurn => createLines(mostWrites, (places) => places);

/** Writes that share their statements take few connections, and gain from being many. */
export const gatheredInTurn = (): InTurn => createLines(mostGathered, (places) => places);

/**
 * Requests that ask a server of others, which may hang, wait for each other only. No other request of their project
 * waits for that server.
 */
export const foreignInTurn = (): InTurn => createLines(mostForeign, (places) => places);

/** Large files keep a database busy for seconds. Together they would take as long, and others would wait for each. */
export const filesInTurn = (): InTurn => createLines(1, (places) => places);

/**
 * A search of an audience is one statement after another for seconds, and one statement reads all messages of a mailing.
 * Those who ask for it in a project wait for each other, so that others have their turn between two statements.
 */
export const searchesInTurn = filesInTurn;

/** The lines of a process. */
export const openLines = () =>
  ({
    reads: readsInTurn(),
    writes: writesInTurn(),
    gathered: gatheredInTurn(),
    foreign: foreignInTurn(),
    files: filesInTurn(),
    searches: searchesInTurn(),
  }) as const;

export type Line = keyof ReturnType<typeof openLines>;

/** The requests of some callers: those under way, how many they may be, and what begins those that wait. */
type Queue = { underWay: number; places: number; waiting: (() => void)[] };

function createLines(atFirst: number, placesAfter: (places: number, bytes: number) => number): InTurn {
  const lines = new Map<string, Queue>();

  /** Takes the place of one who begins before anybody else looks. */
  function beginNext(line: Queue): void {
    while (line.underWay < line.places) {
      const begin = line.waiting.shift();
      if (!begin) return;
      line.underWay += 1;
      begin();
    }
  }

  return async (callers) => {
    const line = lines.get(callers) ?? { underWay: 0, places: atFirst, waiting: [] };
    lines.set(callers, line);
    const begun = new Promise<void>((begin) => line.waiting.push(begin));
    beginNext(line);
    await begun;
    return (bytes) => {
      line.places = placesAfter(line.places, bytes);
      line.underWay -= 1;
      beginNext(line);
      if (line.underWay === 0) lines.delete(callers);
    };
  };
}
