import { creation } from '../../platform/http/action.ts';
import { Invalid } from '../../platform/problem.ts';
import { type AcceptPush, lanes, type Way } from '../push-messages/accept.ts';
import { findPushMessage } from '../push-messages/store.ts';
import type { Admit } from './pace.ts';
import { Task, TaskCreate, type TaskType } from './schema.ts';

/** POST /api/partners/stream/. Source: docs/contract.md, section 4. */
export const createTask = (accept: AcceptPush, admit: Admit) =>
  creation({
    name: 'createStreamTask',
    summary: 'Put a message into the send queue',
    description:
      'At most 20 requests per second and project. The payload is validated like a push message. A missing recipient is reported by `stream.status`. The task can be read as a push message.',
    line: 'gathered',
    refusals: { 429: { when: 'More than 20 requests per second.' } },
    body: TaskCreate,
    response: Task,
    handle: async ({ principal, id, body: { type, payload } }) => {
      await accept(principal, id, payload, wayOf(type, admit)).catch(inPayload);
      return { uuid: id };
    },
    recall: async ({ sql }, { projectId }, id) => (await findPushMessage(sql, projectId, id)) && { uuid: id },
  });

const laneOf: Record<TaskType, Way['lane']> = {
  priority_message: lanes.priority,
  regular_message: lanes.regular,
};

const wayOf = (type: TaskType, admit: Admit): Way => ({
  source: 'stream',
  lane: laneOf[type],
  admit,
  keepsUnreachable: true,
});

/** Reports the errors of the payload under the payload's field. */
function inPayload(error: unknown): never {
  throw error instanceof Invalid ? new Invalid({ payload: error.fields }) : error;
}
