import Type, { type Static } from 'typebox';
import { DateTime, Text } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

export const SecretParams = Type.Object({ name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }) });

/** The visible data of a secret: never its value. */
export const Secret = Type.Object({ name: Type.String(), host: Type.String(), set_at: DateTime });

export type Secret = Static<typeof Secret>;

export const Secrets = PageOf(Secret);

/** `host` is the only host that it is sent to, with its port unless that is the default. */
export const SecretPut = Type.Object({
  host: Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(:\\d{1,5})?$' }),
  value: Text(4096),
});

export type SecretPut = Static<typeof SecretPut>;
