import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../test/database.ts';
import { noon, seedChannel, seedProject } from '../../test/seed.ts';
import { platforms } from '../channels/contract/platforms.ts';
import type { Filter } from '../clients/filters/filter.ts';
import { matches } from '../clients/filters/matches.ts';
import { parseFilter } from '../clients/filters/parse.ts';
import { newWork } from '../clients/filters/work.ts';
import { loadFacts } from '../messaging/chats/facts-store.ts';
import type { JSONValue } from '../platform/database/database.ts';
import { uuidv7 } from '../platform/id.ts';
import { conditionSql } from './filter-store.ts';

const { sql } = await testDatabase({ after });
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);

const words = [
  '',
  'Ann',
  'ann',
  'ANN',
  'Привет',
  'пРИВЕТ',
  'ΑΣ',
  'ας',
  'İst',
  'ist',
  '100%',
  'a_b',
  "it's",
  '\\',
]
  .concat([
    '9',
    '10',
    '9.5',
    '-3',
    '007',
    '1e3',
    'true',
    'null',
    '$1',
    '{}',
    '😀',
    '\u{ffff}',
    '"',
    'a\nb',
    ' ',
  ])
  .concat(['1234567890123456789012345678901234567890', '12345678901234567890', '12345678901234567891']);
const word = fc.constantFrom(...words);
const text = fc.oneof(
  word,
  word,
  fc.tuple(word, word).map(([one, other]) => one + other),
);
const moment = fc
  .constantFrom('2026-11-20T12:00:00Z', '2026-11-20T12:00:00.001Z', '2026-11-20T09:00:00-03:00')
  .chain((near) => fc.constantFrom(near, '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'));
const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, -2.25, 9.5, 1e20, 0.000001));
const value = fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, [], ['ann'], {}, { a: 'ann' }));
const names = ['city', 'Ann', "it's", 'constructor', 'a__b', '%'];
const name = fc.constantFrom(...names);

/** A population for the filters. Its facts come from the database, as for a scenario. */
const people = await insertPeople(
  fc.sample(
    fc.record({
      platform: fc.constantFrom(...platforms),
      texts: fc.array(fc.option(text), { minLength: 7, maxLength: 7 }),
      moments: fc.array(moment, { minLength: 3, maxLength: 3 }),
      agreed: fc.boolean(),
      tags: fc.array(text, { maxLength: 3 }),
      variables: fc.dictionary(name, value, { maxKeys: 4 }),
      attrs: fc.dictionary(name, value, { maxKeys: 4 }),
    }),
    150,
  ),
);

type Person = {
  platform: string;
  texts: (string | null)[];
  moments: string[];
  agreed: boolean;
  tags: string[];
  variables: Record<string, JSONValue>;
  attrs: Record<string, JSONValue>;
};

async function insertPeople(seeds: readonly Person[]) {
  for (const [index, { platform, texts, moments, agreed, tags, variables, attrs }] of seeds.entries()) {
    const [profile, chat] = [uuidv7(noon), uuidv7(noon)];
    const [zone, email, called, chatName, username, phone] = texts.map((some) => some ?? null);
    const [profileSince = '', chatSince = '', agreedAt = ''] = moments;
    await sql`
      insert into profiles (project_id, id, external_id, phone_number, email, name, timezone, pda_agreed, tags, attrs,
        created_at, updated_at)
      values (${projectId}, ${profile}, ${index % 3 ? `${index}` : null}, ${index % 2 ? `+120155501${index}` : null},
        ${email ?? null}, ${called ?? null}, ${zone ?? null}, ${agreed ? agreedAt : null}, ${tags},
        ${sql.json(attrs)}, ${profileSince}, ${noon})`;
    await sql`
      insert into chats (project_id, id, channel_id, profile_id, platform, external_id, name, username, phone,
        variables, created_at, last_active_at)
      values (${projectId}, ${chat}, ${channelId}, ${profile}, ${platform}, ${`${index}`}, ${chatName ?? null},
        ${username ?? null}, ${phone ?? null}, ${sql.json(variables)}, ${chatSince}, ${noon})`;
  }
  const chats = await sql<{ id: string }[]>`select id from chats where project_id = ${projectId}`;
  return loadFacts(
    sql,
    projectId,
    chats.map(({ id }) => id),
  );
}

const ids = [...people.keys()];
const textKeys = fc.oneof(
  fc.constantFrom('username', 'name', 'timezone').map((key) => ['attribute', key] as const),
  fc
    .constantFrom('timezone', 'external_id', 'email', 'name')
    .map((key) => ['profile_attribute', key] as const),
  name.map((key) => ['attribute', key] as const),
  name.map((key) => ['profile_attribute', key] as const),
  fc.constantFrom('tag', 'name').map((key) => ['profile_tag', key] as const),
);
const momentKeys = fc.constantFrom(
  ['attribute', 'created_at'] as const,
  ['attribute', 'pda_agreed'] as const,
  ['profile_attribute', 'created_at'] as const,
  ['profile_attribute', 'pda_agreed'] as const,
);
const phoneKeys = fc.constantFrom(
  ['attribute', 'phone'] as const,
  ['profile_attribute', 'phone_number'] as const,
);
const scalar = fc.oneof(text, number, fc.boolean());

const lookingAt = (
  keys: fc.Arbitrary<readonly [type: string, key: string]>,
  whole: fc.Arbitrary<JSONValue>,
  part: fc.Arbitrary<JSONValue> = scalar,
  ordered: fc.Arbitrary<JSONValue> = whole,
) => {
  const test = fc.oneof(
    fc.tuple(fc.constant('exact'), whole),
    fc.tuple(fc.constant('in'), fc.array(whole, { maxLength: 4 })),
    fc.tuple(fc.constantFrom('iexact', 'contains', 'icontains', 'startswith', 'endswith'), part),
    fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), ordered),
    fc.tuple(fc.constant('range'), fc.tuple(ordered, ordered)),
    fc.tuple(fc.constant('isnull'), fc.boolean()),
  );
  return fc
    .tuple(keys, test)
    .map(([[type, key], [lookup, wanted]]) => ({ type, [`${key}__${lookup}`]: wanted }));
};

const condition = fc.oneof(
  { weight: 6, arbitrary: lookingAt(textKeys, scalar) },
  lookingAt(phoneKeys, fc.constantFrom('+12015550111', '12015550113', '+442079460958'), scalar, scalar),
  lookingAt(momentKeys, moment, fc.constantFrom('2026', '12:00', 'z', 'T1')),
  lookingAt(
    fc.constant(['attribute', 'uuid'] as const),
    fc.constantFrom(...ids),
    fc.constantFrom('-7', ids[0]?.slice(0, 20) ?? ''),
  ),
  lookingAt(
    fc.constant(['attribute', 'platform'] as const),
    fc.constantFrom(...platforms),
    fc.constantFrom('tele', 'Max', '_'),
    text,
  ),
);

const { group } = fc.letrec<{ group: JSONValue; part: JSONValue }>((tie) => ({
  part: fc.oneof({ maxDepth: 3, depthSize: 'small' }, condition, condition, tie('group')),
  group: fc
    .tuple(fc.constantFrom('all', 'any'), fc.array(tie('part'), { maxLength: 3 }))
    .map(([word, parts]) => ({ [word]: parts })),
}));

/** For each chat, which of the filters match it. One statement for many filters makes hundreds of them fast. */
async function found(filters: readonly Filter[]): Promise<Map<string, boolean[]>> {
  const rows = await sql<{ id: string; hits: boolean[] }[]>`
    select chats.id, array[${filters.map((filter, index) => sql`${index ? sql`,` : sql``} coalesce(${conditionSql(sql, filter)}, false)`)}] as hits
    from chats join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    where chats.project_id = ${projectId}`;
  return new Map(rows.map(({ id, hits }) => [id, hits]));
}

test('the database finds exactly the recipients that the filter matches', async () => {
  let hitCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          group,
          condition.map((one) => ({ all: [one] })),
        ),
        { minLength: 1, maxLength: 40 },
      ),
      async (wires) => {
        const filters = wires.map((wire) => parseFilter(wire));
        const rows = await found(filters);
        for (const [id, facts] of people) {
          const expected = filters.map((filter) => matches(filter, facts, newWork()));
          hitCount += expected.filter(Boolean).length;
          const wrong = expected.findIndex((hit, index) => hit !== rows.get(id)?.[index]);
          assert.equal(
            wrong,
            -1,
            `${JSON.stringify(wires[wrong])} for ${JSON.stringify(facts)}: ${expected[wrong]}`,
          );
        }
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(hitCount > 1000, 'the filters match people');
});

test('the largest possible filter runs in one statement', async () => {
  const many = Array.from({ length: 480 }, (_, n) => ({ type: 'attribute', [`v${n}__icontains`]: `x${n}` }));
  const wire = { any: [...many, { all: many }] };
  const deep = Array.from({ length: 30 }).reduce<unknown>((inside) => ({ any: [inside] }), wire);
  const rows = await found([
    parseFilter(deep),
    parseFilter({ all: [{ type: 'attribute', platform__in: ['Max'] }] }),
  ]);
  assert.equal(rows.size, people.size);
  const everybody = { type: 'profile_tag', tag__in: Array.from({ length: 10_000 }, (_, n) => `tag ${n}`) };
  assert.equal((await found([parseFilter({ any: [everybody] })])).size, people.size);
});
