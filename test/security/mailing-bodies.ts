import type { Furnished } from './furnish.ts';

/** Mailings in the far future, which together have every field. */
export function mailingBodies(own: Furnished): object[] {
  const { name } = own;
  const later = { name: 'Sale', planned_at: '2099-01-01T00:00:00Z' };
  return [
    { ...later, content_type: 'TEXT', text: 'hello', regular_cron: '0 12 * * *' },
    {
      ...later,
      template_whatsapp: `template-${name}`,
      template_variables: { order: { type: 'GLOBAL', value: 'seven' } },
      content_type: 'MIXED',
      node_name: `scenario-${name}`,
      node_get_params: [{ name: 'city', value: 'Oslo', type: 'string' }],
      customer_filter_field: 'UUID',
      customer_filter_array: [own.profileId],
      customer_filter_file: 'https://shop.test/clients.csv',
      phone_numbers_file: 'https://shop.test/phones.xlsx',
      filter_chats: {
        all: [
          { type: 'attribute', uuid: own.chatId },
          { type: 'profile_attribute', external_id: own.profileExternalId },
          { type: 'profile_tag', tag: `tag-${name}` },
        ],
      },
      origin: 'chat_center',
    },
    { ...later, node: own.scenarioId, topic: `hush-${name} topic 1` },
    { ...later, text: 'hello', filter_chats: { audience: `audience-${name}` } },
    { ...later, text: 'hello', filter_chats: { all: [] }, finish_by: '2099-01-02T00:00:00Z' },
    ...testedBodies(own),
  ];
}

/** Mailings with an A/B test, which together have every field of one. */
function testedBodies(own: Furnished): object[] {
  const later = { name: 'Sale', planned_at: '2099-01-01T00:00:00Z' };
  const template = {
    template_whatsapp: `template-${own.name}`,
    template_variables: { order: { type: 'GLOBAL', value: 'eight' } },
  };
  const node = {
    node_name: `scenario-${own.name}`,
    node_get_params: [{ name: 'city', value: 'Bergen', type: 'string' }],
  };
  const sample = { percent: 20, measure: 'read', wait_minutes: 60, otherwise: 'first' };
  return [
    { ...later, text: 'hello', ab_test: { variants: [{ share: 40, text: 'hi' }], sample } },
    { ...later, node: own.scenarioId, ab_test: { variants: [{ share: 40, node: own.scenarioId }] } },
    {
      ...later,
      ...template,
      ...node,
      content_type: 'MIXED',
      ab_test: { variants: [{ share: 40, ...template, ...node }] },
    },
  ];
}
