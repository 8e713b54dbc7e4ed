import Type, { type Static } from 'typebox';
import { Line, Uuid } from '../../../platform/http/fields.ts';

export const ProjectCreate = Type.Object({ name: Line(255) });

export type ProjectCreate = Static<typeof ProjectCreate>;

/** The key is shown only this once. */
export const NewProject = Type.Object({ uuid: Uuid, bot_key: Uuid });

export type NewProject = Static<typeof NewProject>;
