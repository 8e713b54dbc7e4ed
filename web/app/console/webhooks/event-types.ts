import type { Webhook } from '../../../../src/people/console/webhooks/schema.ts';

type Types = readonly Webhook['event_types'][number][];

const ofApplications: Types = [
  'message_created',
  'message_updated',
  'operator_replied',
  'session_updated',
  'stream.status',
  'stream.reaction',
];
const ofProject: Types = ['mailing.state', 'mailing.reaction'];

/** The event types that the log of a webhook can contain. */
export const eventTypesOf = ({ application }: Webhook): Types => (application ? ofApplications : ofProject);
