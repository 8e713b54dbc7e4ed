import { hash } from 'node:crypto';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Button } from '../../contract/adapter.ts';
import { jsonIn } from '../../shared/json.ts';

/**
 * A press returns as a message with the button's `ActionBody` as its text. It includes the `tracking_data` of the
 * message with the button, which maps the buttons' payloads to labels.
 */

const MOST_TRACKED = 4000;

/** The parts of a message's body for its buttons. */
export function keyboardOf(buttons: readonly Button[]): object {
  if (buttons.length === 0) return {};
  const replies = buttons.filter(({ url }) => !url);
  return {
    keyboard: { Type: 'keyboard', DefaultHeight: false, Buttons: buttons.map(keyOf) },
    ...(replies.length > 0 && { tracking_data: trackingOf(replies) }),
  };
}

/** Labels that are too long together are left out: a press still returns its payload. */
function trackingOf(replies: readonly Button[]): string {
  const labelled = JSON.stringify({ buttons: replies.map((button) => [carriedBy(button), button.text]) });
  if (labelled.length <= MOST_TRACKED) return labelled;
  return JSON.stringify({ marks: replies.map((button) => markOf(carriedBy(button))) });
}

const carriedBy = ({ payload, text }: Button): string => payload ?? text;

const markOf = (carried: string): string => hash('sha256', carried, 'base64url').slice(0, 8);

const keyOf = (button: Button): object => ({
  Columns: 6,
  Rows: 1,
  Text: button.text,
  ...(button.url
    ? { ActionType: 'open-url', ActionBody: button.url }
    : { ActionType: 'reply', ActionBody: carriedBy(button) }),
});

const Labelled = Type.Object({ buttons: Type.Array(Type.Tuple([Type.String(), Type.String()])) });
const Marked = Type.Object({ marks: Type.Array(Type.String()) });

/** The label of the button with this payload. Null if it was left out, and undefined if there is no such button. */
export function labelOf(text: string, trackingData: string): string | null | undefined {
  const tracked = jsonIn(Buffer.from(trackingData));
  if (Value.Check(Labelled, tracked)) return tracked.buttons.find(([carried]) => carried === text)?.[1];
  return Value.Check(Marked, tracked) && tracked.marks.includes(markOf(text)) ? null : undefined;
}
