import { hoverTooltip } from '@codemirror/view';
import { placeAt } from './json-tree.ts';
import { type Schema, schemaOf, stepTypes } from './schema.ts';

/** The description of the field under the pointer, from the published schema. */
export const fieldHelp = hoverTooltip((view, position, side) => {
  const source = view.state.doc.toString();
  const place = placeAt(source, side < 0 ? position : position + 1);
  if (!place || place.word.to === place.word.from) return null;
  const schema = schemaOf(source, place);
  const word = source.slice(place.word.from, place.word.to).replaceAll('"', '');
  const text = schema && helpOn(schema, place.kind.what === 'name' ? word : place.kind.of, word);
  if (!text) return null;
  return {
    pos: place.word.from,
    end: place.word.to,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-help';
      dom.textContent = text;
      return { dom };
    },
  };
});

function helpOn(schema: Schema, field: string | null, word: string): string | null {
  if (field === 'type') {
    return stepTypes.find(({ name }) => name === word)?.description ?? schema.description ?? null;
  }
  const known = field === null ? undefined : schema.properties?.[field];
  return [known?.description, known?.enum?.join(' | ')].filter(Boolean).join(' ') || null;
}
