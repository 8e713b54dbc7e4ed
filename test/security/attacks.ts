import { type Foreign, formOf } from './foreign.ts';
import { type Place, placesOf, renewed } from './places.ts';
import type { Probe } from './probe.ts';

export type Attack = { probe: Probe; place: Place; words: Foreign[] };

/**
 * What to put where. In the place of a name, every foreign name; in the place of a free text, a name of each kind.
 * Either is done once on each address, and once for each kind of event where an address takes several.
 * `isName` tells whether a value names something of the attacker's own.
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

/** The call with the text in that place, and otherwise as one that was not made before. */
export function put(probe: Probe, { name, value }: Place, text: string): Probe {
  const place = placesOf(renewed(probe)).find((candidate) => candidate.name === name);
  return place?.put(typeof value === 'number' ? Number(text) : text) ?? probe;
}

/**
 * Providers belong to no project: a channel is there for all of them, and tells 403 to whoever does not have its
 * secret. So another channel's secret must do as little there as none.
 */
export const isOfProvider = ({ route }: Probe, { name }: Place): boolean =>
  route.startsWith('POST /channels/') && name === ':uuid';

/** Every page with a widget shows its channel, and whoever reads the page may write there. */
const isPublic = ({ route }: Probe, { name }: Place): boolean =>
  /^(POST \/widget\/:channel\/sessions|GET \/widget\/:channel\/look)\/$/.test(route) && name === ':channel';

/** Where a page begins and ends names nothing, and comes back in its addresses; nor does what a form was filled with. */
const isText = ({ name, value }: Place): boolean =>
  (typeof value === 'string' || typeof value === 'number') &&
  !/^(\?(limit|offset|before|after)$|seen\.)/.test(name);

/** Ids where an id belongs, numbers where a number does, and everything in the query, which is all text. */
function fits({ name, value }: Place, { form, column }: Foreign): boolean {
  if (isKnownToAll(name, column)) return false;
  if (name.startsWith('?')) return true;
  if (typeof value === 'number') return form === 'number';
  return (form === 'uuid') === (formOf(String(value)) === 'uuid');
}

/**
 * Any application may ask anybody for access, whichever project owns it. And an address is one person's on the whole
 * installation: whoever invites it learns from the link that is not shown that it is somebody's, and no more.
 */
const isKnownToAll = (place: string, column: string): boolean =>
  (/\bclient_id$/.test(place) && /^(applications\.id|\w+\.application_id)$/.test(column)) ||
  (place === 'email' && /^(users|operators)\.email$/.test(column));
