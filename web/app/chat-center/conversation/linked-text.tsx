import { Anchor } from '@mantine/core';
import { partsOf } from '../../../widget/text.js';

/** The text of a message. It is never parsed as HTML; only web addresses in it become links. */
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
