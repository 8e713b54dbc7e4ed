import type { Area } from '../mutation.ts';

const unsubscribe = ['src/mailings/unsubscribe.test.ts'];
const plan = ['src/mailings/planning/consent.test.ts'];
const mailing = ['src/mailings/consent.test.ts'];
const words = ['src/messaging/chats/consent.test.ts'];
const pages = ['src/people/console/consent/consent.test.ts'];
const refusal = 'src/clients/consent/refusal-store.ts';

export const consent: Area = {
  name: 'consent',
  mutations: [
    {
      name: 'a mailing is planned for those who have unsubscribed',
      file: refusal,
      find: '  not ${hasUnsubscribed(sql, client)}\n',
      replace: '  true\n',
      tests: unsubscribe,
    },
    {
      name: 'a mailing is planned for those who left its topic',
      file: refusal,
      find: '${topicId ? sql`and not ${hasLeft(sql, client, topicId)}` : sql``}',
      replace: '',
      tests: plan,
    },
    {
      name: 'a mailing is planned for addresses on the list',
      file: refusal,
      find: 'then not ${isListed(sql, client)} else true end',
      replace: 'then true else true end',
      tests: plan,
    },
    {
      name: 'an id on one platform is kept from all mailings on another',
      file: refusal,
      find: "and suppressions.platform in ('', known.platform)",
      replace: '',
      tests: plan,
    },
    {
      name: 'the list of another project counts',
      file: refusal,
      find: 'where suppressions.project_id = listed.project_id and address',
      replace: 'where address',
      tests: plan,
    },
    {
      name: 'a departure counts in its chat alone',
      file: 'src/mailings/recipients-store.ts',
      find: 'where ${mayReach(sql, client, rule)}',
      replace:
        'where chat.chat_id not in (select id from chats where left_topics is not null) and ${mayReach(sql, client, { ...rule, topicId: null })}',
      tests: plan,
    },
    {
      name: 'a planned message is sent to those who left since',
      file: 'src/messaging/sending/rules.ts',
      find: "if (message.barred !== null) return failed('not_opted_in', message.barred);",
      replace: '',
      tests: mailing,
    },
    {
      name: 'a claim does not know the topic of the mailing',
      file: 'src/messaging/sending/load-store.ts',
      find: 'topicId: topicOf(sql), hasList',
      replace: 'topicId: null, hasList',
      tests: mailing,
    },
    {
      name: 'a scenario begins with those who left since',
      file: 'src/scenarios/starts-store.ts',
      find: 'where is_free and why is null order by',
      replace: 'where is_free order by',
      tests: mailing,
    },
    {
      name: 'one click leaves everything instead of the topic',
      file: 'src/mailings/unsubscribe.ts',
      find: 'form[TOPIC] ?? leaving.topicId',
      replace: 'form[TOPIC]',
      tests: unsubscribe,
    },
    {
      name: 'a client leaves a topic of another project',
      file: 'src/messaging/chats/unsubscribe-store.ts',
      find: 'where topics.project_id = ${projectId} and topics.id = ${topicId})',
      replace: 'where topics.id = ${topicId})',
      tests: plan,
    },
    {
      name: 'who left nothing comes back',
      file: 'src/messaging/chats/receive-store.ts',
      find: 'and (theirs.unsubscribed_at is not null or theirs.left_topics is not null)',
      replace: '',
      tests: words,
    },
    {
      name: 'a scenario hears a text that leaves',
      file: 'src/messaging/chats/receive-message.ts',
      find: "(asked === null || event.message.type === 'button')",
      replace: 'true',
      tests: words,
    },
    {
      name: 'a press without a label never leaves',
      file: 'src/messaging/chats/receive-message.ts',
      find: "if (given || type !== 'button' || !payload)",
      replace: 'if (payload !== undefined)',
      tests: words,
    },
    {
      name: 'a press without a label is of a message that waits',
      file: 'src/messaging/chats/reactions-store.ts',
      find: "where direction = 'out' and (sent_at is not null or ${isUnderWay(sql)})",
      replace: "where direction = 'out'",
      tests: words,
    },
    {
      name: 'a word opens a session',
      file: 'src/messaging/chats/receive-message.ts',
      find: 'if (session || !wanted || asked)',
      replace: 'if (session || !wanted)',
      tests: words,
    },
    {
      name: 'an empty answer is sent',
      file: 'src/messaging/chats/consent-words.ts',
      find: "if (answer === '') return null;",
      replace: '',
      tests: words,
    },
    {
      name: 'an import keeps the apostrophe of an export',
      file: 'src/clients/consent/suppressions.ts',
      find: 'withoutApostrophe(address.trim())',
      replace: 'address.trim()',
      tests: pages,
    },
    {
      name: 'an imported email keeps its capitals',
      file: 'src/clients/consent/suppressions.ts',
      find: 'address: clientAddressOf(text), platform: null',
      replace: 'address: text, platform: null',
      tests: pages,
    },
    {
      name: 'an address on a platform is listed as it was typed',
      file: 'src/channels/registry.ts',
      find: '(addressOf?.(typed) ?? typed)',
      replace: 'typed',
      tests: pages,
    },
    {
      name: 'a number on a platform is listed as it was typed',
      file: 'src/channels/registry.ts',
      find: 'if (phone !== null) return phone;\n  return opensBy',
      replace: 'return opensBy',
      tests: pages,
    },
    {
      name: 'a topic that a mailing is about is deleted',
      file: 'src/clients/consent/topics-store.ts',
      find: 'and topic_id = ${id})`',
      replace: 'and topic_id <> ${id})`',
      tests: pages,
    },
  ],
};
