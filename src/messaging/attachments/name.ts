import { endingsOf } from './media-type.ts';

const longestName = 200;

/**
 * A safe name for the file: no folders, no invisible characters, at most 200 characters. Its extension matches the
 * real type, because a computer chooses the program by the extension.
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
