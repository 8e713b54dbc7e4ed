import { endingsOf } from './media-type.ts';

const longestName = 200;

/**
 * A name under which anybody may safely keep the file: no folders, nothing that cannot be seen, at most 200 characters,
 * and an ending that tells its real type, since it is by the ending that a computer chooses the program to open it with.
 */
export function safeName(given: string, mediaType: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const visible = last.replace(/\p{C}/gu, '').replace(/\s+/g, ' ').trim();
  const [first = 'bin', ...others] = endingsOf(mediaType);
  const ending = /\.([^.]+)$/.exec(visible)?.[1]?.toLowerCase() ?? '';
  const isRight = [first, ...others].includes(ending);
  const stem = (isRight ? visible.slice(0, -ending.length - 1) : visible).replace(/^[. ]+/, '');
  const shown = `.${isRight ? ending : first}`;
  return [...(stem || 'file')].slice(0, longestName - shown.length).join('') + shown;
}
