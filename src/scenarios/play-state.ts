import { apiMessengerCapabilities } from '../channels/messengers/api-messenger/capabilities.ts';
import type { Facts } from '../clients/filters/facts.ts';
import type { Scenario } from './schema.ts';
import type { Script } from './script.ts';
import type { Action, State } from './state.ts';
import type { Entry } from './transcript.ts';

/** An action of the scenario that a script can expect. */
type Effect = { what: 'message' | 'request' | 'operator' | 'end' | 'failure'; value: unknown };

/** The state of a play. */
export type PlayState = {
  scenario: Scenario;
  others: readonly Scenario[];
  state: State;
  facts: Facts;
  now: Date;
  codes: { [group: string]: string[] };
  buttons: { text: string; payload?: string }[];
  /** Actions that are not expected yet. */
  effects: Effect[];
  /** All events so far. */
  entries: Entry[];
  /** The number of entries before each line of the script. */
  before: number[];
  /** The failed expectations. */
  failures: string[];
};

export function note(progress: PlayState, effect: Effect, entry: Entry): void {
  progress.effects.push(effect);
  progress.entries.push(entry);
}

export function act(progress: PlayState, action: Action): void {
  switch (action.type) {
    case 'message': {
      const { kind, text, url, buttons } = action;
      progress.buttons = buttons;
      const value = { kind, text, url, buttons };
      note(progress, { what: 'message', value }, { what: 'message', ...value });
      break;
    }
    case 'profile': {
      const { profile } = progress.facts;
      const tags = new Set([
        ...profile.tags.filter((tag) => !action.removeTags.includes(tag)),
        ...action.addTags,
      ]);
      progress.facts = {
        ...progress.facts,
        profile: { ...profile, tags: [...tags], attrs: { ...profile.attrs, ...action.attributes } },
      };
      const { type: _, ...change } = action;
      progress.entries.push({ what: 'profile', ...change });
      break;
    }
    case 'operator':
      note(
        progress,
        { what: 'operator', value: action },
        { what: 'operator', title: action.title, team: action.team },
      );
  }
}

export function factsOf({ profile = {}, chat = {} }: Script, now: Date): Facts {
  const nobody = { uuid: '00000000-0000-7000-8000-000000000000', created_at: now.toISOString() };
  return {
    chat: {
      ...nobody,
      platform: apiMessengerCapabilities.platform,
      name: null,
      username: null,
      phone: null,
      variables: {},
      ...chat,
    },
    profile: {
      ...nobody,
      external_id: null,
      phone_number: null,
      email: null,
      name: null,
      timezone: null,
      pda_agreed: null,
      tags: [],
      attrs: {},
      ...profile,
    },
  };
}
