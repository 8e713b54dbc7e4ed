import Type, { type Static } from 'typebox';
import { DateTime, described, Nullable, PhoneNumber, Text, Uri, Uuid } from '../../platform/http/fields.ts';

const absent = <S extends Parameters<typeof Nullable>[0]>(schema: S) => Type.Optional(Nullable(schema));

/** Source: docs/contract.md, section 6. */
export const IframeLinkCreate = Type.Object({
  operator: Type.Object(
    {
      uuid: absent(Uuid),
      email: absent(
        described('An unknown email creates an operator who can enter only through links.', Text()),
      ),
    },
    { examples: [{ email: 'olga@example.com' }] },
  ),
  profile: absent(
    described(
      'The only visible client, identified by exactly one of these. Absent: all clients are visible.',
      Type.Object({ uuid: absent(Uuid), phone_number: absent(PhoneNumber), external_id: absent(Text()) }),
    ),
  ),
});

export type IframeLinkCreate = Static<typeof IframeLinkCreate>;

export const IframeLink = Type.Object(
  {
    url: described('Works only in the first browser that opens it.', Uri),
    expired_at: described('The link opens until this time.', DateTime),
  },
  { title: 'IframeLink' },
);

export type IframeLink = Static<typeof IframeLink>;
