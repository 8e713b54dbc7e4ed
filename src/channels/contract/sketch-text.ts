import type { Sketch, SketchPart, Words } from './guide.ts';

type Language = keyof Words;

/** A sketch in words, for people who do not see it: the page, the way there, and what they need. */
export function sketchText({ window, menu = [], parts }: Sketch, language: Language): string {
  const way = [window, ...menu.map((item) => item[language])].join(' › ');
  const needed = parts.filter(({ marked }) => marked);
  const shown = (needed.length > 0 ? needed : parts).map((part) => partText(part, language));
  return `${way}: ${shown.join(', ')}`;
}

function partText(part: SketchPart, language: Language): string {
  if ('field' in part) return part.field[language];
  if ('button' in part) return `[${part.button[language]}]`;
  if ('tick' in part) return `☑ ${part.tick[language]}`;
  if ('says' in part) return part.says[language];
  return part.code[language];
}
