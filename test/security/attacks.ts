import { type Foreign, formOf } from './foreign.ts';
import { type Place, placesOf, renewed } from './places.ts';
import type { Probe } from './probe.ts';

export type Attack = { probe: Probe; place: Place; words: Foreign[] };

/**
 * The attacks: every foreign name in place of a name, and a name of each kind in place of a free text. Each is made
 * once on each route. A route that takes several kinds of events gets it once for each kind. `isName` recognises the
 * attacker's own names.
 */
export function* attacksWith(
  named: Foreign[],
  probes: Probe[],
  isName: (value: string) => boolean,
): Generator<Attack> {
  const kinds = Map.groupBy(named, ({ column }) => column);
  const oneOfEachKind = [...kinds.values()].flatMap((words) => words.slice(0, 1));
  const done = new Set<string>();
  for (const probe of probes) {
    for (const place of placesOf(probe).filter((place) => isText(place) && !isPublic(probe, place))) {
      const isOfName = isName(String(place.value));
      const once = [probe.route, place.name, ...(isOfName ? [place.value, eventOf(probe)] : [])].join(' ');
      if (done.has(once)) continue;
      done.add(once);
      yield {
        probe,
        place,
        words: (isOfName ? named : oneOfEachKind).filter((word) => fits(place, word)),
      };
    }
  }
}

const eventOf = ({ body }: Probe): unknown =>
  typeof body === 'object' && body !== null && 'event' in body ? body.event : '';

/** The call with the text in that place, made like a new call otherwise. */
export function put(probe: Probe, { name, value }: Place, text: string): Probe {
  const place = placesOf(renewed(probe)).find((candidate) => candidate.name === name);
  return place?.put(typeof value === 'number' ? Number(text) : text) ?? probe;
}

/**
 * Providers belong to no project: a channel exists for all of them, and answers 403 to a caller without its secret.
 * Another channel's secret must therefore have no more effect than none.
 */
export const isOfProvider = ({ route }: Probe, { name }: Place): boolean =>
  route.includes(' /channels/') && name === ':uuid';

/** Every page with a widget shows its channel, and every reader of the page may write there. */
const isPublic = ({ route }: Probe, { name }: Place): boolean =>
  /^(POST \/widget\/:channel\/sessions|GET \/widget\/:channel\/look)\/$/.test(route) && name === ':channel';

/** The bounds of a page name nothing, and return in its addresses. The same holds for a form's former values. */
const isText = ({ name, value }: Place): boolean =>
  (typeof value === 'string' || typeof value === 'number') &&
  !/^(\?(limit|offset|before|after)$|seen\.)/.test(name);

/** Ids in place of ids, numbers in place of numbers, and everything in the query, which is all text. */
function fits({ name, value }: Place, { form, column }: Foreign): boolean {
  if (isKnownToAll(name, column)) return false;
  if (name.startsWith('?')) return true;
  if (typeof value === 'number') return form === 'number';
  return (form === 'uuid') === (formOf(String(value)) === 'uuid');
}

/**
 * Any application may ask any person for access, regardless of its owner. An address belongs to one person on the
 * whole installation. An inviter learns from the hidden link that the address is in use, and no more.
 */
const isKnownToAll = (place: string, column: string): boolean =>
  (/\bclient_id$/.test(place) && /^(applications\.id|\w+\.application_id)$/.test(column)) ||
  (place === 'email' && /^(users|operators)\.email$/.test(column));
