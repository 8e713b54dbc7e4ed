import { Anchor } from '@mantine/core';
import { partsOf } from '../../../widget/text.js';

/** A message's text: nothing in it becomes a part of the page, and of what is in it only web addresses become links. */
export function LinkedText({ text }: { text: string }) {
  let at = 0;
  return partsOf(text).map((part) => {
    const key = at;
    at += part.text.length;
    if (part.href === null) return part.text;
    return (
      <Anchor
        key={key}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer"
        inherit
        c="inherit"
        underline="always"
      >
        {part.text}
      </Anchor>
    );
  });
}
