import { creation } from '../../platform/http/action.ts';
import { closeChat } from './close.ts';
import { createMessage } from './message.ts';
import { createNote } from './note.ts';
import { presentMade } from './present.ts';
import { taskOf } from './rules.ts';
import { ConnectorAnswer, ConnectorEvent } from './schema.ts';
import { findMade } from './store.ts';

/** POST /api/partners/connector/: one event per call. Source: docs/contract.md, section 6. */
export const connector = creation({
  name: 'sendConnectorEvent',
  summary: 'Send an event to a chat',
  description:
    'Each call carries one event: a message of an operator, a note, or the end of a session. A phone number or a user name starts a chat if none exists. A repeated `message.external_id` sends nothing and returns the first response.',
  status: 200,
  body: ConnectorEvent,
  response: ConnectorAnswer,
  handle: async ({ context, principal, body, id }) => {
    const task = taskOf(body);
    switch (task.event) {
      case 'message_created':
        return createMessage(context, principal, body, task.message, id);
      case 'note_created':
        return createNote(context, principal, body, task.text, id);
      case 'session_closed':
        return closeChat(context, principal, body, task);
    }
  },
  recall: async ({ sql }, { projectId }, id) => {
    const made = await findMade(sql, projectId, id);
    return made && presentMade(made);
  },
});
