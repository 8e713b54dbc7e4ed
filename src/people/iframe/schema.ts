import Type, { type Static } from 'typebox';
import { DateTime, described, Nullable, PhoneNumber, Text, Uri, Uuid } from '../../platform/http/fields.ts';

const absent = <S extends Parameters<typeof Nullable>[0]>(schema: S) => Type.Optional(Nullable(schema));

/** Source: docs/contract.md, section 6. */
export const IframeLinkCreate = Type.Object({
  operator: Type.Object(
    {
      uuid: absent(Uuid),
      email: absent(
        described('One that nobody has yet makes an operator, who can enter by such links only.', Text()),
      ),
    },
    { examples: [{ email: 'olga@example.com' }] },
  ),
  profile: absent(
    described(
      'The only client that will be seen, named by exactly one of these. Without it, all of them are.',
      Type.Object({ uuid: absent(Uuid), phone_number: absent(PhoneNumber), external_id: absent(Text()) }),
    ),
  ),
});

export type IframeLinkCreate = Static<typeof IframeLinkCreate>;

export const IframeLink = Type.Object(
  {
    url: described('For the browser that opens it first.', Uri),
    expired_at: described('Until when it can be opened.', DateTime),
  },
  { title: 'IframeLink' },
);

export type IframeLink = Static<typeof IframeLink>;
