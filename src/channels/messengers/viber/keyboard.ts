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
  const labels = buttons.filter(({ url }) => !url).map((button) => [carriedBy(button), button.text]);
  const tracking_data = JSON.stringify({ buttons: labels });
  return {
    keyboard: { Type: 'keyboard', DefaultHeight: false, Buttons: buttons.map(keyOf) },
    // With too many long labels a press looks like typed text.
    ...(labels.length > 0 && tracking_data.length <= MOST_TRACKED && { tracking_data }),
  };
}

const carriedBy = ({ payload, text }: Button): string => payload ?? text;

const keyOf = (button: Button): object => ({
  Columns: 6,
  Rows: 1,
  Text: button.text,
  ...(button.url
    ? { ActionType: 'open-url', ActionBody: button.url }
    : { ActionType: 'reply', ActionBody: carriedBy(button) }),
});

const Tracked = Type.Object({ buttons: Type.Array(Type.Tuple([Type.String(), Type.String()])) });

/** The label of the button with this payload. Undefined if there is none. */
export function labelOf(text: string, trackingData: string): string | undefined {
  const tracked = jsonIn(Buffer.from(trackingData));
  if (!Value.Check(Tracked, tracked)) return undefined;
  return tracked.buttons.find(([carried]) => carried === text)?.[1];
}
