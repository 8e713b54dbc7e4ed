import type { Button as SentButton } from '../channels/contract/adapter.ts';
import type { Facts } from '../clients/filters/facts.ts';
import type { JsonValue } from '../platform/http/fields.ts';

/** Where a run stands and what it remembers: small, and JSON through and through. */
export type State = {
  at: Position;
  /** What it was started with, what the client answered, what requests brought. */
  variables: { [name: string]: JsonValue };
  /** The promo codes that the message about to be sent has been given, by their groups. */
  codes: { [group: string]: string };
  /** Wrong answers to the question under way. */
  tries: number;
  /** Steps since the client's last message. */
  pace: number;
  /** Requests made so far: the number of one names it to whom it calls. */
  requests: number;
};

export type Position =
  | { kind: 'beginning' }
  | { kind: 'waiting'; step: string; for: Waiting }
  /** The scenario of that name goes on from here. */
  | { kind: 'elsewhere'; scenario: string }
  | { kind: 'ended' }
  | { kind: 'failed'; reason: string };

/** Moments are ISO 8601 in UTC. */
export type Waiting =
  | { what: 'client'; until: string | null }
  | { what: 'time'; until: string }
  | { what: 'answer' }
  | { what: 'codes'; groups: string[] };

export type Event =
  | { type: 'started' }
  /** The client has written, or pressed a button. An image or a document is its address. */
  | { type: 'message'; text: string; payload: string | null }
  /** The moment has come that was waited for. */
  | { type: 'timer' }
  | { type: 'answer'; answer: Answer }
  /** One of each group that was waited for, by their names; null when one of them has no code left. */
  | { type: 'promocodes'; codes: { [group: string]: string } | null };

/** What a request brought: an answer, or the reason for there being none. */
export type Answer = { status: number; body: string } | { failure: string };

export type Action =
  | {
      type: 'message';
      /** In the form of the column `content`. */
      kind: 'text' | 'image' | 'document';
      text: string | null;
      url: string | null;
      buttons: SentButton[];
      /** The codes in the text, by their group. */
      promocodes: { [group: string]: string };
    }
  | {
      type: 'profile';
      /** Null clears. */
      attributes: { [name: string]: JsonValue };
      addTags: string[];
      removeTags: string[];
    }
  | { type: 'operator'; title: string; team: string | null };

/** What a step may know of the world. */
export type Surroundings = { now: Date; facts: Facts };

/** The state of a run that is about to begin. */
export const beginning = (variables: State['variables']): State => ({
  at: { kind: 'beginning' },
  variables,
  codes: {},
  tries: 0,
  pace: 0,
  requests: 0,
});
