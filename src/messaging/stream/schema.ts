import Type from 'typebox';
import { Choice, described, Uuid } from '../../platform/http/fields.ts';
import { PushMessageCreate } from '../push-messages/schema.ts';

export const taskTypes = ['priority_message', 'regular_message'] as const;

export type TaskType = (typeof taskTypes)[number];

/** Source: docs/contract.md, section 4. */
export const TaskCreate = Type.Object({
  type: described('Triggered messages are sent first; bulk messages still proceed.', Choice(taskTypes)),
  payload: PushMessageCreate,
});

export const Task = Type.Object(
  { uuid: described('The uuid of the task and of its message.', Uuid) },
  { title: 'StreamTask' },
);
