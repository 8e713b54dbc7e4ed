import { SaxesParser } from 'saxes';
import { BadFile } from './bad-file.ts';
import { decoded } from './decode.ts';

export type Attributes = { readonly [name: string]: string };

/** Names come without their prefix. */
export type XmlHandler = {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
};

/** A cell's text is seven levels deep. */
const maxDepth = 100;

/** The parser keeps a text, a tag or a comment until its end. An honest one is never longer. */
const maxPatience = 1024 * 1024;

/**
 * Reads a part of a workbook and passes its events to the handler, with a pause after every piece. These parts have
 * no document type, and so no entity that could explode. Throws `BadFile`.
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let waiting = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    waiting = 0;
    depth += 1;
    if (depth > maxDepth) throw new BadFile('The file is no XLSX workbook: its XML is nested too deep.');
    handler.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    waiting = 0;
    depth -= 1;
    handler.close(localName(name));
  });
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));
  parser.on('doctype', () => {
    throw new BadFile('The file is no XLSX workbook: it has a document type.');
  });
  for await (const text of decoded(pieces)) {
    feed(() => parser.write(text));
    waiting += text.length;
    if (waiting > maxPatience) throw new BadFile('The workbook holds a text that is longer than any cell’s.');
    yield;
  }
  feed(() => parser.close());
}

function feed(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof BadFile) throw error;
    throw new BadFile('The file is damaged, or no XLSX workbook: a part of it is not valid XML.', {
      cause: error,
    });
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
