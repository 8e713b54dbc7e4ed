import type { Button as SentButton } from '../channels/contract/adapter.ts';
import type { Facts } from '../clients/filters/facts.ts';
import type { JsonValue } from '../platform/http/fields.ts';

/** As JSON in UTF-8. */
export const maxStateBytes = 64 * 1024;

/** The position and the memory of a run: small, and pure JSON. */
export type State = {
  at: Position;
  /** Start parameters, the client's answers, and values from requests. */
  variables: { [name: string]: JsonValue };
  /** The promo codes for the next message, by group. */
  codes: { [group: string]: string };
  /** Wrong answers to the current question. */
  tries: number;
  /** Steps since the client's last message. */
  pace: number;
  /** The client has answered. The run goes on even if its mailing's message is reported as failed. */
  isAnswered?: true;
  /** Requests so far. The number identifies a request to its receiver. */
  requests: number;
};

export type Position =
  | { kind: 'beginning' }
  | { kind: 'waiting'; step: string; for: Waiting }
  /** The scenario of that name continues from here. */
  | { kind: 'elsewhere'; scenario: string }
  | { kind: 'ended' }
  | { kind: 'failed'; reason: string };

/** Moments are ISO 8601 in UTC. */
export type Waiting =
  | { what: 'client'; until: string | null }
  | { what: 'time'; until: string }
  | { what: 'answer' }
  | { what: 'codes'; groups: string[] }
  /** The run's first message is being sent. The run begins with it. */
  | { what: 'sending' };

export type Event =
  | { type: 'started' }
  /** The client has written, or pressed a button. The text of an image or a document is its address. */
  | { type: 'message'; text: string; payload: string | null }
  /** The awaited moment has come. */
  | { type: 'timer' }
  | { type: 'answer'; answer: Answer }
  /** One code of each awaited group, by their names. Null when one of them is empty. */
  | { type: 'promocodes'; codes: { [group: string]: string } | null }
  /** The first message has been sent. */
  | { type: 'sent' };

/** The result of a request: an answer, or the reason for its absence. */
export type Answer = { status: number; body: string } | { failure: string };

export type Action =
  | {
      type: 'message';
      /** In the form of the column `content`. */
      kind: 'text' | 'image' | 'document';
      text: string | null;
      url: string | null;
      buttons: SentButton[];
      /** The codes in the text, by group. */
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

/** A step was reached, with an empty way, or left by a way: the path of its field, such as `buttons.0.next`. */
export type Move = [step: string, way: string];

/** The outside facts that a step may use. A run that is opening waits until its first message has been sent. */
export type Surroundings = { now: Date; facts: Facts; isOpening: boolean };

/** The state of a run before its start. */
export const beginning = (variables: State['variables']): State => ({
  at: { kind: 'beginning' },
  variables,
  codes: {},
  tries: 0,
  pace: 0,
  requests: 0,
});
