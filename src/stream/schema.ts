import Type from 'typebox';
import { Choice, Uuid } from '../http/fields.ts';
import { PushMessageCreate } from '../push-messages/schema.ts';

export const taskTypes = ['priority_message', 'regular_message'] as const;

export type TaskType = (typeof taskTypes)[number];

/** Source: specification, endpoint 6. */
export const TaskCreate = Type.Object({ type: Choice(taskTypes), payload: PushMessageCreate });

/** The task's uuid is its message's too. */
export const Task = Type.Object({ uuid: Uuid });
