import Type, { type Static } from 'typebox';
import {
  Choice,
  DateTime,
  described,
  Integer,
  JsonObject,
  mostKept,
  Nullable,
  PhoneNumber,
  Text,
  Uuid,
} from '../../platform/http/fields.ts';
import { messageStates } from '../chats/rules.ts';

/** Source: docs/contract.md, section 3. */
export const contentTypes = [
  'TEXT',
  'NODE',
  'WHATSAPP_TEMPLATE',
  'WHATSAPP_TEXT',
  'TELEGRAM_PERSONAL_TEXT',
  'TELEGRAM_PERSONAL_NODE',
  'MAX_PERSONAL_TEXT',
  'MAX_PERSONAL_NODE',
] as const;

export type ContentType = (typeof contentTypes)[number];

const optional = Type.Optional;

/** The content in the request, and as it is echoed. */
export const Content = Type.Object(
  {
    type: described('Determines which other fields are required.', Choice(contentTypes)),
    text: optional(described('Required with the text types.', Text(mostKept))),
    node: optional(
      Type.Object(
        { name: Text() },
        {
          description:
            'With the node types: the scenario to start. With `WHATSAPP_TEMPLATE`: the scenario that starts when the client replies.',
        },
      ),
    ),
    get_params: optional(described('Parameters of the scenario.', JsonObject)),
    whatsapp_template: optional(
      Type.Object(
        { pid: Text() },
        { description: 'Required with `WHATSAPP_TEMPLATE`: an approved template.' },
      ),
    ),
    whatsapp_template_variables: optional(
      described(
        'All variables of the template. Outside of its body they are called `header.1`, `media.image`, `button.1.url` or `button.1.code`.',
        JsonObject,
      ),
    ),
  },
  { title: 'Content', examples: [{ type: 'TEXT', text: 'Your parcel has arrived.' }] },
);

export const PushMessageCreate = Type.Object(
  {
    content: Content,
    chat: optional(
      Nullable(
        Type.Object(
          {
            uuid: optional(Uuid),
            telegram_id: optional(Integer()),
            telegram_username: optional(Text()),
            vkontakte_id: optional(Integer()),
            max_id: optional(Integer()),
          },
          { description: 'The recipient, identified by exactly one of these.' },
        ),
      ),
    ),
    profile: optional(
      Nullable(
        Type.Object(
          {
            uuid: optional(Uuid),
            phone_number: optional(described('E.164, with or without the `+`.', PhoneNumber)),
            external_id: optional(Text()),
            tags: optional(
              Type.Array(Type.String(), {
                description: 'Tags to add. Tags that the project does not define are ignored.',
              }),
            ),
            attrs: optional(
              described(
                'Attributes to set. Attributes that the project does not define are ignored.',
                JsonObject,
              ),
            ),
          },
          {
            description: 'The recipient, identified by exactly one identifier.',
            examples: [{ phone_number: '+12025550123' }],
          },
        ),
      ),
    ),
    campaign: optional(
      Nullable(
        Type.Object(
          { uuid: optional(Uuid), name: optional(Type.String({ maxLength: 1024 })) },
          { description: 'A reference of your own. The list can be filtered by it.' },
        ),
      ),
    ),
    launch_at: optional(
      described('Rounded down to the minute. Absent or in the past: now.', Nullable(DateTime)),
    ),
    is_force: optional(Type.Boolean({ description: 'Also sends during a session with an operator.' })),
    tag: optional(Nullable(Type.String({ maxLength: 64, description: 'A label of your own.' }))),
  },
  { title: 'PushMessageCreate' },
);

export type PushMessageCreate = Static<typeof PushMessageCreate>;

const Moment = Nullable(DateTime);

/** Source: docs/contract.md, section 3. */
export const PushMessage = Type.Object(
  {
    uuid: Uuid,
    chat: Type.Object(
      { uuid: Nullable(Uuid), platform: Nullable(Type.String({ examples: ['Telegram'] })) },
      { description: 'The fields are null if the stream did not find the recipient.' },
    ),
    state: Type.Object({
      code: described(
        'The state only moves forward. `READ`, `UNDELIVERED`, `CANCELLED` and `ERROR` are final.',
        Choice(messageStates),
      ),
      detail: Type.String({ description: 'The reason for the state; may be empty.', examples: [''] }),
    }),
    content: Content,
    launch_at: Moment,
    created_at: DateTime,
    sent_at: Moment,
    delivered_at: Moment,
    read_at: Moment,
  },
  { title: 'PushMessage' },
);

export type PushMessage = Static<typeof PushMessage>;

export const PushMessageFilters = Type.Object({
  state: optional(Choice(messageStates)),
  chat: optional(Uuid),
  profile: optional(Uuid),
  campaign: optional(Type.String({ description: 'The uuid or name of the campaign.' })),
  tag: optional(Type.String()),
  created_at__gte: optional(described('Earliest time, inclusive.', DateTime)),
  created_at__lte: optional(described('Latest time, inclusive.', DateTime)),
});

export type PushMessageFilters = Static<typeof PushMessageFilters>;
