import { itemsOf, type Node, propertiesOf, rootOf } from './json-tree.ts';
import { isObject, jsonIn, written } from './source.ts';

/** The names and indexes that lead to a value, from the root. */
export type Path = readonly (string | number)[];

/**
 * Changes of one value in a JSON text. Every character outside the change stays: a person may have arranged it, and
 * some differences, such as `1.0`, have no place in a parsed value.
 */

/** The text with this value at the path. Missing objects and lists on the way are made. */
export function setAt(source: string, path: Path, value: unknown): string {
  const [found, missing] = reached(source, path);
  if (!found) return source;
  const [name, ...rest] = missing;
  const made = rest.reduceRight<unknown>(
    (inside, key) => (typeof key === 'number' ? [inside] : { [key]: inside }),
    value,
  );
  if (name === undefined) return replaced(source, found, literal(source, found, value));
  if (found.name === 'Array') {
    return withItem(source, found, itemsOf(found), (depth) => written(made, depth, depth * 2));
  }
  if (found.name !== 'Object') return replaced(source, found, literal(source, found, { [name]: made }));
  return withItem(source, found, propertyRanges(source, found), (depth) => {
    const lead = `${JSON.stringify(String(name))}: `;
    return lead + written(made, depth, depth * 2 + lead.length);
  });
}

/** The text with a value at this index of a list. The values behind it move on. */
export function insertAt(source: string, path: Path, index: number, value: unknown): string {
  const [list, missing] = reached(source, path);
  if (!list) return source;
  if (missing.length > 0 || list.name !== 'Array') return setAt(source, path, [value]);
  return withItem(source, list, itemsOf(list), (depth) => written(value, depth, depth * 2), index);
}

/** The text without the field or item at the path. */
export function removeAt(source: string, path: Path): string {
  const name = path.at(-1);
  const [parent, missing] = reached(source, path.slice(0, -1));
  if (!parent || missing.length > 0 || name === undefined) return source;
  const parts = partsOf(source, parent);
  const index =
    parent.name === 'Array' ? Number(name) : parts.findLastIndex((part) => part.name === String(name));
  const part = parts[index];
  if (!part) return source;
  const [before, after] = [parts[index - 1], parts[index + 1]];
  if (before) return source.slice(0, before.to) + source.slice(part.to);
  if (after) return source.slice(0, part.from) + source.slice(after.from);
  return source.slice(0, parent.from + 1) + source.slice(parent.to - 1);
}

type Part = { from: number; to: number; name?: string };

const propertyRanges = (source: string, node: Node): Part[] =>
  propertiesOf(source, node).map(({ name, nameNode, value }) => ({
    name,
    from: nameNode.from,
    to: value?.to ?? nameNode.to,
  }));

const partsOf = (source: string, node: Node): Part[] =>
  node.name === 'Array' ? itemsOf(node) : propertyRanges(source, node);

/** The node at the path, or the nearest one above it with the rest of the path. */
function reached(source: string, path: Path): [node: Node | null, missing: Path] {
  let node = rootOf(source);
  if (!isObject(jsonIn(source))) return [null, path];
  for (const [depth, name] of path.entries()) {
    const next =
      node.name === 'Array'
        ? itemsOf(node)[Number(name)]
        : propertiesOf(source, node).findLast((one) => one.name === String(name))?.value;
    if (!next) return [node, path.slice(depth)];
    node = next;
  }
  return [node, []];
}

const replaced = (source: string, { from, to }: Part, text: string): string =>
  source.slice(0, from) + text + source.slice(to);

/** The whitespace with which the line of this place begins. */
function indentAt(source: string, place: number): string {
  const start = source.lastIndexOf('\n', place - 1) + 1;
  return /^[ \t]*/.exec(source.slice(start, place))?.[0] ?? '';
}

function literal(source: string, { from }: Part, value: unknown): string {
  const start = source.lastIndexOf('\n', from - 1) + 1;
  return written(value, Math.ceil(indentAt(source, from).length / 2), from - start);
}

/** A further property or item, on its own line if the others have their own. */
function withItem(
  source: string,
  parent: Node,
  parts: readonly Part[],
  write: (depth: number) => string,
  index = parts.length,
): string {
  const [first] = parts;
  const isBlock = first
    ? source.slice(parent.from, first.from).includes('\n')
    : indentAt(source, parent.from).length < 4;
  const indent = first && isBlock ? indentAt(source, first.from) : `${indentAt(source, parent.from)}  `;
  const space = isBlock ? `\n${indent}` : ' ';
  const text = write(Math.ceil(indent.length / 2));
  const [before, after] = [parts[index - 1], parts[index]];
  if (after) return `${source.slice(0, after.from)}${text},${space}${source.slice(after.from)}`;
  if (before) return `${source.slice(0, before.to)},${space}${text}${source.slice(before.to)}`;
  const close = isBlock ? `\n${indentAt(source, parent.from)}` : parent.name === 'Array' ? '' : ' ';
  const open = parent.name === 'Array' && !isBlock ? '' : space;
  return source.slice(0, parent.from + 1) + open + text + close + source.slice(parent.to - 1);
}
