import type { Document, Schema } from './types.ts';

/** The endpoints that each event is sent to. */
const channels = {
  integration: 'The webhook of an integration, set by `PUT /api/partners/integrations/credentials/`.',
  project: "The project's own webhook, set in the project settings. It receives mailing events.",
} as const;

type Channel = keyof typeof channels;

const channelOf = (event: string): Channel => (event.startsWith('mailing.') ? 'project' : 'integration');

/** The webhooks of the document as AsyncAPI 3: the events that Patchbay sends, with the same schemas. */
export function describeEvents({ info, webhooks, components }: Document): object {
  const events = Object.keys(webhooks);
  const of = (channel: Channel) => events.filter((event) => channelOf(event) === channel);
  const each = <Value>(make: (channel: Channel, description: string) => Value) => ({
    integration: make('integration', channels.integration),
    project: make('project', channels.project),
  });
  const messages = Object.fromEntries(
    Object.entries(webhooks).map(([name, { post }]) => {
      const content = post.requestBody?.content['application/json'];
      const headers = Object.fromEntries(
        post.parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
      );
      const required = post.parameters.filter((header) => header.required).map((header) => header.name);
      return [
        name,
        {
          name,
          summary: post.summary,
          contentType: 'application/json',
          headers: { type: 'object', required, properties: headers },
          payload: content?.schema,
          examples: [{ payload: content?.example }],
        },
      ];
    }),
  );
  return {
    asyncapi: '3.0.0',
    info: { ...info, title: `${info.title} webhooks`, license: { name: info.license.name } },
    defaultContentType: 'application/json',
    channels: each((channel, description) => ({
      address: null,
      description,
      messages: Object.fromEntries(
        of(channel).map((event) => [event, { $ref: `#/components/messages/${event}` }]),
      ),
    })),
    operations: each((channel) => ({
      action: 'send',
      channel: { $ref: `#/channels/${channel}` },
      messages: of(channel).map((event) => ({ $ref: `#/channels/${channel}/messages/${event}` })),
    })),
    components: { messages, schemas: named(components.schemas, messages) },
  };
}

/** The schemas that the messages, or these schemas themselves, refer to. */
function named(schemas: Record<string, Schema>, by: object): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const look = (value: object): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const schema = schemas[name];
      if (!schema || Object.hasOwn(found, name)) continue;
      found[name] = schema;
      look(schema);
    }
  };
  look(by);
  return found;
}
