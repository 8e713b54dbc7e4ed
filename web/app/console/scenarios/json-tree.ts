import { parser } from '@lezer/json';

/** A node of a JSON text, which can be incomplete. */
export type Node = ReturnType<typeof rootOf>;

/** A range in a text, by characters. */
export type Range = { from: number; to: number };

/** The root value. */
export const rootOf = (source: string) => {
  const { topNode } = parser.parse(source);
  return topNode.firstChild ?? topNode;
};

const valueNames = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'];
const isValue = (node: Node): boolean => valueNames.includes(node.name);

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** The text of a name or a string. */
export function textOf(source: string, node: Node): string {
  const written = source.slice(node.from, node.to);
  try {
    return String(JSON.parse(written));
  } catch {
    return written.replace(/^"|"$/g, '');
  }
}

export type Property = { name: string; nameNode: Node; value: Node | null };

export function propertiesOf(source: string, node: Node): Property[] {
  return childrenOf(node)
    .filter(({ name }) => name === 'Property')
    .flatMap((property) => {
      const nameNode = property.getChild('PropertyName');
      if (!nameNode) return [];
      return [
        { name: textOf(source, nameNode), nameNode, value: childrenOf(property).find(isValue) ?? null },
      ];
    });
}

export const itemsOf = (node: Node): Node[] => childrenOf(node).filter(isValue);

/** The target of a JSON Pointer, or the nearest existing ancestor. */
export function rangeAt(source: string, pointer: string): Range {
  let node = rootOf(source);
  let range: Range = { from: node.from, to: Math.min(node.from + 1, source.length) };
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (node.name === 'Array') {
      const item = itemsOf(node)[Number(name)];
      if (!item) return range;
      node = item;
      range = headOf(source, item);
    } else {
      const property = propertiesOf(source, node).find((one) => one.name === name);
      if (!property) return range;
      range = property.nameNode;
      if (!property.value) return range;
      node = property.value;
      if (node.name !== 'Object' && node.name !== 'Array') range = node;
    }
  }
  return { from: range.from, to: range.to };
}

/** The part of a value that is marked for an error in the whole: an object's id, or its bracket. */
function headOf(source: string, node: Node): Range {
  if (node.name !== 'Object') return node;
  const id = propertiesOf(source, node).find(({ name }) => name === 'id');
  return id?.value ?? { from: node.from, to: node.from + 1 };
}

/** Steps with an id, in order, with their positions. */
export function stepsIn(source: string): ({ id: string } & Range)[] {
  const steps = propertiesOf(source, rootOf(source)).find(({ name }) => name === 'steps')?.value;
  return (steps ? itemsOf(steps) : []).flatMap((step) => {
    const id = propertiesOf(source, step).find(({ name }) => name === 'id')?.value;
    return id ? [{ id: textOf(source, id), from: step.from, to: step.to }] : [];
  });
}

export type Place = {
  /** The names and indexes that lead to the object of this field, from the root. */
  path: string[];
  /** The objects and lists along the path, from the root. */
  nodes: Node[];
  /** A field's name, or the value of the field `of`. In a list, `of` is null. */
  kind: { what: 'name' } | { what: 'value'; of: string | null };
  /** The word at the position, with its quotation marks. */
  word: Range;
};

/** The kind of token at a position of the text, or the expected one. */
export function placeAt(source: string, position: number): Place | null {
  const inner = parser.parse(source).resolveInner(position, -1);
  const isWord = inner.name === 'PropertyName' || (isValue(inner) && !isContainer(inner));
  const word = isWord ? { from: inner.from, to: inner.to } : { from: position, to: position };
  let kind: Place['kind'] | null = inner.name === 'PropertyName' ? { what: 'name' } : null;
  let container: Node | null = inner;
  while (container && !isContainer(container)) {
    if (container.name === 'Property') kind ??= { what: 'value', of: nameOf(source, container) };
    container = container.parent;
  }
  if (!container) return null;
  kind ??= container.name === 'Object' ? { what: 'name' } : { what: 'value', of: null };
  return { ...wayTo(source, container), kind, word };
}

const isContainer = ({ name }: Node): boolean => name === 'Object' || name === 'Array';

function nameOf(source: string, property: Node): string {
  const node = property.getChild('PropertyName');
  return node ? textOf(source, node) : '';
}

function wayTo(source: string, container: Node): Pick<Place, 'path' | 'nodes'> {
  const path: string[] = [];
  const nodes: Node[] = [];
  for (let node: Node | null = container; node; node = node.parent) {
    const { parent, from }: Node = node;
    if (isContainer(node)) nodes.unshift(node);
    if (node.name === 'Property') path.unshift(nameOf(source, node));
    if (parent?.name === 'Array') {
      path.unshift(String(itemsOf(parent).findIndex((item) => item.from === from)));
    }
  }
  return { path, nodes };
}
