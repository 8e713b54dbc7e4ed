import Type from 'typebox';
import { Line } from './fields.ts';
import { reader } from './validation.ts';

const read = reader(Type.Object({ name: Line(255) }));

/** The name of something that people make: one line, for pages, mails, logs and terminals. Throws `Invalid` on `name`. */
export const readName = (name: string): string => read({ name }).name;
